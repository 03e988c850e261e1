// Two counters that should stay equal; a reset forgets one of them.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int sent = 0;
  int received = 0;
  for (int i = 0; i < n; i++) {
    sent++;
    received++;
    if (sent == 10) sent = 0;
  }
  assert(sent == received);
  return 0;
}
