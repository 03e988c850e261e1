import { check, comparison, macro, prelude, type TestFramework } from "./framework.ts";

const checks: readonly (readonly [string, readonly string[], string, string])[] = [
  ["assert_true", ["condition"], "(condition)", "#condition"],
  ["assert_false", ["condition"], "!(condition)", `"!(" #condition ")"`],
  ["assert_null", ["pointer"], "(pointer) == NULL", `#pointer " == NULL"`],
  ["assert_non_null", ["pointer"], "(pointer) != NULL", `#pointer " != NULL"`],
  ["assert_string_equal", ["a", "b"], "strcmp((a), (b)) == 0", `#a " equals " #b`],
  ["assert_string_not_equal", ["a", "b"], "strcmp((a), (b)) != 0", `#a " differs from " #b`],
  ["assert_memory_equal", ["a", "b", "size"], "memcmp((a), (b), (size)) == 0", `#a " has the bytes of " #b`],
  ["assert_memory_not_equal", ["a", "b", "size"], "memcmp((a), (b), (size)) != 0", `#a " has other bytes than " #b`],
  ["assert_float_equal", ["a", "b", "epsilon"], "fabs((double)(a) - (double)(b)) <= (double)(epsilon)", `#a " == " #b`],
  [
    "assert_double_equal",
    ["a", "b", "epsilon"],
    "fabs((double)(a) - (double)(b)) <= (double)(epsilon)",
    `#a " == " #b`,
  ],
  [
    "assert_float_not_equal",
    ["a", "b", "epsilon"],
    "fabs((double)(a) - (double)(b)) > (double)(epsilon)",
    `#a " != " #b`,
  ],
  [
    "assert_in_range",
    ["value", "least", "most"],
    "__tf_in_range((value), (least), (most))",
    `#value " is in " #least " to " #most`,
  ],
  [
    "assert_not_in_range",
    ["value", "least", "most"],
    "!__tf_in_range((value), (least), (most))",
    `#value " is not in " #least " to " #most`,
  ],
  ["assert_in_set", ["value", "set", "count"], "__tf_in_set((value), (set), (count))", `#value " is in " #set`],
  [
    "assert_not_in_set",
    ["value", "set", "count"],
    "!__tf_in_set((value), (set), (count))",
    `#value " is not in " #set`,
  ],
  ["assert_return_code", ["result", "error"], "(result) >= 0", `#result " >= 0"`],
];

const equal = () =>
  ["int", "uint", "ptr"].flatMap((type) => {
    const cast = type === "ptr" ? "(const void *)" : "";
    return [
      comparison(`assert_${type}_equal`, ["a", "b"], ["a", "==", "b"], cast),
      comparison(`assert_${type}_not_equal`, ["a", "b"], ["a", "!=", "b"], cast),
    ];
  });

const expectations = ["value", "not_value", "string", "not_string", "any", "in_range"] as const;

/** `expect_value(function, parameter, value)`, and the same for several calls. */
const expecting = () =>
  expectations
    .map((kind, i) => {
      const values = kind === "any" ? [] : kind === "in_range" ? ["least", "most"] : ["value"];
      const given = (name: string | undefined) => (name === undefined ? "0" : `(uintmax_t)(${name})`);
      const body = (count: string) =>
        `__tf_expect(#function, #parameter, ${i}, ${given(values[0])}, ${given(values[1])}, ${count})`;
      return (
        macro(`expect_${kind}`, ["function", "parameter", ...values], body("1")) +
        macro(`expect_${kind}_count`, ["function", "parameter", ...values, "count"], body("(count)"))
      );
    })
    .join("");

const header = () => `${prelude}
typedef uintmax_t LargestIntegralType;
#define CMOCKA_PRINTF_ATTRIBUTE(format, first)
#define cast_ptr_to_largest_integral_type(value) ((uintmax_t)(uintptr_t)(value))
#define cast_to_largest_integral_type(value) ((uintmax_t)(value))
typedef void (*CMUnitTestFunction)(void **state);
typedef int (*CMFixtureFunction)(void **state);
struct CMUnitTest {
  const char *name;
  CMUnitTestFunction test_func;
  CMFixtureFunction setup_func, teardown_func;
  void *initial_state;
};
static inline int __tf_in_range(uintmax_t value, uintmax_t least, uintmax_t most) { return value >= least && value <= most; }
static inline int __tf_in_set(uintmax_t value, const uintmax_t *set, size_t count) {
  for (size_t i = 0; i < count; i++) if (set[i] == value) return 1;
  return 0;
}
${checks.map(([name, parameters, condition, stated]) => check(name, parameters, condition, stated)).join("")}${equal().join("")}
#define fail() __TF_FAIL("fail()")
#define fail_msg(...) __TF_FAIL("fail_msg(" #__VA_ARGS__ ")")
#define skip() return
#define print_message(...) printf(__VA_ARGS__)
#define print_error(...) fprintf(stderr, __VA_ARGS__)
#define _test_malloc(size, file, line) malloc(size)
#define _test_calloc(count, size, file, line) calloc((count), (size))
#define _test_free(block, file, line) free(block)
#define mock_assert(result, text, file, line) do { if (result) ; else __tf_check_failed(text); } while (0)
#define test_malloc malloc
#define test_calloc calloc
#define test_realloc realloc
#define test_free free
#define cmocka_unit_test(test) { #test, test, NULL, NULL, NULL }
#define cmocka_unit_test_setup(test, setup) { #test, test, setup, NULL, NULL }
#define cmocka_unit_test_teardown(test, teardown) { #test, test, NULL, teardown, NULL }
#define cmocka_unit_test_setup_teardown(test, setup, teardown) { #test, test, setup, teardown, NULL }
#define cmocka_unit_test_prestate(test, state) { #test, test, NULL, NULL, state }
#define cmocka_unit_test_prestate_setup_teardown(test, setup, teardown, state) { #test, test, setup, teardown, state }
#define cmocka_run_group_tests(tests, setup, teardown) _cmocka_run_group_tests(#tests, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown) _cmocka_run_group_tests(name, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)
int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup, CMFixtureFunction teardown);
#define cmocka_set_message_output(output) ((void)0)
#define cmocka_set_test_filter(pattern) ((void)0)
void __tf_expect(const char *function, const char *parameter, int kind, uintmax_t value, uintmax_t other, int count);
int __tf_expected(const char *function, const char *parameter, uintmax_t value);
int __tf_has_mock(const char *function);
uintmax_t __tf_mock(const char *function);
#define will_return(function, value) __tf_expect(#function, NULL, 0, (uintmax_t)(value), 0, 1)
#define will_return_count(function, value, count) __tf_expect(#function, NULL, 0, (uintmax_t)(value), 0, (count))
#define will_return_always(function, value) __tf_expect(#function, NULL, 0, (uintmax_t)(value), 0, -1)
#define will_return_maybe(function, value) __tf_expect(#function, NULL, 0, (uintmax_t)(value), 0, -1)
#define mock() (__tf_has_mock(__func__) ? (void)0 : __tf_check_failed("a value for this call of mock()"), __tf_mock(__func__))
#define mock_type(type) ((type)mock())
#define mock_ptr_type(type) ((type)(uintptr_t)mock())
${expecting()}#define check_expected(parameter) __TF_CHECK(__tf_expected(__func__, #parameter, (uintmax_t)(parameter)), #parameter " is as expected")
#define check_expected_ptr(parameter) __TF_CHECK(__tf_expected(__func__, #parameter, (uintmax_t)(uintptr_t)(parameter)), #parameter " is as expected")
#define expect_function_call(function) __tf_expect(#function, "()", 4, 0, 0, 1)
#define expect_function_calls(function, times) __tf_expect(#function, "()", 4, 0, 0, (times))
#define function_called() __TF_CHECK(__tf_expected(__func__, "()", 0), "this call is expected")
`;

const source = `#include <cmocka.h>
struct __tf_expectation { const char *function, *parameter; int kind; uintmax_t value, other; int count; };
static struct __tf_expectation __tf_expectations[256];
static int __tf_expectation_count;

void __tf_expect(const char *function, const char *parameter, int kind, uintmax_t value, uintmax_t other, int count) {
  struct __tf_expectation made = { function, parameter, kind, value, other, count };
  __TF_CHECK(__tf_expectation_count < 256, "at most 256 expectations");
  __tf_expectations[__tf_expectation_count++] = made;
}

static struct __tf_expectation *__tf_next_expectation(const char *function, const char *parameter) {
  for (int i = 0; i < __tf_expectation_count; i++) {
    struct __tf_expectation *each = &__tf_expectations[i];
    if (each->count == 0 || strcmp(each->function, function) != 0) continue;
    if (parameter == NULL ? each->parameter == NULL : each->parameter != NULL && strcmp(each->parameter, parameter) == 0) return each;
  }
  return NULL;
}

int __tf_has_mock(const char *function) { return __tf_next_expectation(function, NULL) != NULL; }

uintmax_t __tf_mock(const char *function) {
  struct __tf_expectation *next = __tf_next_expectation(function, NULL);
  if (next->count > 0) next->count--;
  return next->value;
}

int __tf_expected(const char *function, const char *parameter, uintmax_t value) {
  struct __tf_expectation *next = __tf_next_expectation(function, parameter);
  if (next == NULL) return 0;
  if (next->count > 0) next->count--;
  switch (next->kind) {
    case 0: return value == next->value;
    case 1: return value != next->value;
    case 2: return strcmp((const char *)(uintptr_t)value, (const char *)(uintptr_t)next->value) == 0;
    case 3: return strcmp((const char *)(uintptr_t)value, (const char *)(uintptr_t)next->value) != 0;
    case 5: return value >= next->value && value <= next->other;
    default: return 1;
  }
}

int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup, CMFixtureFunction teardown) {
  void *shared = NULL;
  (void)name;
  if (setup != NULL && setup(&shared) != 0) return 1;
  for (size_t i = 0; i < count; i++) {
    if (tests[i].name == NULL || !__tf_test_selected(tests[i].name)) continue;
    void *state = tests[i].initial_state != NULL ? tests[i].initial_state : shared;
    __tf_expectation_count = 0;
    if (tests[i].setup_func != NULL && tests[i].setup_func(&state) != 0) return 1;
    tests[i].test_func(&state);
    if (tests[i].teardown_func != NULL && tests[i].teardown_func(&state) != 0) return 1;
  }
  if (teardown != NULL && teardown(&shared) != 0) return 1;
  return 0;
}
`;

export const cmocka: TestFramework = {
  headers: { "cmocka.h": header },
  signature: /CMUnitTest|cmocka_/,
  source,
  mentions: ["cmocka_run_group_tests", "cmocka_run_group_tests_name"],
  files: ["cmocka.c"],
};
