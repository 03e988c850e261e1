/* Byte queue between an interrupt handler and the main loop. */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define RING_SIZE 8u

struct ring {
    uint8_t data[RING_SIZE];
    unsigned head;   /* next write */
    unsigned tail;   /* next read */
    unsigned count;
    unsigned dropped;
};

static void ring_reset(struct ring *r)
{
    r->head = r->tail = 0;
    r->count = 0;
    r->dropped = 0;
}

static bool ring_put(struct ring *r, uint8_t byte)
{
    if (r->count >= RING_SIZE) {
        r->dropped++;
        return false;
    }
    r->data[r->head] = byte;
    r->head = (r->head + 1) % RING_SIZE;
    r->count++;
    return true;
}

static bool ring_get(struct ring *r, uint8_t *byte)
{
    if (r->count == 0)
        return false;
    *byte = r->data[r->tail];
    r->tail = (r->tail + 1) % RING_SIZE;
    r->count--;
    return true;
}

static unsigned ring_free(const struct ring *r)
{
    return RING_SIZE - r->count;
}

/* Writes all or nothing. */
static bool ring_write(struct ring *r, const uint8_t *from, unsigned n)
{
    if (n > ring_free(r))
        return false;
    for (unsigned i = 0; i < n; i++)
        ring_put(r, from[i]);
    return true;
}

static unsigned ring_read(struct ring *r, uint8_t *to, unsigned max)
{
    unsigned n = 0;
    while (n < max && ring_get(r, &to[n]))
        n++;
    return n;
}

/* Looks at a byte without taking it. */
static int ring_peek(const struct ring *r, unsigned ahead)
{
    if (ahead >= r->count)
        return -1;
    return r->data[(r->tail + ahead) % RING_SIZE];
}

static void test_fifo(void)
{
    struct ring r;
    uint8_t b = 0;
    ring_reset(&r);
    assert(!ring_get(&r, &b));
    for (int i = 0; i < 5; i++)
        assert(ring_put(&r, (uint8_t)(0x40 + i)));
    for (int i = 0; i < 5; i++) {
        assert(ring_get(&r, &b));
        assert(b == 0x40 + i);
    }
    assert(r.count == 0);
}

static void test_overflow(void)
{
    struct ring rx;
    uint8_t b = 0;
    ring_reset(&rx);
    for (int i = 0; i < 10; i++)
        ring_put(&rx, (uint8_t)(0x40 + i));
    assert(rx.dropped == 2);
    assert(ring_free(&rx) == 0);
    assert(ring_get(&rx, &b) && b == 0x40);
}

static void test_wrap(void)
{
    struct ring r;
    uint8_t b;
    ring_reset(&r);
    for (int round = 0; round < 20; round++) {
        assert(ring_put(&r, (uint8_t)round));
        assert(ring_put(&r, (uint8_t)(100 + round)));
        assert(ring_get(&r, &b) && b == round);
        assert(ring_get(&r, &b) && b == 100 + round);
    }
    assert(r.head == r.tail);
}

static void test_blocks(void)
{
    struct ring r;
    uint8_t in[6] = { 1, 2, 3, 4, 5, 6 }, out[8];
    ring_reset(&r);
    assert(ring_write(&r, in, 6));
    assert(!ring_write(&r, in, 3));
    assert(ring_read(&r, out, 4) == 4);
    assert(out[3] == 4);
    assert(ring_write(&r, in, 6));
    assert(ring_read(&r, out, 8) == 8);
    assert(out[0] == 5 && out[1] == 6 && out[2] == 1 && out[7] == 6);
}

static void test_peek(void)
{
    struct ring r;
    uint8_t b;
    ring_reset(&r);
    assert(ring_peek(&r, 0) == -1);
    for (int i = 0; i < 7; i++)
        ring_put(&r, (uint8_t)i);
    for (int i = 0; i < 6; i++)
        ring_get(&r, &b);
    ring_put(&r, 77);
    ring_put(&r, 88);
    assert(ring_peek(&r, 0) == 6);
    assert(ring_peek(&r, 2) == 88);
    assert(ring_peek(&r, 3) == -1);
}

int main(void)
{
    test_fifo();
    test_overflow();
    test_wrap();
    test_blocks();
    test_peek();
    return 0;
}
