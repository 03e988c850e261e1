/* Appointments as intervals of minutes: merging, gaps, clashes. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SLOTS 16

typedef struct {
    int start, end;    /* end is not included */
} Slot;

typedef struct {
    Slot slot[MAX_SLOTS];
    int n;
} Agenda;

static int by_start(const void *a, const void *b)
{
    const Slot *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->end - y->end;
}

static int minutes(const char *clock)
{
    int h = (clock[0] - '0') * 10 + (clock[1] - '0');
    int m = (clock[3] - '0') * 10 + (clock[4] - '0');
    if (clock[2] != ':' || h > 24 || m > 59)
        return -1;
    return h * 60 + m;
}

static int agenda_add(Agenda *a, const char *from, const char *to)
{
    Slot s = { minutes(from), minutes(to) };
    if (s.start < 0 || s.end <= s.start || a->n == MAX_SLOTS)
        return 0;
    a->slot[a->n++] = s;
    return 1;
}

static void agenda_sort(Agenda *a)
{
    qsort(a->slot, a->n, sizeof(Slot), by_start);
}

/* Joins slots that overlap or touch. */
static void agenda_merge(Agenda *a)
{
    int kept = 0;

    if (a->n == 0)
        return;
    agenda_sort(a);
    for (int i = 1; i < a->n; i++) {
        Slot *last = &a->slot[kept];
        if (a->slot[i].start <= last->end) {
            if (a->slot[i].end > last->end)
                last->end = a->slot[i].end;
        } else {
            a->slot[++kept] = a->slot[i];
        }
    }
    a->n = kept + 1;
}

static int busy_minutes(const Agenda *a)
{
    Agenda copy = *a;
    int total = 0;
    agenda_merge(&copy);
    for (int i = 0; i < copy.n; i++)
        total += copy.slot[i].end - copy.slot[i].start;
    return total;
}

/* Start of the first gap of that length between from and to, or -1. */
static int first_gap(const Agenda *a, int from, int to, int length)
{
    Agenda copy = *a;
    int at = from;

    agenda_merge(&copy);
    for (int i = 0; i < copy.n; i++) {
        if (copy.slot[i].start >= to)
            break;
        if (copy.slot[i].start - at >= length)
            return at;
        if (copy.slot[i].end > at)
            at = copy.slot[i].end;
    }
    return to - at >= length ? at : -1;
}

/* The largest number of appointments at the same time. */
static int most_at_once(const Agenda *a)
{
    int most = 0;
    for (int i = 0; i < a->n; i++) {
        int at = a->slot[i].start, here = 0;
        for (int j = 0; j < a->n; j++)
            if (a->slot[j].start <= at && at < a->slot[j].end)
                here++;
        if (here > most)
            most = here;
    }
    return most;
}

static void test_clock(void)
{
    assert(minutes("00:00") == 0);
    assert(minutes("09:30") == 570);
    assert(minutes("23:59") == 1439);
    assert(minutes("12:60") == -1);
    assert(minutes("25:00") == -1);
    assert(minutes("12.30") == -1);
    assert(minutes("24:00") == 1440);
}

static void test_add(void)
{
    Agenda a = { .n = 0 };
    assert(agenda_add(&a, "09:00", "10:00"));
    assert(!agenda_add(&a, "10:00", "10:00"));
    assert(!agenda_add(&a, "11:00", "10:00"));
    assert(!agenda_add(&a, "99:00", "10:00"));
    assert(a.n == 1);
    for (int i = 0; i < 15; i++)
        assert(agenda_add(&a, "09:00", "10:00"));
    assert(!agenda_add(&a, "09:00", "10:00"));
}

static void test_merge(void)
{
    Agenda a = { .n = 0 };
    agenda_add(&a, "14:00", "15:00");
    agenda_add(&a, "09:00", "10:30");
    agenda_add(&a, "10:30", "11:00");
    agenda_add(&a, "09:15", "10:00");
    agenda_merge(&a);
    assert(a.n == 2);
    assert(a.slot[0].start == 540 && a.slot[0].end == 660);
    assert(a.slot[1].start == 840);
    assert(busy_minutes(&a) == 180);
}

static void test_gap(void)
{
    Agenda a = { .n = 0 };
    agenda_add(&a, "09:00", "10:00");
    agenda_add(&a, "10:30", "12:00");
    agenda_add(&a, "13:00", "17:30");
    assert(first_gap(&a, 540, 1080, 30) == 600);
    assert(first_gap(&a, 540, 1080, 31) == 720);
    assert(first_gap(&a, 540, 1080, 61) == -1);
    assert(first_gap(&a, 480, 1080, 60) == 480);
    assert(first_gap(&a, 780, 1080, 30) == 1050);
    assert(first_gap(&a, 615, 630, 15) == 615);
}

static void test_clashes(void)
{
    Agenda a = { .n = 0 };
    assert(most_at_once(&a) == 0);
    agenda_add(&a, "09:00", "11:00");
    agenda_add(&a, "10:00", "12:00");
    agenda_add(&a, "11:00", "12:00");
    assert(most_at_once(&a) == 2);
    agenda_add(&a, "10:30", "11:30");
    assert(most_at_once(&a) == 3);
    assert(busy_minutes(&a) == 180);
}

int main(void)
{
    test_clock();
    test_add();
    test_merge();
    test_gap();
    test_clashes();
    return 0;
}
