// One counter goes up by one, the other by two: the second is never behind, so the assertion fails for every n.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0);
  int i = 0;
  int j = 0;
  while (i != n) {
    i = i + 1;
    j = j + 2;
  }
  assert(j < n);
  return 0;
}
