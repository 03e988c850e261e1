// A factorial that leaves the range of int.
#include <stdio.h>

int main(void) {
  int factorial = 1;
  for (int i = 1; i <= 20; i++) {
    factorial *= i;
    printf("%d! = %d\n", i, factorial);
  }
  return 0;
}
