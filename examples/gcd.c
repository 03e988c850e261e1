// Euclid's algorithm by recursion on two inputs, checked by division: nothing is wrong.
#include <assert.h>
#include <stdio.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned gcd(unsigned a, unsigned b) {
  return b == 0 ? a : gcd(b, a % b);
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  unsigned b = __VERIFIER_nondet_uint();
  unsigned d = gcd(a, b);
  assert(d == 0 || (a % d == 0 && b % d == 0));
  printf("gcd(%u, %u) = %u\n", a, b, d);
  return 0;
}
