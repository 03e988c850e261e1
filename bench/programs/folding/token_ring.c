// Two stations pass a token. An outer loop runs rounds, an inner loop wakes one of the stations at a time; when the
// master wakes up twice in a row with the token away, it reports an error and stops.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int token = 0;
int holder = 0;
int waiting = 0;
int err = 0;

void master(void) {
  if (err) return;
  if (holder == 0) {
    token = token + 1;
    holder = 1;
    waiting = 0;
  } else {
    waiting = waiting + 1;
    if (waiting >= 2) err = 1;
  }
}

void transmit(void) {
  if (err) return;
  if (holder == 1) {
    holder = 0;
    waiting = 0;
  }
}

int main(void) {
  int rounds = __VERIFIER_nondet_int();
  int steps = __VERIFIER_nondet_int();
  __VERIFIER_assume(rounds >= 1 && steps >= 1);
  for (int round = 0; round < rounds; round++) {
    for (int step = 0; step < steps; step++) {
      int who = __VERIFIER_nondet_int();
      if (who > 0)
        master();
      else
        transmit();
    }
  }
  assert(err == 0);
  return 0;
}
