/* Recursive puzzles: queens, towers, making change, a gcd. */
#include <assert.h>

#define MAX_QUEENS 8

static int column_of[MAX_QUEENS];

static int safe(int row, int column) {
  for (int r = 0; r < row; r++) {
    int c = column_of[r];
    if (c == column || row - r == column - c || row - r == c - column)
      return 0;
  }
  return 1;
}

static int place(int row, int n) {
  int solutions = 0;
  if (row == n)
    return 1;
  for (int c = 0; c < n; c++) {
    if (safe(row, c)) {
      column_of[row] = c;
      solutions += place(row + 1, n);
    }
  }
  return solutions;
}

struct towers {
  int peg[3];  /* number of disks on each */
  int moves;
};

static void hanoi(struct towers *t, int n, int from, int to) {
  int via = 3 - from - to;
  if (n == 0)
    return;
  hanoi(t, n - 1, from, via);
  t->peg[from]--;
  t->peg[to]++;
  t->moves++;
  hanoi(t, n - 1, via, to);
}

static int ways(int amount, const int *coins, int kinds) {
  if (amount == 0)
    return 1;
  if (amount < 0 || kinds == 0)
    return 0;
  return ways(amount - coins[0], coins, kinds) + ways(amount, coins + 1, kinds - 1);
}

static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }

static int power_mod(int base, int exponent, int m) {
  if (exponent == 0)
    return 1 % m;
  int half = power_mod(base, exponent / 2, m);
  int result = half * half % m;
  if (exponent % 2 == 1)
    result = result * base % m;
  return result;
}

static int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

static void test_queens(void) {
  assert(place(0, 4) == 2);
  assert(place(0, 5) == 10);
  assert(place(0, 3) == 0);
}

static void test_hanoi(void) {
  struct towers t = {{4, 0, 0}, 0};
  hanoi(&t, 4, 0, 2);
  assert(t.moves == 15);
  assert(t.peg[0] == 0 && t.peg[1] == 0 && t.peg[2] == 4);
}

static void test_change(void) {
  static const int coins[] = {10, 5, 2, 1};
  assert(ways(10, coins, 4) == 11);
  assert(ways(3, coins, 3) == 0);
  assert(ways(0, coins, 0) == 1);
}

static void test_gcd(void) {
  assert(gcd(48, 18) == 6);
  assert(gcd(17, 5) == 1);
  assert(gcd(5, 0) == 5);
}

static void test_power(void) {
  assert(power_mod(3, 13, 100) == 23);
  assert(power_mod(7, 0, 1) == 0);
  assert(power_mod(2, 10, 1000) == 24);
}

static void test_ackermann(void) {
  assert(ackermann(2, 3) == 9);
  assert(ackermann(1, 0) == 2);
}

int main(void) {
  test_queens();
  test_hanoi();
  test_change();
  test_gcd();
  test_power();
  test_ackermann();
  return 0;
}
