/** Programs in the manner of the paper's examples, in C: an overflow ends a run, so sums that may are computed in a wider type. */

const declarations = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

/** A path that cannot be taken, because two conditions exclude each other. */
export const infeasiblePath = `${declarations}
int main(void) {
  int x = 0, y = __VERIFIER_nondet_int();
  if (__VERIFIER_nondet_int()) x = x + 1;
  if (y >= 1) x = x + 2;
  if (y < 1) x = x + 4;
  if (x > 5) reach_error();
  return 0;
}`;

/** A lock that is held exactly when two counters are equal; a flag that never changes. */
export const lockAndFlag = `${declarations}
int main(void) {
  int old = __VERIFIER_nondet_int(), lock = 0, flag = 1;
  int new = old + 1;
  while (new != old) {
    lock = 1;
    old = new;
    if (__VERIFIER_nondet_int()) { lock = 0; new++; }
  }
  if (!flag) lock = 0;
  if (lock == 0) reach_error();
  return 0;
}`;

/** Refinement finds \`y >= 1\`, \`y >= 2\`, … where one round through the loop is enough. */
export const oneRound = `${declarations}
int main(void) {
  int y = 0, n = 0, limit = __VERIFIER_nondet_int();
  while (n < limit) { y++; n++; }
  if ((long long)y + n < limit) reach_error();
  return 0;
}`;

/** n branches whose sums differ, and a choice before them that decides whether the sums matter. */
export function branches(n: number): string {
  const steps = Array.from({ length: n }, () => "  if (__VERIFIER_nondet_int()) s++; else s += 2;");
  return `${declarations}
int main(void) {
  int s = 0, z;
  if (__VERIFIER_nondet_int()) z = 0; else z = 999;
${steps.join("\n")}
  if (s + z > ${2 * n} && z == 0) reach_error();
  return 0;
}`;
}

/** n branches behind two ways to the same state, one of which computes it. */
export function computedState(n: number): string {
  const steps = Array.from({ length: n }, () => "  if (__VERIFIER_nondet_int()) { s++; t++; }");
  return `${declarations}
static int zero(void) { int i = 0, r = 4; while (i < 4) { r--; i++; } return r; }
int main(void) {
  int x, y, s, t;
  if (__VERIFIER_nondet_int()) { x = 0; y = 0; } else { x = zero(); y = 0; }
  s = x;
  t = y;
${steps.join("\n")}
  if (t > ${n} && s > ${n}) reach_error();
  return 0;
}`;
}
