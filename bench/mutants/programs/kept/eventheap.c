/* Event queue as a binary heap, and a simulation of a shop with one till. */
#include <assert.h>

#define HEAP_MAX 32

enum event_kind { ARRIVE, SERVED, CLOSE };

struct event {
  int time;
  int order;  /* the earlier of equal times first */
  enum event_kind kind;
};

struct heap {
  struct event items[HEAP_MAX];
  int size;
  int next_order;
};

#define PARENT(i) (((i)-1) / 2)
#define LEFT(i) (2 * (i) + 1)

static void heap_init(struct heap *h) {
  h->size = 0;
  h->next_order = 0;
}

static int before(const struct event *a, const struct event *b) {
  if (a->time != b->time)
    return a->time < b->time;
  return a->order < b->order;
}

static void exchange(struct heap *h, int i, int j) {
  struct event t = h->items[i];
  h->items[i] = h->items[j];
  h->items[j] = t;
}

static void sift_up(struct heap *h, int i) {
  while (i > 0 && before(&h->items[i], &h->items[PARENT(i)])) {
    exchange(h, i, PARENT(i));
    i = PARENT(i);
  }
}

static void sift_down(struct heap *h, int i) {
  for (;;) {
    int least = i;
    int l = LEFT(i), r = l + 1;
    if (l < h->size && before(&h->items[l], &h->items[least]))
      least = l;
    if (r < h->size && before(&h->items[r], &h->items[least]))
      least = r;
    if (least == i)
      return;
    exchange(h, i, least);
    i = least;
  }
}

static int heap_push(struct heap *h, int time, enum event_kind kind) {
  if (h->size == HEAP_MAX)
    return 0;
  struct event *e = &h->items[h->size];
  e->time = time;
  e->kind = kind;
  e->order = h->next_order++;
  sift_up(h, h->size++);
  return 1;
}

static struct event heap_pop(struct heap *h) {
  struct event first = h->items[0];
  h->items[0] = h->items[--h->size];
  sift_down(h, 0);
  return first;
}

static int is_heap(const struct heap *h) {
  for (int i = 1; i < h->size; i++)
    if (before(&h->items[i], &h->items[PARENT(i)]))
      return 0;
  return 1;
}

struct shop {
  int waiting, longest_queue;
  int served, turned_away;
  int busy, open;
  int total_wait, changed_at;
};

static void advance(struct shop *s, int now) {
  s->total_wait += s->waiting * (now - s->changed_at);
  s->changed_at = now;
}

static void start_service(struct shop *s, struct heap *h, int now, int duration) {
  s->busy = 1;
  heap_push(h, now + duration, SERVED);
}

static int simulate(struct shop *s, struct heap *h, int duration) {
  int now = 0;
  while (h->size > 0) {
    struct event e = heap_pop(h);
    now = e.time;
    advance(s, now);
    switch (e.kind) {
    case ARRIVE:
      if (!s->open) {
        s->turned_away++;
        break;
      }
      if (s->busy) {
        s->waiting++;
        if (s->waiting > s->longest_queue)
          s->longest_queue = s->waiting;
      } else {
        start_service(s, h, now, duration);
      }
      break;
    case SERVED:
      s->served++;
      s->busy = 0;
      if (s->waiting > 0) {
        s->waiting--;
        start_service(s, h, now, duration);
      }
      break;
    case CLOSE:
      s->open = 0;
      break;
    }
  }
  return now;
}

static void test_order(void) {
  static const int times[] = {9, 4, 7, 1, 8, 2, 6};
  struct heap h;
  int last = -1;
  heap_init(&h);
  for (int i = 0; i < 7; i++) {
    assert(heap_push(&h, times[i], ARRIVE));
    assert(is_heap(&h));
  }
  while (h.size > 0) {
    struct event e = heap_pop(&h);
    assert(is_heap(&h));
    assert(e.time > last);
    last = e.time;
  }
  assert(last == 9);
}

static void test_equal_times(void) {
  struct heap h;
  heap_init(&h);
  heap_push(&h, 5, ARRIVE);
  heap_push(&h, 5, SERVED);
  heap_push(&h, 5, CLOSE);
  heap_push(&h, 3, CLOSE);
  assert(heap_pop(&h).time == 3);
  assert(heap_pop(&h).kind == ARRIVE);
  assert(heap_pop(&h).kind == SERVED);
  assert(heap_pop(&h).kind == CLOSE);
  assert(h.size == 0);
}

static void test_full(void) {
  struct heap h;
  heap_init(&h);
  for (int i = 0; i < HEAP_MAX; i++)
    assert(heap_push(&h, HEAP_MAX - i, ARRIVE));
  assert(!heap_push(&h, 0, ARRIVE));
  assert(heap_pop(&h).time == 1);
  assert(h.size == 31);
}

static void test_shop(void) {
  struct shop s = {.open = 1};
  struct heap h;
  heap_init(&h);
  heap_push(&h, 0, ARRIVE);
  heap_push(&h, 2, ARRIVE);
  heap_push(&h, 3, ARRIVE);
  heap_push(&h, 20, ARRIVE);
  assert(simulate(&s, &h, 5) == 25);
  assert(s.served == 4);
  assert(s.longest_queue == 2);
  assert(s.total_wait == 3 + 7);
  assert(s.turned_away == 0);
}

static void test_closing(void) {
  struct shop s = {.open = 1};
  struct heap h;
  heap_init(&h);
  heap_push(&h, 8, CLOSE);
  heap_push(&h, 1, ARRIVE);
  heap_push(&h, 8, ARRIVE);
  heap_push(&h, 7, ARRIVE);
  assert(simulate(&s, &h, 10) == 21);
  assert(s.turned_away == 1);
  assert(s.served == 2);
  assert(!s.busy);
}

int main(void) {
  test_order();
  test_equal_times();
  test_full();
  test_shop();
  test_closing();
  return 0;
}
