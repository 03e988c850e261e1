// A server that accepts a session with a bad version before its loop: the loop may report other errors, but it never
// takes the first one back. Its states are told apart by a chain of comparisons, as in the server it is modelled on.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

// The session.
static int state = 8464;
static int next_state;
static int cipher;
static int blocked;
static int resumed;

int main(void) {
  int rounds = __VERIFIER_nondet_int();
  __VERIFIER_assume(rounds >= 0);
  int version = __VERIFIER_nondet_int();
  int err = 0;
  int sent = 0;
  if (version != 3) err = 1;
  while (sent < rounds) {
    int reply = __VERIFIER_nondet_int();
    if (state == 12292) {
      resumed = 1;
      state = 8464;
    } else if (state == 16384) {
      state = 8464;
    } else if (state == 8192) {
      state = 8464;
    } else if (state == 24576) {
      state = 8464;
    } else if (state == 8195) {
      state = 8464;
    } else if (state == 8480) {
      blocked = 0;
      next_state = 8482;
      state = 8448;
    } else if (state == 8481) {
      state = 8482;
    } else if (state == 8482) {
      state = 3;
    } else if (state == 8464) {
      cipher = reply > 0 ? 1 : 2;
      state = 8496;
    } else if (state == 8465) {
      state = 8496;
    } else if (state == 8466) {
      state = 8496;
    } else if (state == 8496) {
      state = resumed == 1 ? 8656 : 8512;
    } else if (state == 8497) {
      state = 8512;
    } else if (state == 8512) {
      if (cipher == 3) err = 1;
      state = 8528;
    } else if (state == 8513) {
      state = 8528;
    } else if (state == 8528) {
      if (reply == 7) cipher = 3;
      state = 8544;
    } else if (state == 8529) {
      state = 8544;
    } else if (state == 8544) {
      state = cipher == 1 ? 8576 : 8560;
    } else if (state == 8545) {
      state = 8560;
    } else if (state == 8560) {
      next_state = 8576;
      state = 8448;
    } else if (state == 8561) {
      state = 8448;
    } else if (state == 8448) {
      blocked = blocked + 1;
      if (blocked > 4) blocked = 0;
      state = next_state;
    } else if (state == 8576) {
      state = 8592;
    } else if (state == 8577) {
      state = 8592;
    } else if (state == 8592) {
      state = reply == 9 ? 8656 : 8608;
    } else if (state == 8608) {
      state = 8640;
    } else if (state == 8640) {
      state = resumed == 1 ? 3 : 8656;
    } else if (state == 8656) {
      next_state = 8480;
      state = 8672;
    } else if (state == 8672) {
      state = resumed == 1 ? 8640 : 3;
    } else if (state == 3) {
      resumed = 0;
      state = 8464;
    }
    sent = sent + 1;
  }
  assert(err == 0);
  return 0;
}
