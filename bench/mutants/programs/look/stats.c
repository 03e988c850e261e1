/* Statistics of a series of measurements. */
#include <assert.h>
#include <math.h>

#define MAX_BINS 10

typedef struct {
    double min, max, sum, sum_sq;
    int n;
} summary_t;

static void summary_init(summary_t *s)
{
    s->n = 0;
    s->sum = s->sum_sq = 0.0;
    s->min = s->max = 0.0;
}

static void summary_add(summary_t *s, double x)
{
    if (s->n == 0 || x < s->min)
        s->min = x;
    if (s->n == 0 || x > s->max)
        s->max = x;
    s->sum += x;
    s->sum_sq += x * x;
    s->n++;
}

static double mean(const summary_t *s)
{
    return s->n > 0 ? s->sum / s->n : 0.0;
}

static double variance(const summary_t *s)
{
    double m = mean(s);
    if (s->n < 2)
        return 0.0;
    return (s->sum_sq - s->n * m * m) / (s->n - 1);
}

static int close_to(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

/* How many values fall into each of the equally wide bins over [low, high). */
static int histogram(const double *v, int n, double low, double high, int bins, int counts[])
{
    int outside = 0;
    double width = (high - low) / bins;

    for (int b = 0; b < bins; b++)
        counts[b] = 0;
    for (int i = 0; i < n; i++) {
        if (v[i] < low || v[i] >= high) {
            outside++;
            continue;
        }
        counts[(int)((v[i] - low) / width)]++;
    }
    return outside;
}

/* Least squares line through (x, y): slope and intercept. */
static int fit_line(const double *x, const double *y, int n, double *slope, double *intercept)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;

    for (int i = 0; i < n; i++) {
        sx += x[i];
        sy += y[i];
        sxx += x[i] * x[i];
        sxy += x[i] * y[i];
    }
    double d = n * sxx - sx * sx;
    if (close_to(d, 0.0))
        return 0;
    *slope = (n * sxy - sx * sy) / d;
    *intercept = (sy - *slope * sx) / n;
    return 1;
}

/* Exponential smoothing, in place. */
static void smooth(double *v, int n, double alpha)
{
    for (int i = 1; i < n; i++)
        v[i] = alpha * v[i] + (1 - alpha) * v[i - 1];
}

static void test_mean(void)
{
    summary_t s;
    summary_init(&s);
    assert(close_to(mean(&s), 0.0));
    summary_add(&s, 2.5);
    summary_add(&s, -1.5);
    summary_add(&s, 5.0);
    assert(close_to(mean(&s), 2.0));
    assert(close_to(s.min, -1.5));
    assert(close_to(s.max, 5.0));
}

static void test_variance(void)
{
    summary_t s;
    summary_init(&s);
    summary_add(&s, 4.0);
    assert(close_to(variance(&s), 0.0));
    summary_add(&s, 6.0);
    summary_add(&s, 8.0);
    assert(close_to(variance(&s), 4.0));
}

static void test_histogram(void)
{
    double v[] = { 0.0, 0.9, 1.0, 2.5, 3.9, 4.0, -0.1 };
    int counts[MAX_BINS];
    assert(histogram(v, 7, 0.0, 4.0, 4, counts) == 2);
    assert(counts[0] == 2);
    assert(counts[1] == 1);
    assert(counts[2] == 1);
    assert(counts[3] == 1);
}

static void test_fit(void)
{
    double x[] = { 0, 1, 2, 3 }, y[] = { 1, 3, 5, 7 }, same[] = { 2, 2, 2, 2 };
    double a = 0, b = 0;
    assert(fit_line(x, y, 4, &a, &b));
    assert(close_to(a, 2.0));
    assert(close_to(b, 1.0));
    assert(!fit_line(same, y, 4, &a, &b));
}

static void test_smooth(void)
{
    double v[] = { 8, 0, 4 };
    smooth(v, 3, 0.5);
    assert(close_to(v[0], 8));
    assert(close_to(v[1], 4));
    assert(close_to(v[2], 4));
}

int main(void)
{
    test_mean();
    test_variance();
    test_histogram();
    test_fit();
    test_smooth();
    return 0;
}
