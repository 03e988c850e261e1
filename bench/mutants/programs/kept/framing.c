/* Serial protocol: frames with escape bytes, length, checksum and sequence numbers. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#define FLAG 0x7E
#define ESCAPE 0x7D
#define FLIP 0x20
#define MAX_PAYLOAD 16

typedef enum { WAIT_FLAG, IN_HEADER, IN_PAYLOAD, IN_CHECK } RxState;

typedef struct {
    RxState state;
    int escaped;
    uint8_t sequence;
    uint8_t length;
    uint8_t payload[MAX_PAYLOAD];
    int received;
    int header_bytes;
    uint8_t check;
    int good, bad;
    int expected;   /* next sequence number, -1 before the first frame */
    int lost;
} Receiver;

static int put_escaped(uint8_t *out, int at, uint8_t byte)
{
    if (byte == FLAG || byte == ESCAPE) {
        out[at++] = ESCAPE;
        byte ^= FLIP;
    }
    out[at++] = byte;
    return at;
}

static int build_frame(uint8_t *out, uint8_t sequence, const uint8_t *data, uint8_t length)
{
    int at = 0;
    uint8_t check = (uint8_t)(sequence + length);

    out[at++] = FLAG;
    at = put_escaped(out, at, sequence);
    at = put_escaped(out, at, length);
    for (int i = 0; i < length; i++) {
        at = put_escaped(out, at, data[i]);
        check = (uint8_t)(check + data[i]);
    }
    return put_escaped(out, at, (uint8_t)~check);
}

static void rx_init(Receiver *rx)
{
    memset(rx, 0, sizeof *rx);
    rx->state = WAIT_FLAG;
    rx->expected = -1;
}

static void start_frame(Receiver *rx)
{
    rx->state = IN_HEADER;
    rx->escaped = 0;
    rx->received = 0;
    rx->header_bytes = 0;
    rx->check = 0;
}

static void finish_frame(Receiver *rx, uint8_t byte)
{
    rx->state = WAIT_FLAG;
    if ((uint8_t)(rx->check + byte) != 0xFF) {
        rx->bad++;
        return;
    }
    rx->good++;
    if (rx->expected >= 0)
        rx->lost += (uint8_t)(rx->sequence - rx->expected);
    rx->expected = (uint8_t)(rx->sequence + 1);
}

/* Returns 1 when a good frame is complete. */
static int rx_byte(Receiver *rx, uint8_t byte)
{
    int before = rx->good;

    if (byte == FLAG) {
        if (rx->state != WAIT_FLAG)
            rx->bad++;
        start_frame(rx);
        return 0;
    }
    if (rx->state == WAIT_FLAG)
        return 0;
    if (byte == ESCAPE) {
        rx->escaped = 1;
        return 0;
    }
    if (rx->escaped) {
        byte ^= FLIP;
        rx->escaped = 0;
    }
    switch (rx->state) {
    case IN_HEADER:
        rx->check = (uint8_t)(rx->check + byte);
        if (rx->header_bytes++ == 0) {
            rx->sequence = byte;
            break;
        }
        rx->length = byte;
        if (byte > MAX_PAYLOAD) {
            rx->bad++;
            rx->state = WAIT_FLAG;
        } else {
            rx->state = byte == 0 ? IN_CHECK : IN_PAYLOAD;
        }
        break;
    case IN_PAYLOAD:
        rx->payload[rx->received++] = byte;
        rx->check = (uint8_t)(rx->check + byte);
        if (rx->received == rx->length)
            rx->state = IN_CHECK;
        break;
    case IN_CHECK:
        finish_frame(rx, byte);
        break;
    case WAIT_FLAG:
        break;
    }
    return rx->good > before;
}

static int rx_all(Receiver *rx, const uint8_t *bytes, int n)
{
    int frames = 0;
    for (int i = 0; i < n; i++)
        frames += rx_byte(rx, bytes[i]);
    return frames;
}

static void test_build(void)
{
    uint8_t out[40];
    const uint8_t data[] = { 0x01, 0x7E };
    assert(build_frame(out, 5, data, 2) == 7);
    assert(out[0] == FLAG && out[1] == 5 && out[2] == 2);
    assert(out[4] == ESCAPE && out[5] == 0x5E);
    assert(out[6] == 0x79);
}

static void test_receive(void)
{
    Receiver rx;
    uint8_t out[40];
    const uint8_t data[] = { 10, 0x7D, 30, 0x7E };
    int n = build_frame(out, 1, data, 4);
    rx_init(&rx);
    assert(rx_all(&rx, out, n) == 1);
    assert(rx.length == 4);
    assert(memcmp(rx.payload, data, 4) == 0);
    assert(rx.bad == 0);
    n = build_frame(out, 2, data, 0);
    assert(rx_all(&rx, out, n) == 1);
    assert(rx.length == 0);
    assert(rx.lost == 0);
}

static void test_damaged(void)
{
    Receiver rx;
    uint8_t out[40];
    const uint8_t data[] = { 1, 2, 3 };
    int n = build_frame(out, 1, data, 3);
    out[4] ^= 1;
    rx_init(&rx);
    assert(rx_all(&rx, out, n) == 0);
    assert(rx.bad == 1);
    assert(rx_all(&rx, out, 3) == 0);
    out[4] ^= 1;
    assert(rx_all(&rx, out, n) == 1);
    assert(rx.bad == 2);
}

static void test_too_long(void)
{
    Receiver rx;
    const uint8_t bytes[] = { 9, FLAG, 1, 17, 5, 5, FLAG, 1, 1, 5, 0xF8 };
    rx_init(&rx);
    assert(rx_all(&rx, bytes, sizeof bytes) == 1);
    assert(rx.bad == 1);
    assert(rx.payload[0] == 5);
}

static void test_lost(void)
{
    Receiver rx;
    uint8_t out[40];
    static const uint8_t numbers[] = { 253, 254, 1, 2, 6 };
    rx_init(&rx);
    for (int i = 0; i < 5; i++) {
        int n = build_frame(out, numbers[i], numbers, 2);
        assert(rx_all(&rx, out, n) == 1);
    }
    assert(rx.good == 5);
    assert(rx.lost == 5);
}

int main(void)
{
    test_build();
    test_receive();
    test_damaged();
    test_too_long();
    test_lost();
    return 0;
}
