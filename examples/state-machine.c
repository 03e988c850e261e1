// A door lock driven by inputs (0 lock, 1 code, 2 handle): it can open while the alarm is on.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum state { LOCKED, UNLOCKED, OPEN };

int main(void) {
  enum state state = LOCKED;
  int attempts = 0;
  int alarm = 0;
  for (int step = 0; step < 8; step++) {
    int event = __VERIFIER_nondet_int();
    switch (state) {
      case LOCKED:
        if (event == 1) {
          state = UNLOCKED;
        } else if (event == 2 && ++attempts >= 3) {
          alarm = 1;
        }
        break;
      case UNLOCKED:
        if (event == 0) state = LOCKED;
        if (event == 2) state = OPEN;
        break;
      case OPEN:
        attempts = 0;
        if (event == 0) state = LOCKED;
        break;
    }
    if (state == OPEN && alarm) reach_error();
  }
  return 0;
}
