import { expect, test } from "vitest";
import { expectsOutput, testFunctions } from "../../../src/analyses/counterfactual/testCode.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import type { Expected } from "../../../src/interpreter/expected.ts";
import { recordTrace } from "../../../src/interpreter/trace.ts";

const text = `int puts(const char *);
int half(int n) { return n / 2; }
void test_half(void) { half(3); }
int main(void) { test_half(); puts(half(2) == 1 ? "one" : "two"); return 0; }
`;

async function testsOf(expected: Expected | undefined, stdin = "", source = text) {
  const program = await loadCText("half.c", source);
  const given = { stdin: new TextEncoder().encode(stdin) };
  const trace = recordTrace(program, expected === undefined ? given : { ...given, expected });
  return [...testFunctions(trace)].map(({ name }) => name).sort();
}

const output = { stdout: new TextEncoder().encode("one\n"), compares: "tokens" } as const;

test("the function that starts is test code, unless the expected output is the test", async () => {
  expect(await testsOf(undefined)).toEqual(["main", "test_half"]);
  expect(await testsOf({ exit: 0 })).toEqual(["main", "test_half"]);
  expect(await testsOf(output, "2")).toEqual(["test_half"]);
});

test("a function that prints results for values of its own is a test, unless it is the whole program", async () => {
  expect(await testsOf(output)).toEqual(["main", "test_half"]);
  expect(await testsOf(output, "", 'int puts(const char *); int main(void) { puts("two"); return 0; }')).toEqual([]);
});

test("an expected status alone is no expected output", () => {
  expect([{}, { expected: null }, { expected: { exit: 1 } }, { expected: output }].map(expectsOutput)).toEqual([
    false,
    false,
    false,
    true,
  ]);
});
