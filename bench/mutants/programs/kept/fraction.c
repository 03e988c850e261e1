/* Exact fractions, and a linear system solved with them. */
#include <assert.h>
#include <string.h>

typedef struct {
    long num, den;    /* den > 0, no common divisor */
} frac;

static long gcd(long a, long b)
{
    if (a < 0)
        a = -a;
    while (b != 0) {
        long r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static frac make(long num, long den)
{
    frac f;
    long g;

    assert(den != 0);
    if (den < 0) {
        num = -num;
        den = -den;
    }
    g = gcd(num, den);
    f.num = num / g;
    f.den = den / g;
    return f;
}

static frac add(frac a, frac b) { return make(a.num * b.den + b.num * a.den, a.den * b.den); }
static frac sub(frac a, frac b) { return make(a.num * b.den - b.num * a.den, a.den * b.den); }
static frac mul(frac a, frac b) { return make(a.num * b.num, a.den * b.den); }
static frac divide(frac a, frac b) { return make(a.num * b.den, a.den * b.num); }

static int compare(frac a, frac b)
{
    long l = a.num * b.den, r = b.num * a.den;
    return l < r ? -1 : l > r;
}

static int equals(frac a, long num, long den)
{
    return compare(a, make(num, den)) == 0;
}

static long floor_of(frac a)
{
    long q = a.num / a.den;
    if (a.num % a.den < 0)
        q--;
    return q;
}

static frac round_half_up(frac a)
{
    return make(floor_of(add(a, make(1, 2))), 1);
}

/* "3", "-3/4" or "1.25"; 0/1 and *ok = 0 for anything else. */
static frac parse(const char *s, int *ok)
{
    long num = 0, den = 0, scale = 1;
    int sign = 1, digits = 0;

    *ok = 0;
    if (*s == '-') {
        sign = -1;
        s++;
    }
    for (; *s >= '0' && *s <= '9'; s++, digits++)
        num = num * 10 + (*s - '0');
    if (digits == 0)
        return make(0, 1);
    if (*s == '/') {
        for (s++; *s >= '0' && *s <= '9'; s++)
            den = den * 10 + (*s - '0');
    } else {
        den = 1;
        if (*s == '.') {
            for (s++; *s >= '0' && *s <= '9'; s++) {
                num = num * 10 + (*s - '0');
                scale *= 10;
            }
        }
    }
    if (*s != '\0' || den == 0)
        return make(0, 1);
    *ok = 1;
    return make(sign * num, den * scale);
}

#define N 3

/* Gauss elimination; 0 if there is no single solution. */
static int solve(frac m[N][N + 1], frac x[N])
{
    for (int col = 0; col < N; col++) {
        int pivot = col;
        while (pivot < N && m[pivot][col].num == 0)
            pivot++;
        if (pivot == N)
            return 0;
        if (pivot != col) {
            frac row[N + 1];
            memcpy(row, m[col], sizeof row);
            memcpy(m[col], m[pivot], sizeof row);
            memcpy(m[pivot], row, sizeof row);
        }
        for (int r = 0; r < N; r++) {
            if (r == col)
                continue;
            frac factor = divide(m[r][col], m[col][col]);
            for (int c = col; c <= N; c++)
                m[r][c] = sub(m[r][c], mul(factor, m[col][c]));
        }
    }
    for (int i = 0; i < N; i++)
        x[i] = divide(m[i][N], m[i][i]);
    return 1;
}

static void test_arithmetic(void)
{
    frac a = make(1, 2), b = make(2, -6);
    assert(b.num == -1 && b.den == 3);
    assert(equals(add(a, b), 1, 6));
    assert(equals(sub(a, b), 5, 6));
    assert(equals(mul(a, b), -1, 6));
    assert(equals(divide(a, b), -3, 2));
    assert(add(a, a).den == 1);
}

static void test_compare(void)
{
    assert(compare(make(1, 3), make(2, 5)) == -1);
    assert(compare(make(-1, 2), make(-3, 4)) == 1);
    assert(compare(make(2, 4), make(1, 2)) == 0);
}

static void test_round(void)
{
    assert(floor_of(make(7, 2)) == 3);
    assert(floor_of(make(-7, 2)) == -4);
    assert(floor_of(make(-8, 2)) == -4);
    assert(equals(round_half_up(make(5, 2)), 3, 1));
    assert(equals(round_half_up(make(-9, 4)), -2, 1));
}

static void test_parse(void)
{
    int ok;
    assert(equals(parse("-6/8", &ok), -3, 4) && ok);
    assert(equals(parse("1.25", &ok), 5, 4) && ok);
    assert(equals(parse("42", &ok), 42, 1) && ok);
    parse("1/0", &ok);
    assert(!ok);
    parse("x", &ok);
    assert(!ok);
    parse("1.5z", &ok);
    assert(!ok);
}

static void test_solve(void)
{
    static const int a[N][N + 1] = { { 0, 2, 1, 7 }, { 1, 1, -1, 0 }, { 3, -1, 2, 7 } };
    frac m[N][N + 1], x[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= N; j++)
            m[i][j] = make(a[i][j], 1);
    assert(solve(m, x));
    assert(equals(x[0], 1, 1));
    assert(equals(x[1], 2, 1));
    assert(equals(x[2], 3, 1));
}

static void test_singular(void)
{
    frac m[N][N + 1], x[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= N; j++)
            m[i][j] = make((i + 1) * (j + 1), 1);
    assert(!solve(m, x));
}

int main(void)
{
    test_arithmetic();
    test_compare();
    test_round();
    test_parse();
    test_solve();
    test_singular();
    return 0;
}
