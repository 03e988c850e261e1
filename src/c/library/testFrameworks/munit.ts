import { check, macro, prelude, type TestFramework } from "./framework.ts";

const types = [
  "char",
  "uchar",
  "short",
  "ushort",
  "int",
  "uint",
  "long",
  "ulong",
  "llong",
  "ullong",
  "size",
  "float",
  "double",
  "ptr",
  "int8",
  "uint8",
  "int16",
  "uint16",
  "int32",
  "uint32",
  "int64",
  "uint64",
];

const compared = () =>
  types.map((type) => check(`munit_assert_${type}`, ["a", "op", "b"], "(a) op (b)", `#a " " #op " " #b`));

const checks: readonly (readonly [string, readonly string[], string, string])[] = [
  ["munit_assert", ["condition"], "(condition)", "#condition"],
  ["munit_assert_true", ["condition"], "(condition)", "#condition"],
  ["munit_assert_false", ["condition"], "!(condition)", `"!(" #condition ")"`],
  ["munit_assert_null", ["pointer"], "(pointer) == NULL", `#pointer " == NULL"`],
  ["munit_assert_not_null", ["pointer"], "(pointer) != NULL", `#pointer " != NULL"`],
  ["munit_assert_ptr_null", ["pointer"], "(pointer) == NULL", `#pointer " == NULL"`],
  ["munit_assert_ptr_not_null", ["pointer"], "(pointer) != NULL", `#pointer " != NULL"`],
  ["munit_assert_ptr_equal", ["a", "b"], "(const void *)(a) == (const void *)(b)", `#a " == " #b`],
  ["munit_assert_ptr_not_equal", ["a", "b"], "(const void *)(a) != (const void *)(b)", `#a " != " #b`],
  ["munit_assert_string_equal", ["a", "b"], "strcmp((a), (b)) == 0", `#a " equals " #b`],
  ["munit_assert_string_not_equal", ["a", "b"], "strcmp((a), (b)) != 0", `#a " differs from " #b`],
  ["munit_assert_memory_equal", ["size", "a", "b"], "memcmp((a), (b), (size)) == 0", `#a " has the bytes of " #b`],
  [
    "munit_assert_memory_not_equal",
    ["size", "a", "b"],
    "memcmp((a), (b), (size)) != 0",
    `#a " has other bytes than " #b`,
  ],
  [
    "munit_assert_double_equal",
    ["a", "b", "precision"],
    "fabs((double)(a) - (double)(b)) <= pow(10, -(precision))",
    `#a " == " #b`,
  ],
];

const header = () => `${prelude}
#include <stdbool.h>
typedef int8_t munit_int8_t;
typedef uint8_t munit_uint8_t;
typedef int16_t munit_int16_t;
typedef uint16_t munit_uint16_t;
typedef int32_t munit_int32_t;
typedef uint32_t munit_uint32_t;
typedef int64_t munit_int64_t;
typedef uint64_t munit_uint64_t;
#define MUNIT_ARRAY_PARAM(name)
#define MUNIT_UNUSED
#define MUNIT_SIZE_MODIFIER "z"
typedef enum { MUNIT_OK, MUNIT_FAIL, MUNIT_SKIP, MUNIT_ERROR } MunitResult;
typedef enum { MUNIT_LOG_DEBUG, MUNIT_LOG_INFO, MUNIT_LOG_WARNING, MUNIT_LOG_ERROR } MunitLogLevel;
typedef struct { char *name; char *value; } MunitParameter;
typedef struct { char *name; char **values; } MunitParameterEnum;
typedef MunitResult (*MunitTestFunc)(const MunitParameter params[], void *user_data_or_fixture);
typedef void *(*MunitTestSetup)(const MunitParameter params[], void *user_data);
typedef void (*MunitTestTearDown)(void *fixture);
typedef enum { MUNIT_TEST_OPTION_NONE = 0, MUNIT_TEST_OPTION_SINGLE_ITERATION = 1, MUNIT_TEST_OPTION_TODO = 2 } MunitTestOptions;
typedef enum { MUNIT_SUITE_OPTION_NONE = 0 } MunitSuiteOptions;
typedef struct { char *name; MunitTestFunc test; MunitTestSetup setup; MunitTestTearDown tear_down; MunitTestOptions options; MunitParameterEnum *parameters; } MunitTest;
typedef struct MunitSuite_ MunitSuite;
struct MunitSuite_ { char *prefix; MunitTest *tests; MunitSuite *suites; unsigned int iterations; MunitSuiteOptions options; };
int munit_suite_main(const MunitSuite *suite, void *user_data, int argc, char *const argv[]);
#define munit_suite_main_custom(suite, data, argc, argv, arguments) munit_suite_main(suite, data, argc, argv)
const char *munit_parameters_get(const MunitParameter params[], const char *key);
uint32_t munit_rand_uint32(void);
int munit_rand_int_range(int least, int most);
double munit_rand_double(void);
void munit_rand_memory(size_t size, uint8_t *buffer);
#define munit_rand_seed(seed) srand(seed)
#define munit_malloc(size) calloc(1, (size))
#define munit_new(type) ((type *)calloc(1, sizeof(type)))
#define munit_newa(type, count) ((type *)calloc((count), sizeof(type)))
#define munit_log(level, message) ((void)0)
#define munit_logf(level, ...) ((void)0)
${compared().join("")}${checks.map(([name, parameters, condition, stated]) => check(name, parameters, condition, stated)).join("")}${macro("munit_error", ["message"], '__TF_FAIL("munit_error(" #message ")")')}${macro("munit_errorf", ["..."], '__TF_FAIL("munit_errorf(" #__VA_ARGS__ ")")')}${macro("munit_assert_not_reached", [], '__TF_FAIL("munit_assert_not_reached()")')}`;

const source = `#include <munit.h>
uint32_t munit_rand_uint32(void) { return ((uint32_t)rand() << 16) ^ (uint32_t)rand(); }
int munit_rand_int_range(int least, int most) { return least + (int)(munit_rand_uint32() % ((unsigned)most - (unsigned)least + 1u)); }
double munit_rand_double(void) { return rand() / (RAND_MAX + 1.0); }
void munit_rand_memory(size_t size, uint8_t *buffer) { for (size_t i = 0; i < size; i++) buffer[i] = (uint8_t)rand(); }

const char *munit_parameters_get(const MunitParameter params[], const char *key) {
  for (const MunitParameter *each = params; each != NULL && each->name != NULL; each++)
    if (strcmp(each->name, key) == 0) return each->value;
  return NULL;
}

static int __tf_failed(const char *prefix, const MunitTest *test, void *user_data, const MunitParameter *params) {
  (void)prefix;
  void *fixture = test->setup != NULL ? test->setup(params, user_data) : user_data;
  MunitResult result = test->test(params, fixture);
  if (test->tear_down != NULL) test->tear_down(fixture);
  return result == MUNIT_FAIL || result == MUNIT_ERROR;
}

/* Every parameter has its first value, then one after the other each of its other values. */
static int __tf_run_one(const char *prefix, const MunitTest *test, void *user_data) {
  MunitParameter params[17] = {{0}};
  int count = 0;
  for (MunitParameterEnum *each = test->parameters; each != NULL && each->name != NULL && count < 16; each++) {
    params[count].name = each->name;
    params[count++].value = each->values != NULL ? each->values[0] : NULL;
  }
  if (__tf_failed(prefix, test, user_data, params)) return 1;
  for (int i = 0; i < count; i++) {
    char **values = test->parameters[i].values;
    for (int k = 1; values != NULL && values[0] != NULL && values[k] != NULL; k++) {
      params[i].value = values[k];
      if (__tf_failed(prefix, test, user_data, params)) return 1;
    }
    if (values != NULL) params[i].value = values[0];
  }
  return 0;
}

static int __tf_run_suite(const char *prefix, const MunitSuite *suite, void *user_data) {
  char path[256];
  snprintf(path, sizeof path, "%s%s", prefix, suite->prefix != NULL ? suite->prefix : "");
  for (const MunitTest *each = suite->tests; each != NULL && each->test != NULL; each++) {
    char name[512];
    snprintf(name, sizeof name, "%s%s", path, each->name);
    if (__tf_test_selected(name) && __tf_run_one(path, each, user_data)) return 1;
  }
  for (const MunitSuite *each = suite->suites; each != NULL && each->prefix != NULL; each++)
    if (__tf_run_suite(path, each, user_data)) return 1;
  return 0;
}

int munit_suite_main(const MunitSuite *suite, void *user_data, int argc, char *const argv[]) {
  (void)argc;
  (void)argv;
  return __tf_run_suite("", suite, user_data);
}
`;

export const munit: TestFramework = {
  headers: { "munit.h": header },
  signature: /munit_/,
  source,
  mentions: ["munit_suite_main"],
  files: ["munit.c"],
};
