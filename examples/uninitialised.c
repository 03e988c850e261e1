// The largest of the inputs; with no input at all the result was never set.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int largest;
  int count = __VERIFIER_nondet_int();
  for (int i = 0; i < count; i++) {
    int value = __VERIFIER_nondet_int();
    if (i == 0 || value > largest) largest = value;
  }
  printf("largest: %d\n", largest);
  return 0;
}
