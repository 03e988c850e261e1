// Which way to turn when another aircraft comes near: one comparison should be strict.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum { NONE, CLIMB, DESCEND };
enum { MINIMUM = 400 };

int own_altitude, other_altitude, own_rate, other_rate;
int vertical_separation, up_separation, down_separation;
int high_confidence, two_reports, other_capability, other_intent, climb_inhibited;
int urgent;

static int threatens(void) {
  return vertical_separation <= MINIMUM;  // wrong: < was meant
}

static int prefers_up(void) {
  int more_room = up_separation > down_separation;
  return climb_inhibited ? 0 : more_room;
}

static int advise(void) {
  int level = own_altitude == other_altitude;
  int closing = own_rate > other_rate;
  int passive = (two_reports != 0) == (other_intent == 0);
  int cooperates = (other_capability == 1) == passive;
  int threat = threatens();
  int advice = NONE;
  if (high_confidence) {
    if (prefers_up()) advice = threat * CLIMB;
    else advice = threat * DESCEND;
  }
  urgent = (level == closing) == cooperates;
  return advice;
}

int main(void) {
  own_altitude = __VERIFIER_nondet_int();
  other_altitude = __VERIFIER_nondet_int();
  own_rate = __VERIFIER_nondet_int();
  other_rate = __VERIFIER_nondet_int();
  vertical_separation = __VERIFIER_nondet_int();
  up_separation = __VERIFIER_nondet_int();
  down_separation = __VERIFIER_nondet_int();
  high_confidence = __VERIFIER_nondet_int();
  two_reports = __VERIFIER_nondet_int();
  other_capability = __VERIFIER_nondet_int();
  other_intent = __VERIFIER_nondet_int();
  climb_inhibited = __VERIFIER_nondet_int();
  int advice = advise();
  assert(advice == NONE || vertical_separation < MINIMUM);
  return 0;
}
