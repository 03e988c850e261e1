#include <stdlib.h>
int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int down(const void *a, const void *b) { return up(b, a); }
int (*orders[2])(const void *, const void *) = {up, down};
int sorted(int *values, size_t count, int (*order)(const void *, const void *)) {
  qsort(values, count, sizeof(int), order);
  int changes = 0;
  for (size_t i = 1; i < count; i++) changes += values[i - 1] != values[i];
  return changes;
}
