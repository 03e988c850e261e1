#include <stdio.h>
#define BIG
#include "config.h"
#define value 3
int small(void);
int main(void) {
  typedef int t;
  t big = size();
  printf("%d %d %d\n", big, small(), value);
  return 0;
}
