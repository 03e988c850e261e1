/* Natural numbers of up to 40 decimal digits, least significant first. */
#include <assert.h>
#include <string.h>

#define MAX_DIGITS 40

typedef struct {
    int digits[MAX_DIGITS];
    int length;
} big;

static void trim(big *a)
{
    while (a->length > 1 && a->digits[a->length - 1] == 0)
        a->length--;
}

static big from_text(const char *text)
{
    big a;
    int n = (int)strlen(text);
    memset(&a, 0, sizeof a);
    a.length = n;
    for (int i = 0; i < n; i++)
        a.digits[i] = text[n - 1 - i] - '0';
    trim(&a);
    return a;
}

static big from_int(int x)
{
    big a;
    memset(&a, 0, sizeof a);
    do {
        a.digits[a.length++] = x % 10;
        x /= 10;
    } while (x > 0);
    return a;
}

static int compare(const big *a, const big *b)
{
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    for (int i = a->length - 1; i >= 0; i--) {
        if (a->digits[i] != b->digits[i])
            return a->digits[i] < b->digits[i] ? -1 : 1;
    }
    return 0;
}

static big add(const big *a, const big *b)
{
    big r;
    int carry = 0;
    int n = a->length > b->length ? a->length : b->length;
    memset(&r, 0, sizeof r);
    for (int i = 0; i < n || carry; i++) {
        int s = a->digits[i] + b->digits[i] + carry;
        r.digits[i] = s % 10;
        carry = s / 10;
        r.length = i + 1;
    }
    return r;
}

/* a - b, for a >= b. */
static big subtract(const big *a, const big *b)
{
    big r = *a;
    int borrow = 0;
    for (int i = 0; i < a->length; i++) {
        int d = a->digits[i] - b->digits[i] - borrow;
        borrow = d < 0;
        r.digits[i] = borrow ? d + 10 : d;
    }
    trim(&r);
    return r;
}

static big multiply(const big *a, const big *b)
{
    big r;
    memset(&r, 0, sizeof r);
    for (int i = 0; i < a->length; i++) {
        int carry = 0;
        for (int j = 0; j < b->length || carry; j++) {
            int cur = r.digits[i + j] + carry;
            if (j < b->length)
                cur += a->digits[i] * b->digits[j];
            r.digits[i + j] = cur % 10;
            carry = cur / 10;
        }
    }
    r.length = a->length + b->length;
    trim(&r);
    return r;
}

/* Divides in place, returns the remainder. */
static int divide_small(big *a, int by)
{
    int rest = 0;
    for (int i = a->length - 1; i >= 0; i--) {
        int cur = rest * 10 + a->digits[i];
        a->digits[i] = cur / by;
        rest = cur % by;
    }
    trim(a);
    return rest;
}

static int equals_text(const big *a, const char *text)
{
    big b = from_text(text);
    return compare(a, &b) == 0;
}

static big factorial(int n)
{
    big r = from_int(1);
    for (int i = 2; i <= n; i++) {
        big f = from_int(i);
        r = multiply(&r, &f);
    }
    return r;
}

static void test_read(void)
{
    big a = from_text("000120");
    assert(a.length == 3);
    assert(a.digits[0] == 0 && a.digits[1] == 2 && a.digits[2] == 1);
    big b = from_int(120);
    assert(compare(&a, &b) == 0);
    b = from_int(0);
    assert(b.length == 1);
}

static void test_add(void)
{
    big a = from_text("99999999999"), b = from_int(1);
    big c = add(&a, &b);
    assert(equals_text(&c, "100000000000"));
    b = from_text("5000");
    c = add(&b, &a);
    assert(equals_text(&c, "100000004999"));
}

static void test_subtract(void)
{
    big a = from_text("100000"), b = from_text("99997");
    big c = subtract(&a, &b);
    assert(c.length == 1);
    assert(c.digits[0] == 3);
    b = from_text("1");
    c = subtract(&a, &b);
    assert(equals_text(&c, "99999"));
}

static void test_compare(void)
{
    big a = from_text("123"), b = from_text("124"), c = from_text("99");
    assert(compare(&a, &b) == -1);
    assert(compare(&b, &a) == 1);
    assert(compare(&c, &a) == -1);
    assert(compare(&a, &c) == 1);
}

static void test_multiply(void)
{
    big a = from_text("12345"), b = from_text("6789");
    big c = multiply(&a, &b);
    assert(equals_text(&c, "83810205"));
    big zero = from_int(0);
    c = multiply(&a, &zero);
    assert(c.length == 1 && c.digits[0] == 0);
}

static void test_divide(void)
{
    big a = from_text("1000000007");
    assert(divide_small(&a, 13) == 6);
    assert(equals_text(&a, "76923077"));
}

static void test_factorial(void)
{
    big f = factorial(20);
    assert(equals_text(&f, "2432902008176640000"));
}

int main(void)
{
    test_read();
    test_add();
    test_subtract();
    test_compare();
    test_multiply();
    test_divide();
    test_factorial();
    return 0;
}
