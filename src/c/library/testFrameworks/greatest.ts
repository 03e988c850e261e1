import { check, comparison, macro, prelude, type TestFramework } from "./framework.ts";

/** Macros that have a form with a message as the first argument. */
const checks: readonly (readonly [string, readonly string[], string, string])[] = [
  ["ASSERT", ["condition"], "(condition)", "#condition"],
  ["ASSERT_FALSE", ["condition"], "!(condition)", `"!(" #condition ")"`],
  ["ASSERT_STR_EQ", ["expected", "got"], "strcmp((got), (expected)) == 0", `#got " equals " #expected`],
  [
    "ASSERT_STRN_EQ",
    ["expected", "got", "size"],
    "strncmp((got), (expected), (size)) == 0",
    `#got " equals " #expected`,
  ],
  [
    "ASSERT_MEM_EQ",
    ["expected", "got", "size"],
    "memcmp((got), (expected), (size)) == 0",
    `#got " has the bytes of " #expected`,
  ],
  [
    "ASSERT_IN_RANGE",
    ["expected", "got", "tolerance"],
    "((got) > (expected) ? (got) - (expected) : (expected) - (got)) <= (tolerance)",
    `#got " is within " #tolerance " of " #expected`,
  ],
  [
    "ASSERT_EQUAL_T",
    ["expected", "got", "type", "data"],
    "(type)->equal((expected), (got), (data))",
    `#got " equals " #expected`,
  ],
];

const compared: readonly (readonly [string, string, readonly string[]])[] = [
  ["ASSERT_EQ", "==", []],
  ["ASSERT_NEQ", "!=", []],
  ["ASSERT_GT", ">", []],
  ["ASSERT_GTE", ">=", []],
  ["ASSERT_LT", "<", []],
  ["ASSERT_LTE", "<=", []],
  ["ASSERT_EQ_FMT", "==", ["format"]],
  ["ASSERT_ENUM_EQ", "==", ["names"]],
];

/** The macro, its form with a message, and the long names of both. */
function named(name: string, parameters: readonly string[], made: (name: string, all: readonly string[]) => string) {
  const forms: readonly (readonly [string, readonly string[]])[] = [
    [name, parameters],
    [`${name}m`, ["message", ...parameters]],
  ];
  return forms.map(([each, all]) => `${made(`GREATEST_${each}`, all)}#define ${each} GREATEST_${each}\n`).join("");
}

const header = () => `${prelude}
enum greatest_test_res { GREATEST_TEST_RES_PASS = 0, GREATEST_TEST_RES_FAIL = -1, GREATEST_TEST_RES_SKIP = 1 };
typedef int (greatest_equal_cb)(const void *expected, const void *got, void *data);
typedef int (greatest_printf_cb)(const void *value, void *data);
typedef struct greatest_type_info { greatest_equal_cb *equal; greatest_printf_cb *print; } greatest_type_info;
typedef const char *greatest_enum_str_fun(int value);
typedef void (greatest_setup_cb)(void *data);
typedef void (greatest_teardown_cb)(void *data);
static greatest_setup_cb *__tf_setup;
static greatest_teardown_cb *__tf_teardown;
static void *__tf_setup_data, *__tf_teardown_data;
${checks.map(([name, parameters, condition, stated]) => named(name, parameters, (each, all) => check(each, all, condition, stated))).join("")}${compared
  .map(([name, operator, more]) =>
    named(name, ["expected", "got", ...more], (each, all) => comparison(each, all, ["got", operator, "expected"])),
  )
  .join("")}
#define ASSERT_OR_LONGJMP GREATEST_ASSERT
#define GREATEST_TEST static enum greatest_test_res
#define GREATEST_SUITE(name) void name(void); void name(void)
#define GREATEST_SUITE_EXTERN(name) void name(void)
#define GREATEST_MAIN_DEFS() struct __tf_greatest
#define GREATEST_MAIN_BEGIN() do { (void)argc; (void)argv; } while (0)
#define GREATEST_INIT() ((void)0)
#define GREATEST_MAIN_END() do { return 0; } while (0)
#define GREATEST_PRINT_REPORT() ((void)0)
#define greatest_all_passed() (1)
#define GREATEST_IS_VERBOSE() (0)
#define greatest_get_verbosity() (0)
#define greatest_set_verbosity(level) ((void)0)
#define GREATEST_FPRINTF fprintf
#define GREATEST_STDOUT stdout
#define GREATEST_SET_SETUP_CB(callback, data) (__tf_setup = (callback), __tf_setup_data = (data))
#define GREATEST_SET_TEARDOWN_CB(callback, data) (__tf_teardown = (callback), __tf_teardown_data = (data))
#define __TF_RUN(name, call) do { if (__tf_test_selected(name)) { if (__tf_setup) __tf_setup(__tf_setup_data); (void)(call); if (__tf_teardown) __tf_teardown(__tf_teardown_data); } } while (0)
#define GREATEST_RUN_TEST(test) __TF_RUN(#test, test())
#define GREATEST_RUN_TEST1(test, argument) __TF_RUN(#test, test(argument))
#define GREATEST_RUN_TESTp(test, ...) __TF_RUN(#test, test(__VA_ARGS__))
#define GREATEST_RUN_SUITE(suite) suite()
#define GREATEST_PASS() return GREATEST_TEST_RES_PASS
#define GREATEST_PASSm(message) return GREATEST_TEST_RES_PASS
#define GREATEST_SKIP() return GREATEST_TEST_RES_SKIP
#define GREATEST_SKIPm(message) return GREATEST_TEST_RES_SKIP
#define GREATEST_FAIL() __TF_FAIL("FAIL()")
#define GREATEST_FAILm(message) __TF_FAIL("FAILm(" #message ")")
#define GREATEST_CHECK_CALL(call) do { enum greatest_test_res __tf_result = (call); if (__tf_result != GREATEST_TEST_RES_PASS) return __tf_result; } while (0)
#define GREATEST_SHUFFLE_SUITES(seed, body) do { body; } while (0)
#define GREATEST_SHUFFLE_TESTS(seed, body) do { body; } while (0)
#define GREATEST_SET_TEST_SUFFIX(suffix) ((void)0)
#define greatest_set_test_suffix(suffix) ((void)0)
${[
  "TEST",
  "SUITE",
  "SUITE_EXTERN",
  "RUN_TEST",
  "RUN_TEST1",
  "RUN_TESTp",
  "RUN_SUITE",
  "PASS",
  "PASSm",
  "SKIP",
  "SKIPm",
  "FAIL",
  "FAILm",
  "CHECK_CALL",
  "SHUFFLE_SUITES",
  "SHUFFLE_TESTS",
]
  .map((name) => `#define ${name} GREATEST_${name}\n`)
  .join("")}#define SET_SETUP GREATEST_SET_SETUP_CB
#define SET_TEARDOWN GREATEST_SET_TEARDOWN_CB
${macro("GREATEST_STRVAR", ["name"], "#name")}`;

export const greatest: TestFramework = {
  headers: { "greatest.h": header },
  signature: /GREATEST_/,
  source: null,
  mentions: [],
  files: [],
};
