/* Dynamic programming in two-dimensional tables. */
#include <assert.h>
#include <string.h>

#define MAX_LEN 20

static int min3(int a, int b, int c) {
  int m = a < b ? a : b;
  return m < c ? m : c;
}

static int edit_distance(const char *a, const char *b) {
  int d[MAX_LEN + 1][MAX_LEN + 1];
  int n = (int)strlen(a), m = (int)strlen(b);
  for (int i = 0; i <= n; i++)
    d[i][0] = i;
  for (int j = 0; j <= m; j++)
    d[0][j] = j;
  for (int i = 1; i <= n; i++) {
    for (int j = 1; j <= m; j++) {
      int change = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change);
    }
  }
  return d[n][m];
}

/* Longest common subsequence, written to out; returns its length. */
static int common(const char *a, const char *b, char *out) {
  int l[MAX_LEN + 1][MAX_LEN + 1];
  int n = (int)strlen(a), m = (int)strlen(b);
  memset(l, 0, sizeof l);
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      if (a[i - 1] == b[j - 1])
        l[i][j] = l[i - 1][j - 1] + 1;
      else
        l[i][j] = l[i - 1][j] > l[i][j - 1] ? l[i - 1][j] : l[i][j - 1];
    }
  int at = l[n][m];
  out[at] = '\0';
  while (n > 0 && m > 0) {
    if (a[n - 1] == b[m - 1]) {
      out[--at] = a[n - 1];
      n--;
      m--;
    } else if (l[n - 1][m] >= l[n][m - 1]) {
      n--;
    } else {
      m--;
    }
  }
  return l[(int)strlen(a)][(int)strlen(b)];
}

#define GRID 4

/* Largest sum of a way from the top left to the bottom right, going right or down. */
static int best_path(int grid[GRID][GRID]) {
  int best[GRID][GRID];
  for (int r = 0; r < GRID; r++) {
    for (int c = 0; c < GRID; c++) {
      int from = 0;
      if (r > 0 && c > 0)
        from = best[r - 1][c] > best[r][c - 1] ? best[r - 1][c] : best[r][c - 1];
      else if (r > 0)
        from = best[r - 1][c];
      else if (c > 0)
        from = best[r][c - 1];
      best[r][c] = from + grid[r][c];
    }
  }
  return best[GRID - 1][GRID - 1];
}

static int knapsack(const int *weight, const int *value, int n, int capacity) {
  int best[31] = {0};
  for (int i = 0; i < n; i++)
    for (int w = capacity; w >= weight[i]; w--) {
      int with = best[w - weight[i]] + value[i];
      if (with > best[w])
        best[w] = with;
    }
  return best[capacity];
}

static int longest_rise(const int *a, int n) {
  int length[MAX_LEN], longest = 0;
  for (int i = 0; i < n; i++) {
    length[i] = 1;
    for (int j = 0; j < i; j++)
      if (a[j] < a[i] && length[j] + 1 > length[i])
        length[i] = length[j] + 1;
    if (length[i] > longest)
      longest = length[i];
  }
  return longest;
}

static void test_distance(void) {
  assert(edit_distance("kitten", "sitting") == 3);
  assert(edit_distance("", "abc") == 3);
  assert(edit_distance("abc", "") == 3);
  assert(edit_distance("same", "same") == 0);
  assert(edit_distance("ab", "ba") == 2);
}

static void test_common(void) {
  char out[MAX_LEN + 1];
  assert(common("AGGTAB", "GXTXAYB", out) == 4);
  assert(strcmp(out, "GTAB") == 0);
  assert(common("abc", "xyz", out) == 0);
  assert(out[0] == '\0');
}

static void test_path(void) {
  int grid[GRID][GRID] = {{1, 3, 1, 2}, {1, 5, 1, 9}, {4, 2, 1, 1}, {7, 8, 1, 1}};
  assert(best_path(grid) == 23);
  grid[3][0] = 30;
  assert(best_path(grid) == 46);
}

static void test_knapsack(void) {
  static const int w[] = {5, 4, 6, 3}, v[] = {10, 40, 30, 50};
  assert(knapsack(w, v, 4, 10) == 90);
  assert(knapsack(w, v, 4, 2) == 0);
  assert(knapsack(w, v, 4, 30) == 130);
}

static void test_rise(void) {
  static const int a[] = {10, 9, 2, 5, 3, 7, 7, 101, 18};
  assert(longest_rise(a, 9) == 4);
  assert(longest_rise(a, 2) == 1);
  assert(longest_rise(a, 0) == 0);
}

int main(void) {
  test_distance();
  test_common();
  test_path();
  test_knapsack();
  test_rise();
  return 0;
}
