// Which way to turn when another aircraft comes near: one comparison should be strict.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum { NONE, CLIMB, DESCEND };

int own_altitude, other_altitude, own_rate, other_rate;
int vertical_separation, up_separation, down_separation;
int high_confidence, two_reports, other_capability, other_intent, climb_inhibited;
int minimum = 400;

static int inhibit_biased_climb(void) {
  return climb_inhibited ? up_separation + 100 : up_separation;
}

static int own_below(void) {
  return own_altitude <= other_altitude;  // wrong: < was meant
}

static int other_below(void) {
  return other_altitude < own_altitude;
}

static int may_climb(void) {
  int prefers_up = inhibit_biased_climb() > down_separation;
  if (prefers_up) return !own_below() || !(down_separation >= minimum);
  return other_below() && vertical_separation >= 300 && up_separation >= minimum;
}

static int may_descend(void) {
  int prefers_up = inhibit_biased_climb() > down_separation;
  if (prefers_up) return own_below() && vertical_separation >= 300 && down_separation >= minimum;
  return !other_below() || up_separation >= minimum;
}

static int advise(void) {
  int enabled = high_confidence && own_rate <= 600 && vertical_separation > 600;
  int equipped = other_capability == 1;
  int other_is_passive = two_reports && other_intent == 0;
  int advice = NONE;
  if (enabled && ((equipped && other_is_passive) || !equipped)) {
    int climb = may_climb() && own_below();
    int descend = may_descend() && other_below();
    if (climb && descend) advice = NONE;
    else if (climb) advice = CLIMB;
    else if (descend) advice = DESCEND;
  }
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
  // On the same altitude nobody is below anybody.
  if (own_altitude == other_altitude) assert(advice == NONE);
  return 0;
}
