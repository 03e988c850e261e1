// Sums an array and reads one element too many.
#include <stdio.h>

int main(void) {
  int prices[] = {30, 12, 8, 45};
  int count = sizeof prices / sizeof prices[0];
  int total = 0;
  for (int i = 0; i <= count; i++) total += prices[i];
  printf("total: %d\n", total);
  return 0;
}
