/* Numerical methods: integration, roots, polynomials, interest. */
#include <assert.h>
#include <math.h>

typedef double (*real_fn)(double);

static double square(double x) { return x * x; }
static double shifted(double x) { return x * x - 2.0; }
static double line(double x) { return 3.0 * x + 1.0; }

static double trapezoid(real_fn f, double a, double b, int n)
{
    double h = (b - a) / n;
    double sum = (f(a) + f(b)) / 2;

    for (int i = 1; i < n; i++)
        sum += f(a + i * h);
    return sum * h;
}

static double simpson(real_fn f, double a, double b, int n)
{
    double h = (b - a) / n;
    double sum = f(a) + f(b);

    for (int i = 1; i < n; i++)
        sum += (i % 2 == 1 ? 4 : 2) * f(a + i * h);
    return sum * h / 3;
}

/* Root of f between lo and hi, where f changes its sign; *steps counts the halvings. */
static double bisect(real_fn f, double lo, double hi, double eps, int *steps)
{
    *steps = 0;
    while (hi - lo > eps) {
        double mid = lo + (hi - lo) / 2;
        if (f(mid) * f(lo) <= 0)
            hi = mid;
        else
            lo = mid;
        (*steps)++;
    }
    return (lo + hi) / 2;
}

static double newton_sqrt(double a)
{
    double x = a > 1 ? a : 1;

    if (a <= 0)
        return 0;
    for (int i = 0; i < 50; i++) {
        double next = 0.5 * (x + a / x);
        if (fabs(next - x) < 1e-12)
            break;
        x = next;
    }
    return x;
}

/* c[0] + c[1] x + ... by Horner's rule. */
static double polynomial(const double *c, int degree, double x)
{
    double y = c[degree];
    for (int i = degree - 1; i >= 0; i--)
        y = y * x + c[i];
    return y;
}

static void derive(const double *c, int degree, double *out)
{
    for (int i = 1; i <= degree; i++)
        out[i - 1] = i * c[i];
}

/* Months until a debt is paid; -1 if the rate does not even pay the interest. */
static int months_to_pay(double debt, double yearly_percent, double rate)
{
    double monthly = yearly_percent / 1200.0;
    int months = 0;

    if (rate <= debt * monthly)
        return -1;
    while (debt > 0.005) {
        debt += debt * monthly;
        debt -= rate < debt ? rate : debt;
        months++;
    }
    return months;
}

static int near(double a, double b, double eps)
{
    return fabs(a - b) <= eps;
}

static void test_trapezoid(void)
{
    assert(near(trapezoid(line, 0, 2, 4), 8.0, 1e-9));
    assert(near(trapezoid(square, 0, 3, 100), 9.0, 1e-2));
    assert(!near(trapezoid(square, 0, 3, 2), 9.0, 1e-2));
}

static void test_simpson(void)
{
    assert(near(simpson(square, 0, 3, 4), 9.0, 1e-9));
    assert(near(simpson(line, -1, 1, 2), 2.0, 1e-9));
}

static void test_bisect(void)
{
    int steps;
    double root = bisect(shifted, 0, 2, 1e-6, &steps);
    assert(near(root, 1.414213562, 1e-6));
    assert(steps == 21);
    root = bisect(line, -1, 1, 0.5, &steps);
    assert(steps == 2);
    assert(near(root, -0.25, 1e-9));
}

static void test_newton(void)
{
    assert(near(newton_sqrt(49.0), 7.0, 1e-9));
    assert(near(newton_sqrt(0.25), 0.5, 1e-9));
    assert(newton_sqrt(-4.0) == 0);
}

static void test_polynomial(void)
{
    double c[] = { 1, -3, 0, 2 }, d[3];
    assert(near(polynomial(c, 3, 2.0), 11.0, 1e-9));
    derive(c, 3, d);
    assert(near(d[0], -3, 0) && near(d[1], 0, 0) && near(d[2], 6, 0));
    assert(near(polynomial(d, 2, 1.0), 3.0, 1e-9));
}

static void test_debt(void)
{
    assert(months_to_pay(1000, 12, 10) == -1);
    assert(months_to_pay(1000, 12, 1010) == 1);
    assert(months_to_pay(1000, 0, 100) == 10);
    assert(months_to_pay(1000, 12, 100) == 11);
}

int main(void)
{
    test_trapezoid();
    test_simpson();
    test_bisect();
    test_newton();
    test_polynomial();
    test_debt();
    return 0;
}
