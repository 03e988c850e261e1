/* Double-ended queue that grows, and two things that use it. */
#include <assert.h>
#include <stdlib.h>

struct deque {
    int *items;
    int capacity;
    int front;    /* index of the first item */
    int size;
};

static void dq_init(struct deque *d, int capacity)
{
    d->items = malloc(capacity * sizeof(int));
    d->capacity = capacity;
    d->front = 0;
    d->size = 0;
}

static void dq_free(struct deque *d)
{
    free(d->items);
    d->items = NULL;
}

static int slot(const struct deque *d, int i)
{
    return (d->front + i) % d->capacity;
}

static void dq_grow(struct deque *d)
{
    int *items = malloc(2 * d->capacity * sizeof(int));
    for (int i = 0; i < d->size; i++)
        items[i] = d->items[slot(d, i)];
    free(d->items);
    d->items = items;
    d->capacity *= 2;
    d->front = 0;
}

static void push_back(struct deque *d, int x)
{
    if (d->size == d->capacity)
        dq_grow(d);
    d->items[slot(d, d->size)] = x;
    d->size++;
}

static void push_front(struct deque *d, int x)
{
    if (d->size == d->capacity)
        dq_grow(d);
    d->front = d->front == 0 ? d->capacity - 1 : d->front - 1;
    d->items[d->front] = x;
    d->size++;
}

static int pop_front(struct deque *d)
{
    assert(d->size > 0);
    int x = d->items[d->front];
    d->front = (d->front + 1) % d->capacity;
    d->size--;
    return x;
}

static int pop_back(struct deque *d)
{
    assert(d->size > 0);
    d->size--;
    return d->items[slot(d, d->size)];
}

static int dq_at(const struct deque *d, int i)
{
    return d->items[slot(d, i)];
}

static void rotate(struct deque *d, int steps)
{
    for (; steps > 0; steps--)
        push_back(d, pop_front(d));
    for (; steps < 0; steps++)
        push_front(d, pop_back(d));
}

/* Maximum of every stretch of k neighbours. */
static int sliding_maximum(const int *a, int n, int k, int *out)
{
    struct deque d;
    int written = 0;

    dq_init(&d, 2);
    for (int i = 0; i < n; i++) {
        while (d.size > 0 && a[dq_at(&d, d.size - 1)] <= a[i])
            pop_back(&d);
        push_back(&d, i);
        if (dq_at(&d, 0) <= i - k)
            pop_front(&d);
        if (i >= k - 1)
            out[written++] = a[dq_at(&d, 0)];
    }
    dq_free(&d);
    return written;
}

/* Who is left when every k-th of n people in a circle goes. */
static int josephus(int n, int k)
{
    struct deque d;
    int last;

    dq_init(&d, n);
    for (int i = 1; i <= n; i++)
        push_back(&d, i);
    while (d.size > 1) {
        rotate(&d, k - 1);
        pop_front(&d);
    }
    last = pop_front(&d);
    dq_free(&d);
    return last;
}

static void test_both_ends(void)
{
    struct deque d;
    dq_init(&d, 4);
    push_back(&d, 2);
    push_back(&d, 3);
    push_front(&d, 1);
    assert(d.size == 3);
    assert(dq_at(&d, 0) == 1 && dq_at(&d, 2) == 3);
    assert(pop_back(&d) == 3);
    assert(pop_front(&d) == 1);
    assert(pop_front(&d) == 2);
    assert(d.size == 0);
    dq_free(&d);
}

static void test_grow(void)
{
    struct deque d;
    dq_init(&d, 2);
    for (int i = 0; i < 5; i++) {
        push_back(&d, 10 + i);
        push_front(&d, 9 - i);
    }
    assert(d.capacity == 16);
    for (int i = 0; i < 10; i++)
        assert(dq_at(&d, i) == 5 + i);
    dq_free(&d);
}

static void test_rotate(void)
{
    struct deque d;
    dq_init(&d, 4);
    for (int i = 0; i < 4; i++)
        push_back(&d, i);
    rotate(&d, 3);
    assert(dq_at(&d, 0) == 3);
    assert(dq_at(&d, 3) == 2);
    rotate(&d, -2);
    assert(dq_at(&d, 0) == 1);
    assert(d.capacity == 4);
    dq_free(&d);
}

static void test_sliding(void)
{
    static const int a[] = { 1, 3, 3, -3, 5, 2, 2, 1 };
    int out[8];
    assert(sliding_maximum(a, 8, 3, out) == 6);
    assert(out[0] == 3 && out[1] == 3);
    assert(out[2] == 5 && out[4] == 5);
    assert(out[5] == 2);
    assert(sliding_maximum(a, 8, 1, out) == 8);
    assert(out[3] == -3);
}

static void test_josephus(void)
{
    assert(josephus(7, 3) == 4);
    assert(josephus(1, 5) == 1);
    assert(josephus(10, 2) == 5);
}

int main(void)
{
    test_both_ends();
    test_grow();
    test_rotate();
    test_sliding();
    test_josephus();
    return 0;
}
