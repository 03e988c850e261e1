/* Calls: naive recursion, and a local whose address is passed down. */
#include <stdio.h>
#include "branchLog.h"

static int fibonacci(int n) {
  if (BRANCH(n < 2)) return n;
  return fibonacci(n - 1) + fibonacci(n - 2);
}

static void divide(int a, int b, int *quotient, int *remainder) {
  *quotient = a / b;
  *remainder = a % b;
}

int main(void) {
  int sum = 0;
  for (int i = 1; BRANCH(i < 300000); i++) {
    int quotient, remainder;
    divide(1000000, i, &quotient, &remainder);
    sum = (sum + quotient - remainder) % 1000003;
  }
  printf("%d %d\n", fibonacci(28), sum);
  return 0;
}
