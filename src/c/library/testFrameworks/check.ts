import { check, comparison, comparisons, macro, prelude, type TestFramework } from "./framework.ts";

const numbers = () =>
  ["int", "uint", "ptr", "float", "double", "ldouble"].flatMap((type) =>
    comparisons.map(([name, operator]) =>
      comparison(`ck_assert_${type}_${name}`, ["a", "b"], ["a", operator, "b"], type === "ptr" ? "(const void *)" : ""),
    ),
  );

const texts = () =>
  ["str", "pstr"].flatMap((type) =>
    comparisons.map(([name, operator]) =>
      check(
        `ck_assert_${type}_${name}`,
        ["a", "b"],
        `strcmp((a), (b)) ${operator} 0`,
        operator === "==" ? `#a " equals " #b` : `#a " ${operator} " #b`,
      ),
    ),
  );

const blocks = () =>
  comparisons.map(([name, operator]) =>
    check(
      `ck_assert_mem_${name}`,
      ["a", "b", "size"],
      `memcmp((a), (b), (size)) ${operator} 0`,
      `"the bytes of " #a " ${operator} those of " #b`,
    ),
  );

const tolerances = () =>
  ["float", "double", "ldouble"].map(
    (type) =>
      check(
        `ck_assert_${type}_eq_tol`,
        ["a", "b", "tolerance"],
        "fabs((double)(a) - (double)(b)) < (double)(tolerance)",
        `#a " == " #b`,
      ) +
      check(
        `ck_assert_${type}_ne_tol`,
        ["a", "b", "tolerance"],
        "fabs((double)(a) - (double)(b)) >= (double)(tolerance)",
        `#a " != " #b`,
      ) +
      check(`ck_assert_${type}_nan`, ["a"], "(a) != (a)", `#a " is NaN"`),
  );

const header = () => `${prelude}
typedef void (*TFun)(int);
typedef void (*SFun)(void);
typedef struct TCase TCase;
typedef struct Suite Suite;
typedef struct SRunner SRunner;
enum print_output { CK_SILENT, CK_MINIMAL, CK_NORMAL, CK_VERBOSE, CK_ENV, CK_LAST };
enum fork_status { CK_FORK_GETENV, CK_FORK, CK_NOFORK };
#define START_TEST(name) static void name(int _i)
#define END_TEST
#define tcase_add_test(tc, test) __tf_add_test((tc), (test), #test, 0, 1)
#define tcase_add_loop_test(tc, test, first, end) __tf_add_test((tc), (test), #test, (first), (end))
#define tcase_add_test_raise_signal(tc, test, signal) ((void)0)
#define tcase_add_exit_test(tc, test, status) ((void)0)
void __tf_add_test(TCase *tc, TFun test, const char *name, int first, int end);
Suite *suite_create(const char *name);
TCase *tcase_create(const char *name);
void suite_add_tcase(Suite *suite, TCase *tc);
void tcase_add_checked_fixture(TCase *tc, SFun setup, SFun teardown);
void tcase_add_unchecked_fixture(TCase *tc, SFun setup, SFun teardown);
SRunner *srunner_create(Suite *suite);
void srunner_add_suite(SRunner *runner, Suite *suite);
void srunner_run_all(SRunner *runner, enum print_output mode);
void srunner_run(SRunner *runner, const char *suite, const char *tc, enum print_output mode);
int srunner_ntests_failed(SRunner *runner);
int srunner_ntests_run(SRunner *runner);
void srunner_free(SRunner *runner);
#define srunner_print(runner, mode) ((void)(runner))
#define tcase_set_timeout(tc, seconds) ((void)(tc))
#define tcase_set_tags(tc, tags) ((void)(tc))
#define srunner_set_fork_status(runner, status) ((void)(runner))
#define srunner_set_log(runner, name) ((void)(runner))
#define srunner_set_xml(runner, name) ((void)(runner))
#define srunner_set_tap(runner, name) ((void)(runner))
${numbers().join("")}${texts().join("")}${blocks().join("")}${tolerances().join("")}${check("ck_assert", ["condition"], "(condition)", "#condition")}${check("ck_assert_ptr_null", ["pointer"], "(pointer) == NULL", `#pointer " == NULL"`)}${check("ck_assert_ptr_nonnull", ["pointer"], "(pointer) != NULL", `#pointer " != NULL"`)}${["ck_assert_msg", "fail_unless"].map((name) => check(name, ["condition", "..."], "(condition)", "#condition")).join("")}${check("fail_if", ["condition", "..."], "!(condition)", `"!(" #condition ")"`)}${macro("ck_abort", [], '__TF_FAIL("ck_abort()")')}${["ck_abort_msg", "fail"].map((name) => macro(name, ["..."], `__TF_FAIL("${name}(" #__VA_ARGS__ ")")`)).join("")}#define mark_point() ((void)0)
`;

const source = `#include <check.h>
struct __tf_test { TFun test; const char *name; int first, end; struct __tf_test *next; };
struct TCase { struct __tf_test *tests, **last; SFun setups[8], teardowns[8], before[8], after[8]; int fixtures, outer; struct TCase *next; };
struct Suite { struct TCase *cases, **last; struct Suite *next; };
struct SRunner { struct Suite *suites, **last; int run; };

Suite *suite_create(const char *name) {
  Suite *made = calloc(1, sizeof *made);
  (void)name;
  made->last = &made->cases;
  return made;
}

TCase *tcase_create(const char *name) {
  TCase *made = calloc(1, sizeof *made);
  (void)name;
  made->last = &made->tests;
  return made;
}

void suite_add_tcase(Suite *suite, TCase *tc) { *suite->last = tc; suite->last = &tc->next; }

void __tf_add_test(TCase *tc, TFun test, const char *name, int first, int end) {
  struct __tf_test *made = calloc(1, sizeof *made);
  made->test = test;
  made->name = name;
  made->first = first;
  made->end = end;
  *tc->last = made;
  tc->last = &made->next;
}

void tcase_add_checked_fixture(TCase *tc, SFun setup, SFun teardown) {
  tc->setups[tc->fixtures] = setup;
  tc->teardowns[tc->fixtures++] = teardown;
}

void tcase_add_unchecked_fixture(TCase *tc, SFun setup, SFun teardown) {
  tc->before[tc->outer] = setup;
  tc->after[tc->outer++] = teardown;
}

SRunner *srunner_create(Suite *suite) {
  SRunner *made = calloc(1, sizeof *made);
  made->last = &made->suites;
  if (suite != NULL) srunner_add_suite(made, suite);
  return made;
}

void srunner_add_suite(SRunner *runner, Suite *suite) { *runner->last = suite; runner->last = &suite->next; }

static void __tf_run_case(SRunner *runner, TCase *tc) {
  for (int i = 0; i < tc->outer; i++) if (tc->before[i] != NULL) tc->before[i]();
  for (struct __tf_test *each = tc->tests; each != NULL; each = each->next) {
    if (!__tf_test_selected(each->name)) continue;
    for (int round = each->first; round < each->end; round++) {
      for (int i = 0; i < tc->fixtures; i++) if (tc->setups[i] != NULL) tc->setups[i]();
      each->test(round);
      for (int i = tc->fixtures; i-- > 0;) if (tc->teardowns[i] != NULL) tc->teardowns[i]();
      runner->run++;
    }
  }
  for (int i = tc->outer; i-- > 0;) if (tc->after[i] != NULL) tc->after[i]();
}

void srunner_run_all(SRunner *runner, enum print_output mode) {
  (void)mode;
  for (Suite *suite = runner->suites; suite != NULL; suite = suite->next)
    for (TCase *tc = suite->cases; tc != NULL; tc = tc->next) __tf_run_case(runner, tc);
}

void srunner_run(SRunner *runner, const char *suite, const char *tc, enum print_output mode) {
  (void)suite;
  (void)tc;
  srunner_run_all(runner, mode);
}

int srunner_ntests_failed(SRunner *runner) { (void)runner; return 0; }
int srunner_ntests_run(SRunner *runner) { return runner->run; }
void srunner_free(SRunner *runner) { (void)runner; }
`;

export const checkFramework: TestFramework = {
  headers: { "check.h": header },
  signature: /srunner_|START_TEST/,
  source,
  mentions: ["srunner_create"],
  files: ["check.c"],
};
