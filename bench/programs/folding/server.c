// A server that accepts a session with a bad version before its loop: the loop may report other errors, but it never
// takes the first one back.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
  int rounds = __VERIFIER_nondet_int();
  __VERIFIER_assume(rounds >= 0);
  int version = __VERIFIER_nondet_int();
  int err = 0;
  int state = 8464;
  int cipher = 0;
  int blocked = 0;
  int sent = 0;
  if (version != 3) err = 1;
  while (sent < rounds) {
    int reply = __VERIFIER_nondet_int();
    switch (state) {
      case 8464:
        cipher = reply > 0 ? 1 : 2;
        state = 8496;
        break;
      case 8496:
        if (cipher == 1)
          state = 8512;
        else
          state = 8528;
        break;
      case 8512:
        blocked = blocked + 1;
        if (blocked > 4) blocked = 0;
        state = 8544;
        break;
      case 8528:
        if (reply == 7) cipher = 3;
        state = 8544;
        break;
      case 8544:
        if (cipher == 3) err = 1;
        state = 8560;
        break;
      case 8560:
        state = reply > 0 ? 8576 : 8464;
        break;
      default:
        state = 8464;
        break;
    }
    sent = sent + 1;
  }
  assert(err == 0);
  return 0;
}
