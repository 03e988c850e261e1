// The inner loop leaves x at 1 whatever happened before, so the sum at the end cannot be negative.
#include <assert.h>

int main(void) {
  int i = 0;
  int j;
  int x = 0;
  while (i < 10) {
    x = 0;
    j = i;
    while (j < 10) {
      if (j >= 1)
        x = 1;
      else
        x = -1;
      j = j + 1;
    }
    i = i + 1;
  }
  int y = 0;
  for (int k = 0; k < 10; k++) {
    y = y + x;
  }
  assert(y < 0);
  return 0;
}
