// A client's handshake: one state per message, a flag that counts the ones that matter, an error when the flag is
// complete in the wrong state. After the error nothing changes the flag any more.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
  int rounds = __VERIFIER_nondet_int();
  __VERIFIER_assume(rounds >= 1);
  int state = 4368;
  int flag = 0;
  int err = 0;
  int resumed = 0;
  int messages = 0;
  while (messages < rounds) {
    int reply = __VERIFIER_nondet_int();
    if (state == 4368) {
      if (flag == 0) flag = 1;
      resumed = reply > 0;
      state = 4384;
    } else if (state == 4384) {
      if (flag == 1) flag = 2;
      if (resumed)
        state = 4512;
      else
        state = 4400;
    } else if (state == 4400) {
      if (flag == 2) flag = 3;
      state = 4416;
    } else if (state == 4416) {
      if (flag == 3) flag = 4;
      state = reply > 0 ? 4432 : 4448;
    } else if (state == 4432) {
      state = 4448;
    } else if (state == 4448) {
      if (flag == 4) err = 1;
      state = 4464;
    } else if (state == 4464) {
      state = reply > 0 ? 4480 : 4512;
    } else if (state == 4480) {
      state = 4512;
    } else {
      state = 4368;
    }
    messages = messages + 1;
  }
  assert(err == 0);
  return 0;
}
