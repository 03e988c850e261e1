#include <fenv.h>
#include <math.h>
#include <stdio.h>

extern int __isnan(double), __isnanf(float), __isinf(double), __finite(double), __signbit(double), __signbitf(float);
extern int __fpclassify(double), __fpclassifyf(float), finite(double);

int main(void) {
  double zero = 0, values[] = {0.0, -0.0, 1.5, -2.5, 1e-310, -1e-310, 2.2250738585072014e-308, 1e39, 1 / zero, -1 / zero, zero / zero};
  int (*through)(double) = __isnan;
  for (int i = 0; i < sizeof values / sizeof *values; i++) {
    double x = values[i];
    printf("%d %d %d ", !!isnan(x), !!__isnan(x), !!through(x));
    printf("%d %d %d %d ", !!isinf(x), __isinf(x), !!finite(x), !!__finite(x));
    printf("%d %d ", !!isnormal(x), !!isfinite((float)x));
    printf("%d %d ", fpclassify(x), __fpclassify(x));
    printf("%d %d ", fpclassify((float)x), __fpclassifyf((float)x));
    printf("%d ", __builtin_fpclassify(10, 11, 12, 13, 14, x));
    if (!isnan(x)) printf("%d %d %d", !!signbit(x), !!__signbit(x), !!__signbitf((float)x));
    printf("\n");
  }
  printf("%g %g %d %d\n", fmaxf(1, 2), fminf(1, (float)(zero / zero)), fesetround(FE_TONEAREST), fegetround());
  return 0;
}
