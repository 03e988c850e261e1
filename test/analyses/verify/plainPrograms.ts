/** Programs of the kinds that the paper was tried on, written for these tests, each safe and with an error put in. */

const declarations = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

export type PlainProgram = { readonly name: string; readonly safe: string; readonly unsafe: string };

/** Collision avoidance in the manner of TCAS: advice from many comparisons, and a claim about one of them. */
const advice = (claim: string) => `${declarations}
int own, other, up, down, inhibit, thresh, rate, confidence, intent, equipped, result;
static int inhibited(void) { return inhibit ? up + 100 : up; }
static int below(void) { return own < other; }
static int above(void) { return other < own; }
static int climb(void) {
  int prefer = inhibited() > down;
  if (prefer) return !below() || (below() && !(down >= thresh));
  return above() && (up >= thresh);
}
static int descend(void) {
  int prefer = inhibited() > down;
  if (prefer) return below() && (down >= thresh);
  return !above() || (above() && (up >= thresh));
}
static int advise(void) {
  int enabled = confidence && rate <= 600, equipage = equipped == 1;
  int unknown = !(intent == 0), need_up, need_down;
  if (enabled && ((equipage && unknown) || !equipage)) {
    need_up = climb() && below();
    need_down = descend() && above();
    if (need_up && need_down) return 0;
    if (need_up) return 1;
    if (need_down) return 2;
  }
  return 0;
}
static int input(void) { int v = __VERIFIER_nondet_int(); return v < 0 ? 0 : v > 2000 ? 2000 : v; }
int main(void) {
  own = input(); other = input(); up = input(); down = input(); inhibit = __VERIFIER_nondet_int() != 0;
  thresh = 400; if (__VERIFIER_nondet_int()) thresh = 500; if (__VERIFIER_nondet_int()) thresh = 640;
  rate = input(); confidence = __VERIFIER_nondet_int(); intent = __VERIFIER_nondet_int(); equipped = __VERIFIER_nondet_int();
  result = advise();
  if (${claim}) reach_error();
  return 0;
}`;

/** A server that talks in an order: a state, a loop without an end, and flags of what was done. */
const server = (mistake: string) => `${declarations}
int main(void) {
  int state = 0, keyed = 0, sent = 0;
  while (1) {
    int event = __VERIFIER_nondet_int();
    if (state == 0) { if (event == 1) state = 1; }
    else if (state == 1) { keyed = 1; state = 2; }
    else if (state == 2) { if (event) { sent = 1; state = 3; } ${mistake} }
    else if (state == 3) { if (event == 2) { state = 2; } else { state = 4; } }
    else { break; }
    if (sent && !keyed) reach_error();
  }
  if (!keyed) reach_error();
  return 0;
}`;

/** A client that tries again, with a lock around each try. */
const client = (release: string) => `${declarations}
int locked = 0;
static void acquire(void) { if (locked) reach_error(); locked = 1; }
static void release(void) { if (!locked) reach_error(); locked = 0; }
int main(void) {
  int tries = 0, done = 0;
  while (!done && tries < 1000) {
    acquire();
    if (__VERIFIER_nondet_int()) { done = 1; ${release} }
    else { release(); tries++; }
  }
  if (locked) reach_error();
  return 0;
}`;

/** A driver's dispatch of requests: each is completed once, by the one that has it. */
const driver = (pending: string) => `${declarations}
int completed, pended, status;
static void complete(void) { if (completed) reach_error(); completed = 1; }
static int forward(void) { if (__VERIFIER_nondet_int()) { pended = 1; return 259; } complete(); return 0; }
static int start(void) { int s = forward(); if (s == 259) { ${pending} s = 0; } return s; }
static int stop(void) { if (__VERIFIER_nondet_int()) { complete(); return -1; } return forward(); }
int main(void) {
  int minor = __VERIFIER_nondet_int();
  completed = 0; pended = 0;
  if (minor == 0) status = start();
  else if (minor == 1) status = stop();
  else if (minor == 2) { complete(); status = 0; }
  else status = forward();
  if (status != 259 && !completed && !pended) reach_error();
  if (status == 259 && !pended) reach_error();
  return 0;
}`;

export const plainPrograms: readonly PlainProgram[] = [
  {
    name: "collision avoidance",
    safe: advice("result == 1 && own >= other"),
    unsafe: advice("result == 1 && up >= thresh"),
  },
  { name: "server", safe: server("else state = 3;"), unsafe: server("else { keyed = 0; state = 3; }") },
  { name: "client", safe: client("release();"), unsafe: client("") },
  { name: "driver", safe: driver("complete();"), unsafe: driver("complete(); complete();") },
];
