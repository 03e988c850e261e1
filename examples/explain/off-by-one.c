// Sums the numbers below n, and n itself.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  int rounds = 0;
  for (int i = 0; i <= n; i++) rounds++;
  assert(rounds == n);
  return 0;
}
