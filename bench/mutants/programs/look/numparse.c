/* Numbers from text: integers, fixed point, durations, IP addresses. */
#include <assert.h>
#include <ctype.h>
#include <limits.h>

#define OK 0
#define ERR_EMPTY 1
#define ERR_DIGIT 2
#define ERR_RANGE 3

int parse_int(const char *s, int *out)
{
    int sign = 1;
    long value = 0;

    while (isspace((unsigned char)*s))
        s++;
    if (*s == '-' || *s == '+') {
        if (*s == '-')
            sign = -1;
        s++;
    }
    if (*s == '\0')
        return ERR_EMPTY;
    for (; *s; s++) {
        if (*s < '0' || *s > '9')
            return ERR_DIGIT;
        value = value * 10 + (*s - '0');
        if (value > (long)INT_MAX + 1)
            return ERR_RANGE;
    }
    value *= sign;
    if (value > INT_MAX)
        return ERR_RANGE;
    *out = (int)value;
    return OK;
}

/* "12.5" is 1250 hundredths. */
int parse_cents(const char *s, int *cents)
{
    int whole = 0, fraction = 0, digits = 0;

    if (!isdigit((unsigned char)*s))
        return ERR_EMPTY;
    while (isdigit((unsigned char)*s))
        whole = whole * 10 + (*s++ - '0');
    if (*s == '.') {
        s++;
        while (isdigit((unsigned char)*s) && digits < 2) {
            fraction = fraction * 10 + (*s++ - '0');
            digits++;
        }
        if (digits == 1)
            fraction *= 10;
    }
    if (*s != '\0')
        return ERR_DIGIT;
    *cents = whole * 100 + fraction;
    return OK;
}

/* "1h20m5s" in seconds, -1 where it makes no sense. */
int parse_duration(const char *s)
{
    int total = 0, number = 0, seen = 0;

    for (; *s; s++) {
        if (isdigit((unsigned char)*s)) {
            number = number * 10 + (*s - '0');
            seen = 1;
            continue;
        }
        if (!seen)
            return -1;
        switch (*s) {
        case 'h':
            total += number * 3600;
            break;
        case 'm':
            total += number * 60;
            break;
        case 's':
            total += number;
            break;
        default:
            return -1;
        }
        number = 0;
        seen = 0;
    }
    return seen ? -1 : total;
}

int parse_ip(const char *s, unsigned *address)
{
    unsigned result = 0;

    for (int part = 0; part < 4; part++) {
        unsigned octet = 0;
        int digits = 0;
        while (isdigit((unsigned char)*s)) {
            octet = octet * 10 + (unsigned)(*s - '0');
            digits++;
            s++;
        }
        if (digits == 0 || octet > 255)
            return 0;
        result = result << 8 | octet;
        if (part < 3) {
            if (*s != '.')
                return 0;
            s++;
        }
    }
    *address = result;
    return *s == '\0';
}

static void test_int(void)
{
    int v = 99;
    assert(parse_int("42", &v) == OK && v == 42);
    assert(parse_int("  -17", &v) == OK && v == -17);
    assert(parse_int("+0", &v) == OK && v == 0);
    assert(parse_int("-", &v) == ERR_EMPTY);
    assert(parse_int("12x", &v) == ERR_DIGIT);
}

static void test_int_range(void)
{
    int v = 0;
    assert(parse_int("2147483647", &v) == OK && v == INT_MAX);
    assert(parse_int("-2147483648", &v) == OK && v == INT_MIN);
    assert(parse_int("2147483648", &v) == ERR_RANGE);
    assert(parse_int("99999999999", &v) == ERR_RANGE);
    assert(v == INT_MIN);
}

static void test_cents(void)
{
    int c = 0;
    assert(parse_cents("12", &c) == OK);
    assert(c == 1200);
    assert(parse_cents("12.5", &c) == OK);
    assert(c == 1250);
    assert(parse_cents("0.07", &c) == OK);
    assert(c == 7);
    assert(parse_cents("1.234", &c) == ERR_DIGIT);
    assert(parse_cents(".5", &c) == ERR_EMPTY);
}

static void test_duration(void)
{
    assert(parse_duration("45s") == 45);
    assert(parse_duration("1h20m5s") == 4805);
    assert(parse_duration("10") == -1);
    assert(parse_duration("h") == -1);
    assert(parse_duration("5d") == -1);
    assert(parse_duration("") == 0);
}

static void test_ip(void)
{
    unsigned a = 0;
    assert(parse_ip("192.168.0.1", &a));
    assert(a == 0xC0A80001u);
    assert(parse_ip("255.255.255.255", &a));
    assert(a == 0xFFFFFFFFu);
    assert(!parse_ip("256.1.1.1", &a));
    assert(!parse_ip("1.2.3", &a));
    assert(!parse_ip("1.2.3.4.5", &a));
}

int main(void)
{
    test_int();
    test_int_range();
    test_cents();
    test_duration();
    test_ip();
    return 0;
}
