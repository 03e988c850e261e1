#include <stdio.h>
#include <stdlib.h>
int up(const void *, const void *);
typedef int (*comparison)(const void *, const void *);
extern comparison orders[2];
int sorted(int *values, size_t count, comparison);
int main(void) {
  int v[] = {5, -2, 9, 0, 3, 3, 8};
  for (int k = 0; k < 2; k++) {
    printf("%d:", sorted(v, 7, orders[k]));
    for (int i = 0; i < 7; i++) printf(" %d", v[i]);
    printf("\n");
  }
  int key = 8;
  qsort(v, 7, sizeof *v, up);
  int *found = bsearch(&key, v, 7, sizeof *v, up);
  return (int)(found - v) + (orders[0] == up ? 10 : 20);
}
