// Binary search over standard input: numbers in order, then the one to look for. Nothing is wrong.
#include <stdio.h>

int main(void) {
  int cells[32];
  int count = 0;
  int wanted = 0;
  while (count < 32 && scanf("%d", &cells[count]) == 1 && cells[count] >= 0) count++;
  if (scanf("%d", &wanted) != 1) return 2;
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (cells[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  if (low < count && cells[low] == wanted) printf("%d is at %d\n", wanted, low);
  else printf("%d is not there\n", wanted);
  return 0;
}
