// A driver starts its device with a bounded number of attempts. What goes wrong has gone wrong before the attempts:
// the request was completed although it was pending.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int pending = 0;
int completed = 0;
int NP = 1;
int s = 0;

int control = 0;
int location = 0;

/* Hands a request to the driver below and takes back what it left there. */
int call_lower_driver(int attempt) {
  int next = location % 4 + 1;
  control = 0;
  location = next;
  int answer = __VERIFIER_nondet_int();
  if (attempt % 2 == 1) control = 224;
  if (control != 0) location = location - 1;
  return answer;
}

int start_device(int attempt) {
  int answer = call_lower_driver(attempt);
  if (s != NP) {
    // Only a request that is in order is sent on.
    pending = 0;
    return -1;
  }
  if (answer > 0) return 0;
  return -attempt;
}

int main(void) {
  int bound = __VERIFIER_nondet_int();
  __VERIFIER_assume(bound >= 1);
  pending = 1;
  s = NP;
  completed = 1;
  int status = -1;
  int attempts = 0;
  while (attempts < bound && status != 0) {
    attempts = attempts + 1;
    status = start_device(attempts);
  }
  int result = status;
  if (result != 0) result = -1;
  assert(!(pending == 1 && completed == 1));
  return result;
}
