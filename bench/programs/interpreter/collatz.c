/* Integer loops without memory: the longest Collatz chain below a bound. */
#include <stdio.h>
#include "branchLog.h"

int main(void) {
  int best = 0, start = 0;
  for (int n = 1; BRANCH(n < 60000); n++) {
    long value = n;
    int length = 1;
    while (BRANCH(value != 1)) {
      if (BRANCH(value % 2 == 0)) value = value / 2;
      else value = 3 * value + 1;
      length++;
    }
    if (BRANCH(length > best)) {
      best = length;
      start = n;
    }
  }
  printf("%d %d\n", start, best);
  return 0;
}
