/* Arrays through pointers: quicksort of pseudorandom numbers. */
#include <stdio.h>
#include <stdlib.h>
#include "branchLog.h"

static void sort(int *from, int *to) {
  while (BRANCH(to - from > 1)) {
    int pivot = from[(to - from) / 2];
    int *low = from, *high = to - 1;
    while (BRANCH(low <= high)) {
      while (BRANCH(*low < pivot)) low++;
      while (BRANCH(*high > pivot)) high--;
      if (BRANCH(low <= high)) {
        int value = *low;
        *low++ = *high;
        *high-- = value;
      }
    }
    sort(from, high + 1);
    from = low;
  }
}

int main(void) {
  int count = 200000;
  int *numbers = malloc(count * sizeof *numbers);
  unsigned state = 1;
  for (int i = 0; BRANCH(i < count); i++) {
    state = state * 1664525u + 1013904223u;
    numbers[i] = state >> 4;
  }
  sort(numbers, numbers + count);
  for (int i = 1; BRANCH(i < count); i++) {
    if (BRANCH(numbers[i - 1] > numbers[i])) return 1;
  }
  printf("%d %d\n", numbers[0], numbers[count - 1]);
  free(numbers);
  return 0;
}
