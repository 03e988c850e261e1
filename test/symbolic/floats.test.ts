import { expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { randomInputs } from "../../src/interpreter/inputs.ts";
import { checkTraceLaw } from "./support/traceLaw.ts";

/** With numbers that depend on the inputs: the logic computes what the interpreter computes. */
it("computes floating point", async () => {
  const program = await loadCText(
    "p.c",
    `#include <math.h>
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
struct point { float x; double y; };
static struct point points[2];
static double scale = 0.1;
static float mean(float a, float b) { return (a + b) / 2; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  unsigned char c = __VERIFIER_nondet_uchar();
  double d = n, e = c * scale - 3;
  float f = n, g = c / 7.0f;
  points[0].x = f * g;
  points[0].y = d / e;
  points[1] = points[0];
  points[1].x -= (float)e;
  double root = sqrt(fabs(d)), low = floor(e), high = ceil(g);
  int less = e < g, same = f == d, whole = (int)e, near = -0.0 == d * 0;
  long wide = (long)(d * 1000.5);
  unsigned small = (unsigned char)g;
  _Bool any = e;
  if (n > 100 && d * 2 > 1e6) scale = -scale;
  double last = mean(f, g) + scale + root + low + high + less + same + whole + near + wide + small + any;
  return last > 0;
}`,
  );
  for (const seed of [0, 1, 2, 3, 4, 5]) {
    const result = checkTraceLaw(program, { inputs: randomInputs(seed) }, [0.3, 0.7, 1], true);
    expect(result.mismatches).toEqual([]);
    expect(result.compared).toBeGreaterThan(10);
  }
});
