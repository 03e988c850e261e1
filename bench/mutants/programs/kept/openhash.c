/* Hash map from int to int with open addressing and tombstones. */
#include <assert.h>
#include <stdbool.h>

#define SLOTS 11

typedef enum { EMPTY = 0, FULL, DELETED } SlotState;

typedef struct {
  SlotState state;
  int key;
  int value;
} Slot;

typedef struct {
  Slot slots[SLOTS];
  int live;
  int tombstones;
} Map;

static void map_init(Map *m) {
  for (int i = 0; i < SLOTS; i++)
    m->slots[i].state = EMPTY;
  m->live = 0;
  m->tombstones = 0;
}

static int home(int key) {
  int h = key % SLOTS;
  if (h < 0)
    h += SLOTS;
  return h;
}

static int find_slot(const Map *m, int key) {
  int at = home(key);
  for (int probes = 0; probes < SLOTS; probes++) {
    const Slot *s = &m->slots[at];
    if (s->state == EMPTY)
      return -1;
    if (s->state == FULL && s->key == key)
      return at;
    at = (at + 1) % SLOTS;
  }
  return -1;
}

static bool map_put(Map *m, int key, int value) {
  int at = find_slot(m, key);
  if (at >= 0) {
    m->slots[at].value = value;
    return true;
  }
  if (m->live == SLOTS)
    return false;
  at = home(key);
  while (m->slots[at].state == FULL)
    at = (at + 1) % SLOTS;
  if (m->slots[at].state == DELETED)
    m->tombstones--;
  m->slots[at].state = FULL;
  m->slots[at].key = key;
  m->slots[at].value = value;
  m->live++;
  return true;
}

static int map_get(const Map *m, int key, int otherwise) {
  int at = find_slot(m, key);
  return at < 0 ? otherwise : m->slots[at].value;
}

static void rehash(Map *m) {
  Map fresh;
  map_init(&fresh);
  for (int i = 0; i < SLOTS; i++) {
    if (m->slots[i].state == FULL)
      map_put(&fresh, m->slots[i].key, m->slots[i].value);
  }
  *m = fresh;
}

static bool map_delete(Map *m, int key) {
  int at = find_slot(m, key);
  if (at < 0)
    return false;
  m->slots[at].state = DELETED;
  m->live--;
  m->tombstones++;
  if (m->tombstones > SLOTS / 2)
    rehash(m);
  return true;
}

static int longest_probe(const Map *m) {
  int longest = 0;
  for (int i = 0; i < SLOTS; i++) {
    if (m->slots[i].state != FULL)
      continue;
    int distance = i - home(m->slots[i].key);
    if (distance < 0)
      distance += SLOTS;
    if (distance > longest)
      longest = distance;
  }
  return longest;
}

static void test_put_get(void) {
  Map m;
  map_init(&m);
  assert(map_put(&m, 5, 50));
  assert(map_put(&m, -6, 60));
  assert(map_put(&m, 5, 51));
  assert(map_get(&m, 5, 0) == 51);
  assert(map_get(&m, -6, 0) == 60);
  assert(map_get(&m, 16, -1) == -1);
  assert(m.live == 2);
}

static void test_collisions(void) {
  Map m;
  map_init(&m);
  for (int i = 0; i < 4; i++)
    map_put(&m, 9 + SLOTS * i, i);
  for (int i = 0; i < 4; i++)
    assert(map_get(&m, 9 + SLOTS * i, -1) == i);
  assert(m.slots[0].key == 31);
  assert(longest_probe(&m) == 3);
}

static void test_delete(void) {
  Map m;
  map_init(&m);
  map_put(&m, 1, 10);
  map_put(&m, 12, 120);
  map_put(&m, 23, 230);
  assert(map_delete(&m, 12));
  assert(!map_delete(&m, 12));
  assert(map_get(&m, 23, 0) == 230);
  map_put(&m, 34, 340);
  assert(m.slots[2].key == 34);
  assert(m.tombstones == 0);
  assert(m.live == 3);
}

static void test_full(void) {
  Map m;
  map_init(&m);
  for (int i = 0; i < SLOTS; i++)
    assert(map_put(&m, i * 3, i));
  assert(!map_put(&m, 1000, 1));
  assert(map_put(&m, 30, 99));
  assert(map_get(&m, 30, 0) == 99);
  assert(map_get(&m, 1000, -5) == -5);
}

static void test_rehash(void) {
  Map m;
  map_init(&m);
  for (int i = 0; i < 8; i++)
    map_put(&m, i, 100 + i);
  for (int i = 0; i < 6; i++)
    assert(map_delete(&m, i));
  assert(m.tombstones == 0);
  assert(m.live == 2);
  assert(map_get(&m, 7, 0) == 107);
  assert(map_get(&m, 0, 0) == 0);
}

int main(void) {
  test_put_get();
  test_collisions();
  test_delete();
  test_full();
  test_rehash();
  return 0;
}
