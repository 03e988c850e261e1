/* Permutations, subsets, partitions, a sudoku of size four: backtracking. */
#include <assert.h>
#include <string.h>

/* Next permutation in lexical order; 0 after the last. */
static int next_permutation(int *a, int n) {
  int i = n - 2, j = n - 1;
  while (i >= 0 && a[i] >= a[i + 1])
    i--;
  if (i < 0)
    return 0;
  while (a[j] <= a[i])
    j--;
  int t = a[i];
  a[i] = a[j];
  a[j] = t;
  for (int lo = i + 1, hi = n - 1; lo < hi; lo++, hi--) {
    t = a[lo];
    a[lo] = a[hi];
    a[hi] = t;
  }
  return 1;
}

/* How many subsets of a have that sum. */
static int subsets_with_sum(const int *a, int n, int sum) {
  if (n == 0)
    return sum == 0;
  return subsets_with_sum(a + 1, n - 1, sum) + subsets_with_sum(a + 1, n - 1, sum - a[0]);
}

static long binomial(int n, int k) {
  if (k < 0 || k > n)
    return 0;
  if (k == 0 || k == n)
    return 1;
  return binomial(n - 1, k - 1) + binomial(n - 1, k);
}

/* Ways to write n as a sum of parts that are at most max. */
static int partitions(int n, int max) {
  int count = 0;
  if (n == 0)
    return 1;
  for (int part = 1; part <= max && part <= n; part++)
    count += partitions(n - part, part);
  return count;
}

static int balanced(const char *s, int depth) {
  if (*s == '\0')
    return depth == 0;
  if (*s == '(')
    return balanced(s + 1, depth + 1);
  if (*s == ')' && depth > 0)
    return balanced(s + 1, depth - 1);
  return 0;
}

#define SIDE 4

static int allowed(int g[SIDE][SIDE], int row, int col, int digit) {
  int top = row / 2 * 2, left = col / 2 * 2;
  for (int i = 0; i < SIDE; i++) {
    if (g[row][i] == digit || g[i][col] == digit)
      return 0;
    if (g[top + i / 2][left + i % 2] == digit)
      return 0;
  }
  return 1;
}

static int tried;

static int sudoku(int g[SIDE][SIDE], int at) {
  int row = at / SIDE, col = at % SIDE;
  if (at == SIDE * SIDE)
    return 1;
  if (g[row][col] != 0)
    return sudoku(g, at + 1);
  for (int digit = 1; digit <= SIDE; digit++) {
    if (!allowed(g, row, col, digit))
      continue;
    tried++;
    g[row][col] = digit;
    if (sudoku(g, at + 1))
      return 1;
    g[row][col] = 0;
  }
  return 0;
}

static void test_permutations(void) {
  int a[] = {1, 2, 3, 4}, count = 1;
  assert(next_permutation(a, 4));
  assert(a[2] == 4 && a[3] == 3);
  count++;
  while (next_permutation(a, 4))
    count++;
  assert(count == 24);
  assert(a[0] == 4);
}

static void test_repeated(void) {
  int a[] = {1, 2, 2}, count = 1;
  while (next_permutation(a, 3))
    count++;
  assert(count == 3);
}

static void test_subsets(void) {
  static const int a[] = {1, 2, 3, 4, 5};
  assert(subsets_with_sum(a, 5, 7) == 3);
  assert(subsets_with_sum(a, 5, 16) == 0);
  assert(subsets_with_sum(a, 0, 0) == 1);
}

static void test_counting(void) {
  assert(binomial(6, 2) == 15);
  assert(binomial(5, 5) == 1);
  assert(binomial(3, 4) == 0);
  assert(partitions(6, 6) == 11);
  assert(partitions(6, 2) == 4);
}

static void test_balanced(void) {
  assert(balanced("(()())", 0));
  assert(!balanced("(()", 0));
  assert(!balanced("())(", 0));
  assert(balanced("", 0));
  assert(!balanced("(a)", 0));
}

static void test_sudoku(void) {
  int g[SIDE][SIDE] = {{1, 0, 0, 0}, {0, 0, 3, 0}, {0, 4, 0, 0}, {0, 0, 0, 2}};
  int wrong[SIDE][SIDE] = {{1, 2, 3, 0}, {0, 0, 0, 4}};
  tried = 0;
  assert(sudoku(g, 0));
  assert(g[0][3] == 4);
  assert(g[1][0] == 4 && g[3][0] == 3);
  assert(g[3][2] == 4);
  assert(tried >= 12);
  assert(!sudoku(wrong, 0));
  assert(wrong[0][3] == 0);
}

int main(void) {
  test_permutations();
  test_repeated();
  test_subsets();
  test_counting();
  test_balanced();
  test_sudoku();
  return 0;
}
