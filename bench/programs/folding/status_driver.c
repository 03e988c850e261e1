// A driver loop that sets a status to zero or to an error; the error is handed on and is not the one expected.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int nt_status = 0;

int hand_on(int status) {
  if (status == 0) return 0;
  return status;
}

int main(void) {
  int bound = __VERIFIER_nondet_int();
  __VERIFIER_assume(bound >= 1);
  int drive = 0;
  while (drive < bound) {
    int found = __VERIFIER_nondet_int();
    if (found > 0) {
      nt_status = 0;
      break;
    }
    nt_status = -1073741823;
    drive = drive + 1;
  }
  int status = hand_on(nt_status);
  assert(status == 0 || status == 259);
  return 0;
}
