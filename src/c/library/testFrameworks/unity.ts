import { check, comparison, macro, prelude, type TestFramework } from "./framework.ts";

/** Macros without a message, and the same with one as the last argument. */
function both(name: string, parameters: readonly string[], made: (name: string, all: readonly string[]) => string) {
  return made(name, parameters) + made(`${name}_MESSAGE`, [...parameters, "message"]);
}

const integers = (): readonly (readonly [string, string])[] => [
  ...["", "8", "16", "32", "64"].flatMap((bits): (readonly [string, string])[] => {
    const type = bits === "" ? "" : `int${bits}_t`;
    const unsigned = bits === "" ? "" : `uint${bits}_t`;
    return [
      [`INT${bits}`, type === "" ? "" : `(${type})`],
      [`UINT${bits}`, unsigned === "" ? "" : `(${unsigned})`],
      [`HEX${bits}`, unsigned === "" ? "" : `(${unsigned})`],
    ];
  }),
  ["size_t", "(size_t)"],
  ["CHAR", "(char)"],
  ["PTR", "(const void *)"],
];

const equalities = () =>
  integers()
    .flatMap(([type, cast]) => [
      both(`TEST_ASSERT_EQUAL_${type}`, ["expected", "actual"], (name, all) =>
        comparison(name, all, ["actual", "==", "expected"], cast),
      ),
      both(`TEST_ASSERT_NOT_EQUAL_${type}`, ["expected", "actual"], (name, all) =>
        comparison(name, all, ["actual", "!=", "expected"], cast),
      ),
      both(`TEST_ASSERT_EQUAL_${type}_ARRAY`, ["expected", "actual", "count"], (name, all) => array(name, all, false)),
      both(`TEST_ASSERT_EACH_EQUAL_${type}`, ["expected", "actual", "count"], (name, all) => array(name, all, true)),
      ...thresholds(type, cast),
      both(`TEST_ASSERT_${type}_WITHIN`, ["delta", "expected", "actual"], (name, all) =>
        check(name, all, within("actual", "expected", "delta"), `#actual " is within " #delta " of " #expected`),
      ),
    ])
    .join("");

function thresholds(type: string, cast: string): readonly string[] {
  const kinds = [
    ["GREATER_THAN", ">"],
    ["GREATER_OR_EQUAL", ">="],
    ["LESS_THAN", "<"],
    ["LESS_OR_EQUAL", "<="],
  ] as const;
  return kinds.map(([words, operator]) =>
    both(`TEST_ASSERT_${words}_${type}`, ["threshold", "actual"], (name, all) =>
      comparison(name, all, ["actual", operator, "threshold"], cast),
    ),
  );
}

function within(a: string, b: string, delta: string): string {
  return `((a) > (b) ? (a) - (b) : (b) - (a)) <= (delta)`
    .replaceAll("(a)", `(${a})`)
    .replaceAll("(b)", `(${b})`)
    .replaceAll("(delta)", `(${delta})`);
}

function array(name: string, parameters: readonly string[], each: boolean): string {
  const wanted = each ? "(expected)" : "(expected)[__tf_index]";
  const body = `do { for (size_t __tf_index = 0; __tf_index < (size_t)(count); __tf_index++) __TF_CHECK((actual)[__tf_index] == ${wanted}, #actual "[i] == " #expected "${each ? "" : "[i]"}"); } while (0)`;
  return macro(name, parameters, body);
}

const floats = () =>
  (["FLOAT", "DOUBLE"] as const)
    .flatMap((type) => [
      both(`TEST_ASSERT_EQUAL_${type}`, ["expected", "actual"], (name, all) =>
        check(
          name,
          all,
          `fabs((double)(actual) - (double)(expected)) <= fabs((double)(expected)) * ${type === "FLOAT" ? "1e-5" : "1e-12"}`,
          `#actual " == " #expected`,
        ),
      ),
      both(`TEST_ASSERT_${type}_WITHIN`, ["delta", "expected", "actual"], (name, all) =>
        check(
          name,
          all,
          "fabs((double)(actual) - (double)(expected)) <= (double)(delta)",
          `#actual " is within " #delta " of " #expected`,
        ),
      ),
      both(`TEST_ASSERT_${type}_IS_NAN`, ["actual"], (name, all) =>
        check(name, all, "(actual) != (actual)", `#actual " is NaN"`),
      ),
    ])
    .join("");

const truths = [
  ["TEST_ASSERT", "condition", "(condition)", "#condition"],
  ["TEST_ASSERT_TRUE", "condition", "(condition)", "#condition"],
  ["TEST_ASSERT_UNLESS", "condition", "!(condition)", `"!(" #condition ")"`],
  ["TEST_ASSERT_FALSE", "condition", "!(condition)", `"!(" #condition ")"`],
  ["TEST_ASSERT_NULL", "pointer", "(pointer) == NULL", `#pointer " == NULL"`],
  ["TEST_ASSERT_NOT_NULL", "pointer", "(pointer) != NULL", `#pointer " != NULL"`],
  ["TEST_ASSERT_EMPTY", "text", "*(text) == 0", `#text " is empty"`],
  ["TEST_ASSERT_NOT_EMPTY", "text", "*(text) != 0", `#text " is not empty"`],
] as const;

const texts = () => [
  both("TEST_ASSERT_EQUAL_STRING", ["expected", "actual"], (name, all) =>
    check(name, all, "strcmp((actual), (expected)) == 0", `#actual " equals " #expected`),
  ),
  both("TEST_ASSERT_EQUAL_STRING_LEN", ["expected", "actual", "count"], (name, all) =>
    check(name, all, "strncmp((actual), (expected), (count)) == 0", `#actual " equals " #expected`),
  ),
  both("TEST_ASSERT_EQUAL_MEMORY", ["expected", "actual", "count"], (name, all) =>
    check(name, all, "memcmp((actual), (expected), (count)) == 0", `#actual " has the bytes of " #expected`),
  ),
  both("TEST_ASSERT_EQUAL_STRING_ARRAY", ["expected", "actual", "count"], (name, all) =>
    macro(
      name,
      all,
      `do { for (size_t __tf_index = 0; __tf_index < (size_t)(count); __tf_index++) __TF_CHECK(strcmp((actual)[__tf_index], (expected)[__tf_index]) == 0, #actual "[i] equals " #expected "[i]"); } while (0)`,
    ),
  ),
  both("TEST_ASSERT_BITS", ["mask", "expected", "actual"], (name, all) =>
    check(name, all, "((actual) & (mask)) == ((expected) & (mask))", `#actual " & " #mask " == " #expected`),
  ),
];

const header = () => `${prelude}
void setUp(void);
void tearDown(void);
typedef void (*UnityTestFunction)(void);
${truths.map(([name, parameter, condition, stated]) => both(name, [parameter], (each, all) => check(each, all, condition, stated))).join("")}${equalities()}${floats()}${texts().join("")}
#define TEST_ASSERT_EQUAL TEST_ASSERT_EQUAL_INT
#define TEST_ASSERT_EQUAL_MESSAGE TEST_ASSERT_EQUAL_INT_MESSAGE
#define TEST_ASSERT_NOT_EQUAL TEST_ASSERT_NOT_EQUAL_INT
#define TEST_ASSERT_NOT_EQUAL_MESSAGE TEST_ASSERT_NOT_EQUAL_INT_MESSAGE
#define TEST_ASSERT_GREATER_THAN TEST_ASSERT_GREATER_THAN_INT
#define TEST_ASSERT_LESS_THAN TEST_ASSERT_LESS_THAN_INT
#define TEST_ASSERT_GREATER_OR_EQUAL TEST_ASSERT_GREATER_OR_EQUAL_INT
#define TEST_ASSERT_LESS_OR_EQUAL TEST_ASSERT_LESS_OR_EQUAL_INT
#define TEST_FAIL() __TF_FAIL("TEST_FAIL()")
#define TEST_FAIL_MESSAGE(message) __TF_FAIL("TEST_FAIL_MESSAGE(" #message ")")
#define TEST_IGNORE() return
#define TEST_IGNORE_MESSAGE(message) return
#define TEST_PASS() return
#define TEST_PASS_MESSAGE(message) return
#define TEST_MESSAGE(message) ((void)0)
#define TEST_PRINTF(...) ((void)0)
#define TEST_PROTECT() 1
#define TEST_CASE(...)
#define TEST_RANGE(...)
#define UNITY_BEGIN() ((void)0)
#define UnityBegin(file) ((void)0)
#define UNITY_END() (0)
#define UnityEnd() (0)
#define RUN_TEST(test, ...) do { if (__tf_test_selected(#test)) { setUp(); test(); tearDown(); } } while (0)
`;

const fixtures = `#pragma once
#include <unity.h>
#define TEST_GROUP(group) struct __tf_group_##group
#define TEST_SETUP(group) void TEST_##group##_SETUP(void); void TEST_##group##_SETUP(void)
#define TEST_TEAR_DOWN(group) void TEST_##group##_TEAR_DOWN(void); void TEST_##group##_TEAR_DOWN(void)
#define TEST(group, name) void TEST_##group##_##name##_(void); void TEST_##group##_##name##_(void)
#define IGNORE_TEST(group, name) static void __tf_ignored_##group##_##name(void)
#define TEST_GROUP_RUNNER(group) void TEST_##group##_GROUP_RUNNER(void); void TEST_##group##_GROUP_RUNNER(void)
#define RUN_TEST_GROUP(group) do { void TEST_##group##_GROUP_RUNNER(void); TEST_##group##_GROUP_RUNNER(); } while (0)
#define RUN_TEST_CASE(group, name) do { void TEST_##group##_SETUP(void); void TEST_##group##_TEAR_DOWN(void); void TEST_##group##_##name##_(void); \\
  if (__tf_test_selected(#group "." #name)) { TEST_##group##_SETUP(); TEST_##group##_##name##_(); TEST_##group##_TEAR_DOWN(); } } while (0)
static inline int UnityMain(int argc, const char *argv[], void (*runAllTests)(void)) { (void)argc; (void)argv; runAllTests(); return 0; }
`;

export const unity: TestFramework = {
  headers: { "unity.h": header, "unity_fixture.h": () => fixtures },
  signature: /UNITY_|Unity/,
  source: "void setUp(void) {}\nvoid tearDown(void) {}\n",
  mentions: ["RUN_TEST", "RUN_TEST_CASE"],
  files: ["unity.c", "unity_fixture.c", "unity_memory.c"],
};
