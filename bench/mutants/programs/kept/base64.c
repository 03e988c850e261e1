/* Base64 and hexadecimal, both ways. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

typedef unsigned char u8;

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int value_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+')
        return 62;
    if (c == '/')
        return 63;
    return -1;
}

static size_t b64_encode(const u8 *in, size_t n, char *out)
{
    size_t w = 0;

    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i;
        unsigned group = (unsigned)in[i] << 16;
        if (left > 1)
            group |= (unsigned)in[i + 1] << 8;
        if (left > 2)
            group |= in[i + 2];
        out[w++] = alphabet[group >> 18];
        out[w++] = alphabet[group >> 12 & 63];
        out[w++] = left > 1 ? alphabet[group >> 6 & 63] : '=';
        out[w++] = left > 2 ? alphabet[group & 63] : '=';
    }
    out[w] = '\0';
    return w;
}

/* Number of bytes, or -1. White space is skipped. */
static int b64_decode(const char *in, u8 *out)
{
    unsigned bits = 0;
    int count = 0, w = 0, padding = 0;

    for (; *in; in++) {
        int v;
        if (*in == ' ' || *in == '\n')
            continue;
        if (*in == '=') {
            padding++;
            continue;
        }
        v = value_of(*in);
        if (v < 0 || padding > 0)
            return -1;
        bits = bits << 6 | (unsigned)v;
        count++;
        if (count % 4 == 0) {
            out[w++] = (u8)(bits >> 16);
            out[w++] = (u8)(bits >> 8);
            out[w++] = (u8)bits;
            bits = 0;
        }
    }
    if ((count + padding) % 4 != 0 || padding > 2)
        return -1;
    if (padding == 2)
        out[w++] = (u8)(bits >> 4);
    if (padding == 1) {
        out[w++] = (u8)(bits >> 10);
        out[w++] = (u8)(bits >> 2);
    }
    return w;
}

static void to_hex(const u8 *in, int n, char *out)
{
    static const char digits[] = "0123456789abcdef";
    int i;

    for (i = 0; i < n; i++) {
        out[2 * i] = digits[in[i] >> 4];
        out[2 * i + 1] = digits[in[i] & 15];
    }
    out[2 * n] = '\0';
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static int from_hex(const char *in, u8 *out)
{
    int n = 0;
    while (*in) {
        int high = hex_digit(in[0]);
        int low = high < 0 ? -1 : hex_digit(in[1]);
        if (low < 0)
            return -1;
        out[n++] = (u8)(high << 4 | low);
        in += 2;
    }
    return n;
}

static void test_encode(void)
{
    char out[32];
    assert(b64_encode((const u8 *)"Man", 3, out) == 4);
    assert(strcmp(out, "TWFu") == 0);
    b64_encode((const u8 *)"Ma", 2, out);
    assert(strcmp(out, "TWE=") == 0);
    b64_encode((const u8 *)"light w", 7, out);
    assert(strcmp(out, "bGlnaHQgdw==") == 0);
    assert(b64_encode((const u8 *)"", 0, out) == 0);
}

static void test_decode(void)
{
    u8 out[32];
    assert(b64_decode("TWFu", out) == 3);
    assert(memcmp(out, "Man", 3) == 0);
    assert(b64_decode("bGln\naHQgdw==", out) == 7);
    assert(memcmp(out, "light w", 7) == 0);
    assert(b64_decode("TWE=", out) == 2);
    assert(out[1] == 'a');
}

static void test_bad(void)
{
    u8 out[32];
    assert(b64_decode("TWF", out) == -1);
    assert(b64_decode("TW=u", out) == -1);
    assert(b64_decode("T!Fu", out) == -1);
    assert(b64_decode("T===", out) == -1);
    assert(b64_decode("", out) == 0);
}

static void test_all_bytes(void)
{
    u8 in[48], back[64];
    char text[80];
    for (int i = 0; i < 48; i++)
        in[i] = (u8)(i * 11 + 250);
    assert(b64_encode(in, 48, text) == 64);
    assert(b64_decode(text, back) == 48);
    assert(memcmp(in, back, 48) == 0);
}

static void test_hex(void)
{
    u8 bytes[8];
    char text[20];
    assert(from_hex("00ffA9c1", bytes) == 4);
    assert(bytes[1] == 255 && bytes[2] == 0xA9);
    to_hex(bytes, 4, text);
    assert(strcmp(text, "00ffa9c1") == 0);
    assert(from_hex("123", bytes) == -1);
    assert(from_hex("0g", bytes) == -1);
}

int main(void)
{
    test_encode();
    test_decode();
    test_bad();
    test_all_bytes();
    test_hex();
    return 0;
}
