/* Run length coding: runs of 3 to 130 equal bytes, and literal stretches. */
#include <assert.h>
#include <string.h>

typedef unsigned char byte;

#define MIN_RUN 3
#define MAX_RUN (MIN_RUN + 127)
#define MAX_LITERAL 128

static int run_length(const byte *in, int at, int n)
{
    int length = 1;
    while (at + length < n && in[at + length] == in[at] && length < MAX_RUN)
        length++;
    return length;
}

/* A control byte c >= 128 means: the next byte, c - 128 + MIN_RUN times; otherwise c + 1 literal bytes follow. */
static int encode(const byte *in, int n, byte *out)
{
    int at = 0, written = 0;

    while (at < n) {
        int run = run_length(in, at, n);
        if (run >= MIN_RUN) {
            out[written++] = (byte)(128 + run - MIN_RUN);
            out[written++] = in[at];
            at += run;
        } else {
            int start = at;
            int control = written++;
            while (at < n && at - start < MAX_LITERAL && run_length(in, at, n) < MIN_RUN)
                out[written++] = in[at++];
            out[control] = (byte)(at - start - 1);
        }
    }
    return written;
}

/* Returns the decoded length, or -1 for input that is cut off or does not fit. */
static int decode(const byte *in, int n, byte *out, int room)
{
    int at = 0, written = 0;

    while (at < n) {
        int control = in[at++];
        int count, literal;
        if (control >= 128) {
            literal = 0;
            count = control - 128 + MIN_RUN;
        } else {
            literal = 1;
            count = control + 1;
        }
        if (written + count > room)
            return -1;
        if (at + (literal ? count : 1) > n)
            return -1;
        for (int i = 0; i < count; i++) {
            out[written++] = in[at];
            if (literal)
                at++;
        }
        if (!literal)
            at++;
    }
    return written;
}

static unsigned checksum(const byte *data, int n)
{
    unsigned a = 1, b = 0;
    for (int i = 0; i < n; i++) {
        a = (a + data[i]) % 251;
        b = (b + a) % 251;
    }
    return b << 8 | a;
}

static void test_runs(void)
{
    byte out[16];
    assert(encode((const byte *)"aaaaab", 6, out) == 4);
    assert(out[0] == 130);
    assert(out[1] == 'a');
    assert(out[2] == 0);
    assert(out[3] == 'b');
}

static void test_literals(void)
{
    byte out[16];
    assert(encode((const byte *)"abccd", 5, out) == 6);
    assert(out[0] == 4);
    assert(memcmp(out + 1, "abccd", 5) == 0);
}

static void test_round_trip(void)
{
    const char *text = "xyzzzzzzzz--==--aaaab";
    int n = (int)strlen(text);
    byte packed[64], back[64];
    int size = encode((const byte *)text, n, packed);
    assert(size < n);
    assert(decode(packed, size, back, 64) == n);
    assert(memcmp(back, text, n) == 0);
    assert(checksum(back, n) == checksum((const byte *)text, n));
}

static void test_long_run(void)
{
    byte in[200], packed[16], back[200];
    memset(in, 7, sizeof in);
    int size = encode(in, 200, packed);
    assert(size == 4);
    assert(packed[0] == 255);
    assert(decode(packed, size, back, 200) == 200);
    assert(back[0] == 7 && back[199] == 7);
    assert(decode(packed, size, back, 199) == -1);
}

static void test_broken(void)
{
    byte out[16];
    assert(decode((const byte *)"\x02" "ab", 3, out, 16) == -1);
    assert(decode((const byte *)"\x80", 1, out, 16) == -1);
    assert(decode((const byte *)"\x01" "ab", 3, out, 16) == 2);
}

static void test_checksum(void)
{
    assert(checksum((const byte *)"", 0) == 1);
    assert(checksum((const byte *)"ab", 2) == (43u << 8 | 196u));
}

int main(void)
{
    test_runs();
    test_literals();
    test_round_trip();
    test_long_run();
    test_broken();
    test_checksum();
    return 0;
}
