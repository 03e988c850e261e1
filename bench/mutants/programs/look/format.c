/* A tiny printf for a display: %d %u %x %s %c %%, width, zero padding, left adjustment. */
#include <assert.h>
#include <stdarg.h>
#include <string.h>

struct out {
    char *buf;
    int cap;
    int len;
};

static void put(struct out *o, char c)
{
    if (o->len < o->cap - 1)
        o->buf[o->len] = c;
    o->len++;
}

static void pad(struct out *o, char c, int n)
{
    while (n-- > 0)
        put(o, c);
}

static int utoa(unsigned v, unsigned base, char *digits)
{
    char tmp[12];
    int n = 0, i = 0;

    do {
        tmp[n++] = "0123456789abcdef"[v % base];
        v /= base;
    } while (v != 0);
    while (n > 0)
        digits[i++] = tmp[--n];
    digits[i] = '\0';
    return i;
}

static void put_field(struct out *o, const char *text, int len, int width, int left, char fill)
{
    if (!left)
        pad(o, fill, width - len);
    for (int i = 0; i < len; i++)
        put(o, text[i]);
    if (left)
        pad(o, ' ', width - len);
}

static void put_number(struct out *o, unsigned v, int negative, unsigned base, int width, int left, int zero)
{
    char digits[14];
    int len = 0;

    if (negative && zero) {
        put(o, '-');
        width--;
    } else if (negative) {
        digits[len++] = '-';
    }
    len += utoa(v, base, digits + len);
    put_field(o, digits, len, width, left, zero ? '0' : ' ');
}

int format(char *buf, int cap, const char *fmt, ...)
{
    struct out o = { buf, cap, 0 };
    va_list args;

    va_start(args, fmt);
    for (; *fmt; fmt++) {
        int left = 0, zero = 0, width = 0;
        if (*fmt != '%') {
            put(&o, *fmt);
            continue;
        }
        fmt++;
        if (*fmt == '-') {
            left = 1;
            fmt++;
        } else if (*fmt == '0') {
            zero = 1;
            fmt++;
        }
        while (*fmt >= '0' && *fmt <= '9')
            width = width * 10 + (*fmt++ - '0');
        switch (*fmt) {
        case 'd': {
            int v = va_arg(args, int);
            put_number(&o, v < 0 ? 0u - (unsigned)v : (unsigned)v, v < 0, 10, width, left, zero);
            break;
        }
        case 'u':
            put_number(&o, va_arg(args, unsigned), 0, 10, width, left, zero);
            break;
        case 'x':
            put_number(&o, va_arg(args, unsigned), 0, 16, width, left, zero);
            break;
        case 's': {
            const char *s = va_arg(args, const char *);
            put_field(&o, s, (int)strlen(s), width, left, ' ');
            break;
        }
        case 'c':
            put(&o, (char)va_arg(args, int));
            break;
        default:
            put(&o, *fmt);
            break;
        }
    }
    va_end(args);
    if (cap > 0)
        buf[o.len < cap ? o.len : cap - 1] = '\0';
    return o.len;
}

static void test_numbers(void)
{
    char b[40];
    assert(format(b, sizeof b, "%d/%u/%x", -12, 7u, 0xbeefu) == 10);
    assert(strcmp(b, "-12/7/beef") == 0);
    format(b, sizeof b, "%d", 0);
    assert(strcmp(b, "0") == 0);
}

static void test_width(void)
{
    char b[40];
    format(b, sizeof b, "[%5d]", 42);
    assert(strcmp(b, "[   42]") == 0);
    format(b, sizeof b, "[%05d]", -42);
    assert(strcmp(b, "[-0042]") == 0);
    format(b, sizeof b, "[%-4d|%-3d]", -1, 12345);
    assert(strcmp(b, "[-1  |12345]") == 0);
    format(b, sizeof b, "[%4d]", -5);
    assert(strcmp(b, "[  -5]") == 0);
}

static void test_strings(void)
{
    char b[40];
    format(b, sizeof b, "%s=%-6s;%c", "key", "val", '!');
    assert(strcmp(b, "key=val   ;!") == 0);
    format(b, sizeof b, "%3s%%", "a");
    assert(strcmp(b, "  a%") == 0);
}

static void test_truncated(void)
{
    char b[8] = "zzzzzzz";
    assert(format(b, 6, "abc%d", 12345) == 8);
    assert(strcmp(b, "abc12") == 0);
    assert(b[6] == 'z');
}

int main(void)
{
    test_numbers();
    test_width();
    test_strings();
    test_truncated();
    return 0;
}
