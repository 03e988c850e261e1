import { expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";
import type { Property } from "../../../src/cutpoints/obligation.ts";

const declarations = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

async function decide(text: string, property: Property = "assert") {
  const program = await loadCText("task.c", `${declarations}${text}`, { preprocess: "builtin" });
  const options = { property, engines: null, solver: "auto", seed: 1, milliseconds: 60_000 } as const;
  return verifyProgram(program, { ...options, run: {} }).verdict;
}

const chosen = (error: string) => `
void set(int *a, int *b) { *a = 1; *b = 2; }
int main(void) { int x = 0, y = 0, c = __VERIFIER_nondet_int(); set(&x, c ? &x : &y); if (${error}) reach_error(); return 0; }`;

it("lets the checker follow a pointer that is one of two", async () => {
  expect((await decide(chosen("c && x != 2"))).kind).toBe("safe");
  expect((await decide(chosen("c && x == 2"))).kind).toBe("unsafe");
});

it("decides whether a pointer that may be null was tested", async () => {
  const followed = (test: string) => `int main(void) {
    int x = 1, *p = __VERIFIER_nondet_int() ? &x : 0;
    ${test}
    *p = 2;
    return *p;
  }`;
  expect(await decide(followed("if (!p) return 0;"), "null")).toMatchObject({ kind: "safe", assumptions: [] });
  expect((await decide(followed(""), "null")).kind).toBe("unsafe");
  expect(
    await decide(`${followed("if (!p) return 0;").replace("return *p;", "if (x != 2) reach_error(); return 0;")}`),
  ).toMatchObject({
    kind: "safe",
    assumptions: [],
  });
});

const chain = (error: string) => `
struct node { int value; struct node *next; };
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 1000) return 0;
  struct node c = {x, 0}, b = {2, &c}, a = {1, &b};
  int sum = 0;
  for (struct node *p = &a; p; p = p->next) { sum += p->value; p->value = 0; }
  if (${error}) reach_error();
  return 0;
}`;

it("follows a pointer along variables that point to each other", async () => {
  expect((await decide(chain("sum != x + 3 || c.value != 0"))).kind).toBe("safe");
  expect((await decide(chain("sum == x + 3 && x == 977"))).kind).toBe("unsafe");
});

it("names what the formulas leave open, and where", async () => {
  const verdict = await decide(`int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }
    int main(void) { int n = __VERIFIER_nondet_int(); if (n >= 0 && n < 6 && sum(n) > 21) reach_error(); return 0; }`);
  if (verdict.kind !== "unknown") throw new Error(verdict.kind);
  expect(verdict.reasons).toMatchObject([
    { reason: expect.stringContaining("what comes of a recursive call"), where: { line: 2 } },
  ]);
});
