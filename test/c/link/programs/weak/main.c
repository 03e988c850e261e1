#include <stdio.h>
__attribute__((weak)) int level(void) { return 1; }
__attribute__((weak)) int limit = 10;
__attribute__((weak)) int only_here(void) { return 3; }
int asked(void);
int main(void) {
  printf("%d %d %d %d\n", level(), limit, only_here(), asked());
  return 0;
}
