/** A module with one fault, which the comment marks, and what its tests check: an int expression and its value. */
export type FaultyModule = {
  readonly name: string;
  readonly code: string;
  readonly right: readonly (readonly [call: string, value: number])[];
  readonly wrong: readonly [call: string, value: number];
};

export const faultyModules: readonly FaultyModule[] = [
  {
    name: "clamp",
    code: `int clamp(int v, int low, int high) {
  if (v < low) return low;
  if (v > low) return high; // fault
  return v;
}`,
    right: [
      ["clamp(-5, 0, 10)", 0],
      ["clamp(50, 0, 10)", 10],
    ],
    wrong: ["clamp(5, 0, 10)", 5],
  },
  {
    name: "leap",
    code: `int is_leap(int year) {
  if (year % 400 == 0) return 1;
  if (year % 100 == 0) return 1; // fault
  return year % 4 == 0;
}`,
    right: [
      ["is_leap(2000)", 1],
      ["is_leap(2024)", 1],
      ["is_leap(2023)", 0],
    ],
    wrong: ["is_leap(1900)", 0],
  },
  {
    name: "sum",
    code: `int sum(const int *a, int n) {
  int total = 0;
  for (int i = 1; i < n; i++) // fault
    total += a[i];
  return total;
}`,
    right: [
      ["sum((int[]){0}, 1)", 0],
      ["sum((int[]){0, 4}, 2)", 4],
    ],
    wrong: ["sum((int[]){3, 4, 5}, 3)", 12],
  },
  {
    name: "words",
    code: `int words(const char *s) {
  int count = 0, inside = 0;
  for (; *s; s++) {
    if (*s == ' ') continue; // fault
    if (!inside) count++;
    inside = 1;
  }
  return count;
}`,
    right: [
      ['words("")', 0],
      ['words("one")', 1],
    ],
    wrong: ['words("one two")', 2],
  },
  {
    name: "search",
    code: `int find(const int *a, int n, int wanted) {
  int low = 0, high = n - 1;
  while (low < high) { // fault
    int middle = low + (high - low) / 2;
    if (a[middle] == wanted) return middle;
    if (a[middle] < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}`,
    right: [
      ["find((int[]){1, 3, 5}, 3, 3)", 1],
      ["find((int[]){1, 3, 5}, 3, 4)", -1],
    ],
    wrong: ["find((int[]){1, 3, 5}, 3, 5)", 2],
  },
  {
    name: "digits",
    code: `int digits(int n) {
  int count = 0;
  while (n > 9) { // fault
    n /= 10;
    count++;
  }
  return count;
}
int even_digits(int n) { return digits(n) % 2; }`,
    right: [["digits(0) * 0", 0]],
    wrong: ["digits(1234)", 4],
  },
  {
    name: "max",
    code: `int largest(const int *a, int n) {
  int best = 0; // fault
  for (int i = 0; i < n; i++)
    if (a[i] > best) best = a[i];
  return best;
}`,
    right: [
      ["largest((int[]){1, 7, 3}, 3)", 7],
      ["largest((int[]){0}, 1)", 0],
    ],
    wrong: ["largest((int[]){-4, -2, -9}, 3)", -2],
  },
  {
    name: "power",
    code: `int power(int base, int exponent) {
  int result = 1;
  while (exponent > 0) {
    if (exponent % 2 == 1) result *= base;
    base *= 2; // fault
    exponent /= 2;
  }
  return result;
}`,
    right: [
      ["power(5, 0)", 1],
      ["power(7, 1)", 7],
      ["power(2, 3)", 8],
    ],
    wrong: ["power(3, 4)", 81],
  },
  {
    name: "queue",
    code: `struct queue { int items[4]; int first, count; };
static struct queue q;
void reset(void) { q.first = 0; q.count = 0; }
int put(int v) {
  if (q.count == 4) return 0;
  q.items[(q.first + q.count) % 4] = v;
  q.count++;
  return 1;
}
int take(void) {
  if (q.count == 0) return -1;
  int v = q.items[q.first];
  q.first = q.first + 1; // fault
  q.count--;
  return v;
}
int rotate(int rounds) {
  reset();
  put(1);
  for (int i = 0; i < rounds; i++) put(take());
  return q.first;
}`,
    right: [
      ["(reset(), put(5), take())", 5],
      ["(reset(), take())", -1],
    ],
    wrong: ["rotate(4)", 0],
  },
  {
    name: "median",
    code: `static int middle(int a, int b, int c) {
  if (a > b) { int t = a; a = b; b = t; }
  if (b > c) { int t = b; b = c; c = t; }
  if (a > c) { int t = a; a = b; b = t; } // fault
  return b;
}
int median(const int *v) { return middle(v[0], v[1], v[2]); }`,
    right: [
      ["median((int[]){1, 2, 3})", 2],
      ["median((int[]){2, 1, 3})", 2],
    ],
    wrong: ["median((int[]){3, 2, 1})", 2],
  },
];

/** The test functions `right0`, `right1`, … and `wrong`, by how a framework writes them. */
type Writer = (module: FaultyModule) => string;

function testsOf({ right, wrong }: FaultyModule): readonly (readonly [name: string, call: string, value: number])[] {
  return [...right.map(([call, value], i) => [`right${i}`, call, value] as const), ["wrong", ...wrong] as const];
}

export const frameworkWriters: Readonly<Record<string, Writer>> = {
  Unity: (module) => `#include "unity.h"
${module.code}
void setUp(void) {}
void tearDown(void) {}
${testsOf(module)
  .map(([name, call, value]) => `void test_${name}(void) { TEST_ASSERT_EQUAL_INT((${value}), (${call})); }\n`)
  .join("")}int main(void) { UNITY_BEGIN(); ${testsOf(module)
    .map(([name]) => `RUN_TEST(test_${name});`)
    .join(" ")} return UNITY_END(); }`,
  greatest: (module) => `#include "greatest.h"
${module.code}
${testsOf(module)
  .map(([name, call, value]) => `TEST ${name}(void) { ASSERT_EQ((${value}), (${call})); PASS(); }\n`)
  .join("")}SUITE(all) { ${testsOf(module)
    .map(([name]) => `RUN_TEST(${name});`)
    .join(" ")} }
GREATEST_MAIN_DEFS();
int main(int argc, char **argv) { GREATEST_MAIN_BEGIN(); RUN_SUITE(all); GREATEST_MAIN_END(); }`,
  minunit: (module) => `#include <stdio.h>
#define mu_assert(message, test) do { if (!(test)) return message; } while (0)
#define mu_run_test(test) do { char *message = test(); tests_run++; if (message) return message; } while (0)
int tests_run;
${module.code}
${testsOf(module)
  .map(
    ([name, call, value]) =>
      `static char *test_${name}() { mu_assert("${name}", (${call}) == (${value})); return 0; }\n`,
  )
  .join("")}static char *all_tests() { ${testsOf(module)
    .map(([name]) => `mu_run_test(test_${name});`)
    .join(" ")} return 0; }
int main(void) { char *result = all_tests(); if (result) printf("%s\\n", result); return result != 0; }`,
  cmocka: (module) => `#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
${module.code}
${testsOf(module)
  .map(([name, call, value]) => `static void test_${name}(void **state) { assert_int_equal((${call}), (${value})); }\n`)
  .join("")}int main(void) {
  const struct CMUnitTest tests[] = { ${testsOf(module)
    .map(([name]) => `cmocka_unit_test(test_${name})`)
    .join(", ")} };
  return cmocka_run_group_tests(tests, NULL, NULL);
}`,
  Check: (module) => `#include <check.h>
${module.code}
${testsOf(module)
  .map(([name, call, value]) => `START_TEST(test_${name}) { ck_assert_int_eq((${call}), (${value})); } END_TEST\n`)
  .join("")}int main(void) {
  Suite *suite = suite_create("${module.name}");
  TCase *core = tcase_create("core");
  ${testsOf(module)
    .map(([name]) => `tcase_add_test(core, test_${name});`)
    .join(" ")}
  suite_add_tcase(suite, core);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}`,
};
