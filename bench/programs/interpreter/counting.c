/* The plainest integer loop: 32-bit arithmetic and nothing else. */
#include <stdio.h>
#include "branchLog.h"

int main(void) {
  int sum = 0;
  unsigned hash = 17;
  for (int i = 0; BRANCH(i < 10000000); i++) {
    sum = (sum + i) & 65535;
    hash = hash * 31 + sum;
  }
  printf("%d %u\n", sum, hash);
  return 0;
}
