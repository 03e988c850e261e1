/* Arrays of arrays through pointers to rows: matrix product of doubles and ints. */
#include <stdio.h>
#include "branchLog.h"

enum { n = 120 };

static void product(double a[n][n], double b[n][n], double c[n][n]) {
  for (int i = 0; BRANCH(i < n); i++) {
    for (int j = 0; BRANCH(j < n); j++) {
      double sum = 0;
      for (int k = 0; BRANCH(k < n); k++) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  }
}

int main(void) {
  double a[n][n], b[n][n], c[n][n];
  for (int i = 0; BRANCH(i < n); i++) {
    for (int j = 0; BRANCH(j < n); j++) {
      a[i][j] = i + j;
      b[i][j] = i - j;
    }
  }
  product(a, b, c);
  product(c, b, a);
  printf("%g %g\n", a[1][2], a[n - 1][n - 1]);
  return 0;
}
