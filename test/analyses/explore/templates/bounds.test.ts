import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadCText } from "../../../../src/c/cFrontEnd.ts";
import { randomInputs } from "../../../../src/interpreter/inputs.ts";
import { runProgram } from "../../../../src/interpreter/run.ts";
import { exploreText, statuses } from "../../../support/explored.ts";

describe("variables that stay between bounds", () => {
  it.each([
    [
      "a ring",
      `int main(void) { int len = 0;
        while (__VERIFIER_nondet_int()) { if (len == 4) len = 0; len++; }
        __VERIFIER_assert(len >= 0 && len < 5); }`,
    ],
    [
      "what the exit says, whatever the rounds did",
      `int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
        if (y > 0) { while (x < 100) x = x + y; }
        __VERIFIER_assert(y <= 0 || x >= 100); }`,
    ],
    [
      "several ways round, calls, and a loop inside",
      `int x; void down(void) { x--; }
      int main(void) { int k = 0; x = __VERIFIER_nondet_int();
        while (x > 0) { if (__VERIFIER_nondet_int()) down(); else { k = 0; while (k < 3) k++; down(); } }
        __VERIFIER_assert(x <= 0 && k >= 0 && k <= 3); }`,
    ],
  ])("%s: unreachable", async (_name, body) => {
    expect(statuses(await exploreText(body, { mode: "bounded" }))).toEqual(["unreachable"]);
  });

  it("leaves open what bounds do not show and what a run reaches", async () => {
    const sum = `int main(void) { int n = __VERIFIER_nondet_int(), i = 0, s = 0;
      __VERIFIER_assume(n >= 0 && n < 100);
      while (i < n) { i++; s += 2; }
      __VERIFIER_assert(s == 2 * n); }`;
    expect(statuses(await exploreText(sum, { mode: "bounded" }))).toEqual(["unknown"]);
  });

  it("never calls a location unreachable that a run reaches", async () => {
    const update = fc.constantFrom(
      "x++;",
      "x--;",
      "y = x;",
      "x = y + 1;",
      "if (x > 3) x = 0;",
      "y = -y;",
      "if (y < x) y++;",
    );
    const program = fc.record({
      body: fc.array(update, { minLength: 1, maxLength: 3 }),
      start: fc.integer({ min: -2, max: 4 }),
      value: fc.integer({ min: -3, max: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(program, async ({ body, start, value }) => {
        const text = `int main(void) { int x = ${start}, y = 0, n = 0;
          while (__VERIFIER_nondet_int() && n < 8) { ${body.join(" ")} n++; }
          __VERIFIER_assert(x != ${value}); }`;
        const [status] = statuses(await exploreText(text, { mode: "bounded" }));
        if (status !== "unreachable") return;
        const header = "extern int __VERIFIER_nondet_int(void); void __VERIFIER_assert(int);";
        const loaded = await loadCText("p.c", header + text);
        for (let seed = 1; seed <= 30; seed++) {
          expect(runProgram(loaded, { inputs: randomInputs(seed) }).outcome.kind).toBe("exit");
        }
      }),
      { numRuns: 12, seed: 3 },
    );
  });
});
