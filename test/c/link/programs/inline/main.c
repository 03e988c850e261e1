#include <stdio.h>
#include "util.h"
int other(void);
int main(void) {
  int a = counted() * 100 + counted() * 10 + other();
  printf("%d %d %d %d\n", a, counted(), doubled(21), tripled(1));
  int (*f)(int) = doubled, (*g)(int) = tripled;
  printf("%d %d\n", f(4), g(4));
  return 0;
}
