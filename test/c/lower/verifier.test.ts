import { expect, test } from "vitest";
import { edges, lower, operations } from "./lowered.ts";

test("takes nondeterministic reads as inputs, whether they are defined or not", async () => {
  const text = `extern unsigned char __VERIFIER_nondet_uchar(void); int __VERIFIER_nondet_int(void) { return 4; }
    int main(void) { int x = __VERIFIER_nondet_int(); char c = __VERIFIER_nondet_uchar(); __VERIFIER_nondet_long(); return x + c; }`;
  expect(await operations(text)).toEqual([
    "x = __VERIFIER_nondet_int()",
    "$1 = __VERIFIER_nondet_uchar()",
    "c = $1",
    "$2 = __VERIFIER_nondet_long()",
    "return x + c",
  ]);
});

test("lowers assertions and assumptions to guarded failures", async () => {
  const text = `void __VERIFIER_assert(int c) { if (!c) { ERROR: goto ERROR; } } void __VERIFIER_assume(int);
    int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x  > 0); __VERIFIER_assert(x<5 && x); return 0; }`;
  expect(await edges(text)).toEqual([
    "0 -> 1: x = __VERIFIER_nondet_int()",
    "1 -> 2: [x > 0]",
    "1 -> 6: [x <= 0]",
    "2 -> 3: [x < 5]",
    "2 -> 5: [x >= 5]",
    "3 -> 4: [x]",
    "3 -> 5: [!x]",
    "4 -> 7: return 0",
    "5 -> 7: assert(x<5 && x) fails",
    "6 -> 7: assumption x  > 0 does not hold",
  ]);
});

test("recognises assert from the header and as the C library expands it", async () => {
  expect(
    await operations("#include <assert.h>\nint main(int argc, char **v) { assert(argc == 1); return 0; }"),
  ).toEqual(["[argc == 1]", "[argc != 1]", "return 0", "assert(argc == 1) fails"]);
  const expanded = `void __assert_fail(const char *, const char *, unsigned, const char *);
    int main(int argc, char **v) { ((argc == 1) ? (void)0 : __assert_fail("argc == 1", "p.c", 2, "main")); return 0; }`;
  const program = await lower(expanded);
  const assumes = program.functions[program.entry]!.edges.flatMap(({ operation }) =>
    operation.kind === "assume" ? [operation.origin] : [],
  );
  expect(assumes).toEqual(["assert", "assert"]);
  expect((await operations(expanded)).at(-1)).toBe("assert(argc == 1) fails");
});

test("recognises error locations", async () => {
  const text = `void reach_error(void) { } int main(int argc, char **v) { if (argc == 1) reach_error(); if (argc == 2) goto ERROR; return 0; ERROR: return 1; }`;
  expect(await operations(text)).toEqual([
    "[argc == 1]",
    "[argc != 1]",
    "reach_error reached",
    "[argc == 2]",
    "[argc != 2]",
    "ERROR reached",
    "return 0",
  ]);
});

test("lets the run go on with an error flag", async () => {
  const text = `int main(int argc, char **v) { if (argc == 1) goto ERROR; argc++; __VERIFIER_assert(argc); return 0; ERROR: return 1; }`;
  expect(await edges(text, "main", { errorFlag: true })).toEqual([
    "0 -> 1: [argc == 1]",
    "0 -> 2: [argc != 1]",
    "1 -> 2: err = 1",
    "2 -> 3: argc = argc + 1",
    "3 -> 5: [argc]",
    "3 -> 4: [!argc]",
    "4 -> 5: err = 1",
    "5 -> 6: return 0",
  ]);
  const taken = await lower(`int err; ${text}`, { errorFlag: true });
  expect(taken.variables.map(({ name }) => name)).toContain("__tf_err");
});

test("recognises the end of a run", async () => {
  const text =
    "#include <stdlib.h>\nint main(int c, char **v) { if (c == 1) exit(3); if (c == 2) abort(); if (c == 3) _Exit(c); return 0; }";
  expect((await operations(text)).filter((line) => !line.startsWith("["))).toEqual([
    "exit(3)",
    "abort()",
    "exit(c)",
    "return 0",
  ]);
});

test("takes undefined functions as inputs if allowed, and says so once", async () => {
  const text = `extern int get(int); extern void put(int); extern char *find(void); struct s { int a; char b; }; extern struct s make(void);
    int main(void) { int x = get(1) + get(2); put(x); char *p = find(); struct s s = make(); return s.b; }`;
  const program = await lower(text, { undefined: "input" });
  expect(await operations(text, "main", { undefined: "input" })).toEqual([
    "$1 = get()",
    "$2 = get()",
    "x = $1 + $2",
    "p = find()",
    "struct s s",
    "$4 = make.a()",
    "$3.a = $4",
    "$5 = make.b()",
    "$3.b = $5",
    "s = $3",
    "return s.b",
  ]);
  expect(program.notes.map(({ message }) => message)).toEqual([
    "undefined function get: its result is an input",
    "undefined function put: calls of it have no effect",
    "undefined function find: its result is an input",
    "undefined function make: its result is an input",
  ]);
});
