/* Bit tricks: counting, reversing, fields, Gray code, parity, a CRC. */
#include <assert.h>
#include <stdint.h>

#define BIT(n) (1u << (n))

static int count_ones(uint32_t x)
{
    int n = 0;
    for (int i = 0; i < 32; i++)
        if (x & BIT(i))
            n++;
    return n;
}

static int highest_bit(uint32_t x)
{
    int at = -1;
    while (x != 0) {
        x >>= 1;
        at++;
    }
    return at;
}

static uint8_t reverse8(uint8_t x)
{
    uint8_t r = 0;
    for (int i = 0; i < 8; i++) {
        r = (uint8_t)(r << 1 | (x & 1));
        x >>= 1;
    }
    return r;
}

static uint32_t rotate_left(uint32_t x, int n)
{
    n &= 31;
    if (n == 0)
        return x;
    return x << n | x >> (32 - n);
}

static uint32_t get_field(uint32_t word, int at, int width)
{
    return word >> at & (BIT(width) - 1);
}

static uint32_t set_field(uint32_t word, int at, int width, uint32_t value)
{
    uint32_t mask = (BIT(width) - 1) << at;
    return (word & ~mask) | (value << at & mask);
}

static unsigned to_gray(unsigned n)
{
    return n ^ n >> 1;
}

static unsigned from_gray(unsigned g)
{
    unsigned n = 0;
    for (; g; g >>= 1)
        n ^= g;
    return n;
}

static uint8_t crc8(const uint8_t *data, int n)
{
    uint8_t crc = 0;
    for (int i = 0; i < n; i++) {
        crc ^= data[i];
        for (int b = 0; b < 8; b++) {
            if (crc & 0x80)
                crc = (uint8_t)(crc << 1 ^ 0x07);
            else
                crc = (uint8_t)(crc << 1);
        }
    }
    return crc;
}

/* Packs 5-6-5 colours. */
static uint16_t pack_rgb(int r, int g, int b)
{
    return (uint16_t)((r >> 3) << 11 | (g >> 2) << 5 | b >> 3);
}

static int green_of(uint16_t colour)
{
    return (int)get_field(colour, 5, 6) << 2;
}

static uint32_t next_power(uint32_t x)
{
    if (x <= 1)
        return 1;
    return BIT(highest_bit(x - 1) + 1);
}

static void test_count(void)
{
    assert(count_ones(0) == 0);
    assert(count_ones(0xFFFFFFFFu) == 32);
    assert(count_ones(0x80000001u) == 2);
}

static void test_highest(void)
{
    assert(highest_bit(0) == -1);
    assert(highest_bit(1) == 0);
    assert(highest_bit(0x90) == 7);
    assert(next_power(5) == 8);
    assert(next_power(8) == 8);
    assert(next_power(0) == 1);
}

static void test_reverse(void)
{
    assert(reverse8(0x01) == 0x80);
    assert(reverse8(0xB2) == 0x4D);
    assert(rotate_left(0x80000001u, 1) == 3);
    assert(rotate_left(0x12345678u, 0) == 0x12345678u);
    assert(rotate_left(0x12345678u, 36) == 0x23456781u);
}

static void test_fields(void)
{
    uint32_t w = 0xABCD1234u;
    assert(get_field(w, 4, 8) == 0x23);
    assert(set_field(w, 8, 4, 0xF) == 0xABCD1F34u);
    assert(set_field(w, 0, 4, 0x17) == 0xABCD1237u);
}

static void test_gray(void)
{
    assert(to_gray(5) == 7);
    for (unsigned i = 0; i < 10; i++) {
        assert(from_gray(to_gray(i)) == i);
        assert(count_ones(to_gray(i) ^ to_gray(i + 1)) == 1);
    }
}

static void test_crc(void)
{
    static const uint8_t message[] = { '1', '2', '3', '4', '5', '6', '7', '8', '9' };
    assert(crc8(message, 9) == 0xF4);
    assert(crc8(message, 0) == 0);
}

static void test_colour(void)
{
    uint16_t c = pack_rgb(255, 128, 8);
    assert(c == 0xFC01);
    assert(green_of(c) == 128);
}

int main(void)
{
    test_count();
    test_highest();
    test_reverse();
    test_fields();
    test_gray();
    test_crc();
    test_colour();
    return 0;
}
