// Counts the pairs below the diagonal of an n by n grid; the inner bound is off by one.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n <= 50);
  unsigned pairs = 0;
  for (unsigned row = 0; row < n; row++) {
    for (unsigned column = 0; column <= row; column++) pairs++;
  }
  assert(pairs == n * (n - 1) / 2);
  return 0;
}
