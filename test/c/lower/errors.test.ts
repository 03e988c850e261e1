import { expect, test } from "vitest";
import type { TracefoldError } from "../../../src/base/errors.ts";
import { formatPlace } from "../../../src/base/sourceRange.ts";
import { lower } from "./lowered.ts";

async function problem(text: string): Promise<string> {
  try {
    await lower(text);
    return "accepted";
  } catch (error) {
    const { code, range, message } = error as TracefoldError;
    return `${code} ${range === undefined ? "-" : formatPlace(range)} ${message}`;
  }
}

test.each([
  ["int main(void) { return x; }", "TF166 p.c:1:25 x is not declared"],
  ["int main(void) { int x = 1; return x(2); }", "TF173 p.c:1:36 the called expression is not a function"],
  ["struct s { int a; } v; int main(void) { return v.b; }", "TF157 p.c:1:48 struct s has no member b"],
  ["int main(void) { struct s *p = 0; return p->a; }", "TF153 p.c:1:42 struct s is incomplete"],
  [
    "int f(void); int main(void) { f() = 2; return 0; }",
    "TF158 p.c:1:31 this is a value, not an object that can be assigned or has an address",
  ],
  ["int main(void) { goto away; return 0; }", "TF177 p.c:1:18 label away is not defined"],
  [
    "int main(void) { switch (1) { case 1: case 1: ; } return 0; }",
    "TF179 p.c:1:44 two cases of a switch have the value 1",
  ],
  ["int f(void) { return 0; }", "TF182 - there is no function main with a body"],
  ["int main(void) { return 1.5 % 2; }", "TF160 p.c:1:25 operator % cannot be applied to operands of these types"],
  ['int main(void) { __asm__("nop"); return 0; }', "TF257 p.c:1:18 inline assembly is not supported"],
  ["int main(void) { void *p = &&a; a: goto *p; }", "TF253 p.c:1:28 the address of a label is not supported"],
  ["int fork(void); int main(void) { return fork(); }", "TF255 p.c:1:41 fork: threads and processes are not supported"],
])("%s", async (text, expected) => {
  expect(await problem(text)).toBe(expected);
});

/** gcc refuses the same. */
test.each([
  ["const int n = 1;", "n = 2;"],
  ["const int n = 1;", "n++;"],
  ["int const n = 1;", "n += 2;"],
  ["static const int a[2] = { 1 };", "a[0] = 2;"],
  ["const char *s = 0;", "*s = 1;"],
  ["const char *s = 0;", "s[1] = 1;"],
  ["const char *s = 0;", "*(s + 1) = 1;"],
  ["char *const s = 0;", "s++;"],
  ["const char *const *s = 0;", "*s = 0;"],
  ["const char *s[2];", "*s[1] = 0;"],
  ["const struct s v = { 1 };", "v.a = 2;"],
  ["const struct s *p = 0;", "p->a = 2;"],
  ["const struct s *p = 0;", "(*p).a--;"],
])("const: %s %s", async (declaration, assignment) => {
  const struct = "struct s { int a, *b; };";
  const message = await problem(`${struct} int main(void) { ${declaration} ${assignment} return 0; }`);
  expect(message).toMatch(/^TF158 p.c:1:\d+ \w+ is const, so it cannot be changed$/);
});

test("const parameters cannot be changed, and arrays are pointers there", async () => {
  const call = (parameter: string, body: string) =>
    problem(`void f(${parameter}) { ${body} } int main(void) { f(0); return 0; }`);
  expect(await call("const int n", "n++;")).toMatch(/^TF158/);
  expect(await call("const char s[]", "s[0] = 1;")).toMatch(/^TF158/);
  expect(await call("const char s[]", "s++;")).toBe("accepted");
});

test.each([
  ["const char *s = 0;", "s++;"],
  ["const char *s[2];", "s[0] = 0;"],
  ["char *const s = 0;", "*s = 1;"],
  ["const struct s v = { 1 };", "*v.b = 2;"],
  ["const struct s *p = 0;", "p = 0;"],
  ["struct s v; const int *p = &v.a;", "v.a = 2;"],
  ["const int n = 1; { int n; ", "n = 2; }"],
])("not const: %s %s", async (declaration, assignment) => {
  const text = `struct s { int a, *b; }; int main(void) { ${declaration} ${assignment} return 0; }`;
  expect(await problem(text)).toBe("accepted");
});

test("refuses unsupported code only if it can be reached", async () => {
  const unreachable = [
    'void f(void) { __asm__("nop"); } int main(void) { return 0; }',
    'int main(void) { if (0) __asm__("nop"); return 0; __asm__("nop"); }',
    "_Complex double z(void); extern _Complex float c; int main(void) { return 0; }",
    'void f(void) { __asm__("nop"); } void (*table[])(void) = { f }; int main(void) { return 0; }',
  ];
  for (const text of unreachable) expect(await problem(text)).toBe("accepted");
  expect(await problem(`${unreachable[3]!.replace("return 0", "return table[0] != 0")}`)).toMatch(/^TF257/);
});

test("accepts with a warning what gcc accepts with a warning", async () => {
  const accepted = [
    "int main(void) { int *p = 5; int x = p; char *c = p; return x == p; }",
    "int main(void) { return f(1, 2); } int f(int a) { return a; }",
    "main() { return g(); } g(a) { return 1; }",
    "void f(void) { return 1; } int main(void) { f(); return 0; }",
    "int a[]; extern int b[]; int b[3]; int main(void) { return a[0] + sizeof b; }",
    "struct s; struct s *p; struct s { struct s *next; int v; }; int main(void) { return p == 0; }",
  ];
  for (const text of accepted) expect(await problem(text)).toBe("accepted");
});
