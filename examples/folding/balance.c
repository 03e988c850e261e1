// A value is added and taken away again each round; from the second round on it is the last one read, never zero.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 0);
  int x = 0;
  int y = 0;
  int err = 0;
  for (int i = 0; i < n; i++) {
    x = x - y;
    if (x != 0) err = 1;
    y = __VERIFIER_nondet_int();
    __VERIFIER_assume(y != 0);
    x = x + y;
    if (x == 0) err = 1;
  }
  assert(x == 0 || err != 0);
  return 0;
}
