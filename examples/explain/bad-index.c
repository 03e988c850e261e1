// The last of some readings is looked for one cell too far.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int last_of(const int readings[], int count) {
  int last = count;  // wrong: count - 1 was meant
  return readings[last];
}

int main(void) {
  int readings[6] = {0};
  int highest = 0;
  for (int i = 0; i < 6; i++) {
    readings[i] = __VERIFIER_nondet_int();
    if (readings[i] > highest) highest = readings[i];
  }
  int newest = last_of(readings, 6);
  return newest == highest;
}
