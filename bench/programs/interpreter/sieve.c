/* A static array: the sieve of Eratosthenes. */
#include <stdio.h>
#include "branchLog.h"

enum { size = 2000000 };
static char composite[size];

int main(void) {
  int count = 0;
  for (int i = 2; BRANCH(i < size); i++) {
    if (BRANCH(composite[i])) continue;
    count++;
    for (long j = (long)i * i; BRANCH(j < size); j += i) composite[j] = 1;
  }
  printf("%d\n", count);
  return 0;
}
