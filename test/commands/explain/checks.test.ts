import { describe, expect, it } from "vitest";
import { cFrontEnd } from "../../../src/c/cFrontEnd.ts";
import { atFailedCheck } from "../../../src/commands/explain/findRun.ts";
import { explain } from "../../../src/commands/explain/pipeline.ts";
import { projectOf } from "../../../src/frontEnd/project.ts";
import { frameworkTests, type RunOptions, runTest } from "../../../src/interpreter/run.ts";
import { recordTrace, type Trace } from "../../../src/interpreter/trace.ts";

/** The run as it is explained: at the check that decided the exit status, if there is one. */
async function checked(text: string, run: RunOptions = {}): Promise<Trace> {
  const project = projectOf([{ path: "program.c", text }], {});
  const load = (more: object) => cFrontEnd.load(project, { preprocess: "builtin", ...more });
  const trace = recordTrace(await load({}), { expected: { exit: 0 }, ...run });
  return (await atFailedCheck({ trace, notes: [] }, (checks) => load({ checks }))).trace;
}

async function failureOf(text: string, run?: RunOptions): Promise<string> {
  const { outcome } = await checked(text, run);
  if (outcome.kind === "assertion") return `${outcome.at.range.line}: ${outcome.text}`;
  return outcome.kind;
}

const sum = "static int sum(int a, int b) { return a - b; }\n";

describe("a nonzero exit status leads to the check that failed", () => {
  it("through a counter of failures", async () => {
    const text = `#include <stdio.h>
static int failures;
#define CHECK(c) do { if (!(c)) { printf("no: %s\\n", #c); failures++; } } while (0)
${sum}int main(void) {
  CHECK(sum(0, 0) == 0);
  CHECK(sum(2, 3) == 5);
  CHECK(sum(4, 3) == 7);
  return failures != 0;
}`;
    expect(await failureOf(text)).toBe("7: CHECK(sum(2, 3) == 5)");
  });

  it("through the message that a test returns", async () => {
    const text = `#include <stdio.h>
#define mu_assert(message, test) do { if (!(test)) return message; } while (0)
#define mu_run_test(test) do { char *message = test(); tests_run++; if (message) return message; } while (0)
int tests_run;
${sum}static char *test_zero() { mu_assert("zero", sum(0, 0) == 0); return 0; }
static char *test_five() {
  mu_assert("five", sum(2, 3) == 5);
  return 0;
}
static char *all_tests() { mu_run_test(test_zero); mu_run_test(test_five); return 0; }
int main(void) {
  char *result = all_tests();
  if (result != 0) printf("%s\\n", result);
  return result != 0;
}`;
    expect(await failureOf(text)).toBe('8: mu_assert("five", sum(2, 3) == 5)');
  });

  it("through a function that tests its argument", async () => {
    const text = `#include <stdlib.h>
static void check(int ok, const char *what) { if (!ok) exit(1); }
${sum}int main(void) {
  check(sum(0, 0) == 0, "zero");
  check(sum(2, 3) == 5, "five");
  return 0;
}`;
    expect(await failureOf(text)).toBe("6: sum(2, 3) == 5");
  });

  it("through a function that always fails", async () => {
    const text = `static int failed;
static void fail(const char *why) { failed = 1; }
${sum}static void test_sum(void) {
  if (sum(2, 3) != 5)
    fail("sum");
}
int main(void) {
  test_sum();
  return failed;
}`;
    expect(await failureOf(text)).toBe("5: sum(2, 3) == 5");
  });

  it("through the results of tests that are added", async () => {
    const text = `${sum}static int test_zero(void) { return sum(0, 0) == 0 ? 0 : 1; }
static int test_five(void) {
  if (sum(2, 3) != 5) return 1;
  return 0;
}
int main(void) {
  int failures = 0;
  failures += test_zero();
  failures += test_five();
  if (failures > 0) return 1;
  return 0;
}`;
    expect(await failureOf(text)).toBe("4: sum(2, 3) == 5");
  });

  it("to the oracle's call, not into the oracle", async () => {
    const text = `static int failures;
static int is_sorted(const int *a, int n) {
  for (int i = 1; i < n; i++) if (a[i - 1] > a[i]) return 0;
  return 1;
}
int main(void) {
  int a[] = { 2, 1, 3 };
  if (!is_sorted(a, 3)) failures++;
  return failures ? 1 : 0;
}`;
    expect(await failureOf(text)).toBe("8: is_sorted(a, 3)");
  });

  it("but a status that is computed is explained as it is", async () => {
    expect(await failureOf("int main(int argc, char **argv) { int n = argc * 2; return n + argc; }")).toBe(
      "wrong-exit",
    );
    expect(await failureOf("int main(void) { return 3; }")).toBe("wrong-exit");
  });

  it("and the suspects are not in the tests", async () => {
    const trace = await checked(`static int failures;
#define CHECK(c) do { if (!(c)) failures++; } while (0)
${sum}static void test_sum(void) {
  CHECK(sum(2, 3) == 5);
}
int main(void) {
  test_sum();
  return failures != 0;
}`);
    const explained = explain(trace.program);
    expect(explained.kind === "explained" && explained.suspects[0]?.location.line).toBe(3);
    expect(explained.outcome.message).toBe("check failed: CHECK(sum(2, 3) == 5)");
  });
});

/** A program with one right and one wrong test, `right` and `wrong`, of `length("")` and `length("ab")`. */
const code = `int length(const char *text) {
  int n = 0;
  while (*text++) n = n + 2;
  return n;
}
`;

const frameworks: Readonly<Record<string, readonly [text: string, right: string, wrong: string]>> = {
  Unity: [
    `#include "unity.h"
${code}static int ready;
void setUp(void) { ready = 1; }
void tearDown(void) { ready = 0; }
void test_right(void) { TEST_ASSERT_TRUE(ready); TEST_ASSERT_EQUAL_INT(0, length("")); }
void test_wrong(void) { TEST_ASSERT_EQUAL_INT_MESSAGE(2, length("ab"), "two"); }
int main(void) { UNITY_BEGIN(); RUN_TEST(test_right); RUN_TEST(test_wrong); return UNITY_END(); }`,
    "test_right",
    "test_wrong",
  ],
  "Unity's fixtures": [
    `#include "unity_fixture.h"
${code}TEST_GROUP(text);
TEST_SETUP(text) {}
TEST_TEAR_DOWN(text) {}
TEST(text, right) { TEST_ASSERT_EQUAL(0, length("")); }
TEST(text, wrong) { TEST_ASSERT_EQUAL(2, length("ab")); }
TEST_GROUP_RUNNER(text) { RUN_TEST_CASE(text, right); RUN_TEST_CASE(text, wrong); }
static void all(void) { RUN_TEST_GROUP(text); }
int main(int argc, const char *argv[]) { return UnityMain(argc, argv, all); }`,
    "text.right",
    "text.wrong",
  ],
  greatest: [
    `#include "greatest.h"
${code}TEST right(void) { ASSERT_EQ(0, length("")); PASS(); }
TEST wrong(void) { ASSERT_EQ_FMT(2, length("ab"), "%d"); PASS(); }
SUITE(texts) { RUN_TEST(right); RUN_TEST(wrong); }
GREATEST_MAIN_DEFS();
int main(int argc, char **argv) { GREATEST_MAIN_BEGIN(); RUN_SUITE(texts); GREATEST_MAIN_END(); }`,
    "right",
    "wrong",
  ],
  cmocka: [
    `#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
${code}static int make(void **state) { static int made = 7; *state = &made; return 0; }
static void right(void **state) { assert_int_equal(*(int *)*state, 7); assert_int_equal(length(""), 0); }
static void wrong(void **state) { assert_int_equal(length("ab"), 2); }
int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test_setup(right, make), cmocka_unit_test(wrong) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}`,
    "right",
    "wrong",
  ],
  Check: [
    `#include <check.h>
${code}START_TEST(right) { ck_assert_int_eq(length(""), 0); } END_TEST
START_TEST(wrong) { ck_assert_int_eq(length("ab"), 2); } END_TEST
int main(void) {
  Suite *suite = suite_create("texts");
  TCase *core = tcase_create("core");
  tcase_add_test(core, right);
  tcase_add_test(core, wrong);
  suite_add_tcase(suite, core);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}`,
    "right",
    "wrong",
  ],
  µnit: [
    `#include "munit.h"
${code}static MunitResult right(const MunitParameter p[], void *d) { munit_assert_int(length(""), ==, 0); return MUNIT_OK; }
static MunitResult wrong(const MunitParameter p[], void *d) { munit_assert_int(length("ab"), ==, 2); return MUNIT_OK; }
static MunitTest tests[] = { { "/right", right }, { "/wrong", wrong }, { 0 } };
static const MunitSuite suite = { "/text", tests, NULL, 1, MUNIT_SUITE_OPTION_NONE };
int main(int argc, char *argv[]) { return munit_suite_main(&suite, NULL, argc, argv); }`,
    "/text/right",
    "/text/wrong",
  ],
};

describe.each(Object.entries(frameworks))("the tests of %s", (_, [text, right, wrong]) => {
  it("run one by one, and the failing one is explained alone", async () => {
    const program = await cFrontEnd.load(projectOf([{ path: "test.c", text }], {}));
    const suite = frameworkTests(program, {});
    const results = suite.map((test) => [test.name, runTest(program, test).passes]);
    expect(results).toEqual([
      [right, true],
      [wrong, false],
    ]);
    const explained = explain(program, { run: { test: wrong } });
    const line = text.split("\n").findIndex((each) => each.includes("n + 2")) + 1;
    expect(explained.kind === "explained" && explained.suspects[0]?.location.line).toBe(line);
    expect(explained.outcome.message).toMatch(/^check failed: .*length\("ab"\)/);
  });
});

describe("headers of frameworks", () => {
  it("stay the user's if they are something else", async () => {
    const { frameworkHeader } = await import("../../../src/c/library/libraryFiles.ts");
    expect(frameworkHeader("check.h", "int check(int);")).toBeNull();
    expect(frameworkHeader("check.h", "#define START_TEST(x)")).toContain("ck_assert_int_eq");
    expect(frameworkHeader("vendor/unity.h", null)).toContain("TEST_ASSERT_EQUAL_INT");
    expect(frameworkHeader("stdio.h", null)).toBeNull();
  });
});

describe("wrong output", () => {
  it("is explained by the number that is too short, not by the text behind it", async () => {
    const text = `#include <stdio.h>
static int count(int n) { return n / 4; }
int main(void) { printf("%d solutions\\n", count(7)); return 0; }`;
    const program = await cFrontEnd.load(projectOf([{ path: "program.c", text }], {}));
    for (const compares of ["bytes", "tokens"] as const) {
      const expected = { stdout: Buffer.from("10 solutions\n"), compares };
      const explained = explain(program, { run: { expected } });
      expect(explained.outcome).toMatchObject({ kind: "wrong-output", difference: { offset: 1 } });
      expect(explained.kind === "explained" && explained.failure.condition?.operands).toMatchObject([
        { text: "count(7)", value: "1" },
      ]);
    }
  });
});
