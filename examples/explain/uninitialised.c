// The fee is set for two of three kinds of account.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int kind = __VERIFIER_nondet_int();
  int amount = __VERIFIER_nondet_int();
  int fee;
  int total = amount > 100 ? 100 : amount;
  if (kind == 1) fee = 5;
  if (kind == 2) fee = 9;
  total = total + fee;
  printf("%d\n", total);
  return 0;
}
