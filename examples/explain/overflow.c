// The middle of two indices that are both large.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int low = __VERIFIER_nondet_int();
  int high = __VERIFIER_nondet_int();
  int tries = __VERIFIER_nondet_int();
  if (low < 0 || high < low) return 0;
  int limit = tries > 3 ? 3 : tries;
  int middle = (low + high) / 2;
  assert(middle >= low && middle <= high);
  return limit;
}
