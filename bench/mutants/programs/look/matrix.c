/* Small integer matrices. */
#include <assert.h>

#define N 3
typedef int Matrix[N][N];

static void identity(Matrix m) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      m[i][j] = i == j;
}

static void copy(Matrix to, Matrix from) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) to[i][j] = from[i][j];
}

static void multiply(Matrix a, Matrix b, Matrix out) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      int sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[i][k] * b[k][j];
      out[i][j] = sum;
    }
  }
}

static void transpose(Matrix m) {
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++) {
      int t = m[i][j];
      m[i][j] = m[j][i];
      m[j][i] = t;
    }
}

static int trace(Matrix m) {
  int sum = 0;
  for (int i = 0; i < N; i++)
    sum += m[i][i];
  return sum;
}

static int determinant(Matrix m) {
  int det = 0;
  for (int i = 0; i < N; i++) {
    int a = m[1][(i + 1) % N] * m[2][(i + 2) % N];
    int b = m[1][(i + 2) % N] * m[2][(i + 1) % N];
    det += m[0][i] * (a - b);
  }
  return det;
}

static void power(Matrix m, int exponent, Matrix out) {
  Matrix base, next;
  copy(base, m);
  identity(out);
  while (exponent > 0) {
    if (exponent & 1) {
      multiply(out, base, next);
      copy(out, next);
    }
    multiply(base, base, next);
    copy(base, next);
    exponent >>= 1;
  }
}

static int equal(Matrix a, Matrix b) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (a[i][j] != b[i][j])
        return 0;
  return 1;
}

/* The row with the largest sum of absolute values. */
static int heaviest_row(Matrix m) {
  int best = 0, best_sum = -1;
  for (int i = 0; i < N; i++) {
    int sum = 0;
    for (int j = 0; j < N; j++)
      sum += m[i][j] < 0 ? -m[i][j] : m[i][j];
    if (sum > best_sum) {
      best_sum = sum;
      best = i;
    }
  }
  return best;
}

static void test_multiply(void) {
  Matrix a = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  Matrix b = {{1, 0, 2}, {0, 1, 0}, {1, 0, 1}};
  Matrix expected = {{4, 2, 5}, {10, 5, 14}, {16, 8, 23}};
  Matrix c;
  multiply(a, b, c);
  assert(equal(c, expected));
}

static void test_transpose(void) {
  Matrix a = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  transpose(a);
  assert(a[0][1] == 4);
  assert(a[2][0] == 3);
  assert(a[1][1] == 5);
}

static void test_determinant(void) {
  Matrix a = {{2, 0, 1}, {1, 3, 2}, {1, 1, 4}};
  Matrix id;
  identity(id);
  assert(determinant(id) == 1);
  assert(determinant(a) == 18);
}

static void test_power(void) {
  Matrix fib = {{1, 1, 0}, {1, 0, 0}, {0, 0, 1}};
  Matrix out;
  power(fib, 10, out);
  assert(out[0][0] == 89);
  assert(out[0][1] == 55);
  assert(trace(out) == 124);
}

static void test_rows(void) {
  Matrix a = {{1, 2, 3}, {-9, 2, 1}, {4, 4, 3}};
  assert(heaviest_row(a) == 1);
  assert(trace(a) == 6);
}

int main(void) {
  test_multiply();
  test_transpose();
  test_determinant();
  test_power();
  test_rows();
  return 0;
}
