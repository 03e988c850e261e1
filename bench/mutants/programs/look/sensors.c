/* Signal processing with hidden state: debouncing, moving averages, alarms through callbacks. */
#include <assert.h>
#include <stdbool.h>
#include <string.h>

#define WINDOW 4

typedef void (*alarm_fn)(int value);

static int alarms, last_alarm;

static void remember_alarm(int value)
{
    alarms++;
    last_alarm = value;
}

static int next_serial(void)
{
    static int serial = 100;
    return serial++;
}

/* Mean of the last WINDOW samples; reset forgets them. */
static int moving_average(int sample, bool reset)
{
    static int window[WINDOW];
    static int filled, at;
    int sum = 0;

    if (reset) {
        memset(window, 0, sizeof window);
        filled = at = 0;
        return 0;
    }
    window[at] = sample;
    at = (at + 1) % WINDOW;
    if (filled < WINDOW)
        filled++;
    for (int i = 0; i < filled; i++)
        sum += window[i];
    return sum / filled;
}

struct debouncer {
    bool level;
    int stable;
    int needed;
};

/* The level changes only after it was different `needed` times in a row. */
static bool debounce(struct debouncer *d, bool raw)
{
    if (raw == d->level) {
        d->stable = 0;
    } else if (++d->stable >= d->needed) {
        d->level = raw;
        d->stable = 0;
    }
    return d->level;
}

struct threshold {
    int high, low;     /* with hysteresis */
    bool active;
    int id;
    alarm_fn notify;
};

static void threshold_init(struct threshold *t, int high, int low, alarm_fn notify)
{
    t->high = high;
    t->low = low;
    t->active = false;
    t->id = next_serial();
    t->notify = notify;
}

static void threshold_feed(struct threshold *t, int value)
{
    if (!t->active && value >= t->high) {
        t->active = true;
        if (t->notify)
            t->notify(value);
    } else if (t->active && value <= t->low) {
        t->active = false;
    }
}

static int feed_all(struct threshold *t, const int *values, int n)
{
    int highest = 0;
    for (int i = 0; i < n; i++) {
        int smooth = moving_average(values[i], false);
        if (i == 0 || smooth > highest)
            highest = smooth;
        threshold_feed(t, smooth);
    }
    return highest;
}

/* Degrees from a raw value by a table with linear interpolation. */
static int calibrate(int raw)
{
    static const int table[][2] = { { 0, -40 }, { 100, 0 }, { 300, 50 }, { 1000, 120 } };
    int n = sizeof table / sizeof table[0];

    if (raw <= table[0][0])
        return table[0][1];
    for (int i = 1; i < n; i++) {
        if (raw <= table[i][0]) {
            int dx = table[i][0] - table[i - 1][0];
            int dy = table[i][1] - table[i - 1][1];
            return table[i - 1][1] + (raw - table[i - 1][0]) * dy / dx;
        }
    }
    return table[n - 1][1];
}

static void test_average(void)
{
    moving_average(0, true);
    assert(moving_average(8, false) == 8);
    assert(moving_average(4, false) == 6);
    assert(moving_average(0, false) == 4);
    assert(moving_average(0, false) == 3);
    assert(moving_average(12, false) == 4);
    moving_average(0, true);
    assert(moving_average(5, false) == 5);
}

static void test_debounce(void)
{
    struct debouncer d = { false, 0, 3 };
    assert(!debounce(&d, true));
    assert(!debounce(&d, true));
    assert(!debounce(&d, false));
    assert(!debounce(&d, true));
    assert(!debounce(&d, true));
    assert(debounce(&d, true));
    assert(debounce(&d, false));
    assert(d.stable == 1);
}

static void test_alarm(void)
{
    static const int values[] = { 10, 90, 80, 100, 10, 0, 0, 70 };
    struct threshold t;
    alarms = 0;
    moving_average(0, true);
    threshold_init(&t, 60, 30, remember_alarm);
    assert(feed_all(&t, values, 8) == 70);
    assert(alarms == 1);
    assert(last_alarm == 60);
    assert(!t.active);
    threshold_feed(&t, 59);
    assert(alarms == 1);
    threshold_feed(&t, 61);
    assert(alarms == 2);
}

static void test_serial(void)
{
    struct threshold a, b;
    threshold_init(&a, 1, 0, NULL);
    threshold_init(&b, 1, 0, NULL);
    assert(b.id == a.id + 1);
    threshold_feed(&a, 5);
    assert(a.active);
    assert(!b.active);
}

static void test_calibrate(void)
{
    assert(calibrate(-5) == -40);
    assert(calibrate(50) == -20);
    assert(calibrate(100) == 0);
    assert(calibrate(200) == 25);
    assert(calibrate(650) == 85);
    assert(calibrate(2000) == 120);
}

int main(void)
{
    test_average();
    test_debounce();
    test_alarm();
    test_serial();
    test_calibrate();
    return 0;
}
