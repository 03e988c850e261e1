// Sums 1 to 100 and checks the closed formula: nothing is wrong.
#include <assert.h>
#include <stdio.h>

int main(void) {
  int sum = 0;
  for (int i = 1; i <= 100; i++) sum += i;
  assert(sum == 100 * 101 / 2);
  printf("sum = %d\n", sum);
  return 0;
}
