// Counts what it keeps and what it drops, but forgets to count a kind of it.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 500) return 0;
  int kept = 0, dropped = 0, seen = 0;
  for (int i = 0; i < n; i++) {
    int packet = __VERIFIER_nondet_int();
    if (packet > 100) {
      kept++;
      seen++;
    } else {
      dropped++;  // seen++ is missing
    }
  }
  assert(dropped == 0 || seen == n);
  return 0;
}
