/* Least recently used cache: array of entries, linked by index. */
#include <assert.h>

#define CAPACITY 3
#define NIL (-1)

struct entry {
    int key, value;
    int older, newer;
};

struct cache {
    struct entry entries[CAPACITY];
    int used;
    int newest, oldest;
    int hits, misses;
};

typedef int (*loader)(int key);

static void cache_init(struct cache *c)
{
    c->used = 0;
    c->newest = c->oldest = NIL;
    c->hits = c->misses = 0;
}

static void detach(struct cache *c, int i)
{
    struct entry *e = &c->entries[i];

    if (e->newer != NIL)
        c->entries[e->newer].older = e->older;
    else
        c->newest = e->older;
    if (e->older != NIL)
        c->entries[e->older].newer = e->newer;
    else
        c->oldest = e->newer;
}

static void attach_newest(struct cache *c, int i)
{
    struct entry *e = &c->entries[i];

    e->newer = NIL;
    e->older = c->newest;
    if (c->newest != NIL)
        c->entries[c->newest].newer = i;
    c->newest = i;
    if (c->oldest == NIL)
        c->oldest = i;
}

static int lookup(const struct cache *c, int key)
{
    int i = c->newest;
    while (i != NIL && c->entries[i].key != key)
        i = c->entries[i].older;
    return i;
}

static int cache_get(struct cache *c, int key, int *value)
{
    int i = lookup(c, key);
    if (i == NIL) {
        c->misses++;
        return 0;
    }
    c->hits++;
    detach(c, i);
    attach_newest(c, i);
    *value = c->entries[i].value;
    return 1;
}

static void cache_put(struct cache *c, int key, int value)
{
    int i = lookup(c, key);

    if (i != NIL) {
        detach(c, i);
    } else if (c->used < CAPACITY) {
        i = c->used++;
    } else {
        i = c->oldest;
        detach(c, i);
    }
    c->entries[i].key = key;
    c->entries[i].value = value;
    attach_newest(c, i);
}

static int cache_fetch(struct cache *c, int key, loader load)
{
    int value;
    if (!cache_get(c, key, &value)) {
        value = load(key);
        cache_put(c, key, value);
    }
    return value;
}

static int loads;

static int load_square(int key)
{
    loads++;
    return key * key;
}

static int order_is(const struct cache *c, int first, int second, int third)
{
    int i = c->newest;
    int keys[CAPACITY] = { first, second, third };

    for (int k = 0; k < c->used; k++) {
        if (i == NIL || c->entries[i].key != keys[k])
            return 0;
        i = c->entries[i].older;
    }
    return i == NIL;
}

static void test_put_get(void)
{
    struct cache c;
    int v = 0;
    cache_init(&c);
    assert(!cache_get(&c, 1, &v));
    cache_put(&c, 1, 10);
    cache_put(&c, 2, 20);
    assert(cache_get(&c, 1, &v));
    assert(v == 10);
    cache_put(&c, 1, 11);
    assert(cache_get(&c, 1, &v) && v == 11);
    assert(c.used == 2);
    assert(c.hits == 2 && c.misses == 1);
}

static void test_evict(void)
{
    struct cache c;
    int v = 0;
    cache_init(&c);
    for (int k = 1; k <= 4; k++)
        cache_put(&c, k, k * 100);
    assert(!cache_get(&c, 1, &v));
    assert(cache_get(&c, 2, &v) && v == 200);
    assert(order_is(&c, 2, 4, 3));
    cache_put(&c, 5, 500);
    assert(!cache_get(&c, 3, &v));
    assert(cache_get(&c, 4, &v));
}

static void test_recent(void)
{
    struct cache c;
    int v = 0;
    cache_init(&c);
    cache_put(&c, 1, 1);
    cache_put(&c, 2, 2);
    cache_put(&c, 3, 3);
    assert(order_is(&c, 3, 2, 1));
    assert(cache_get(&c, 1, &v));
    assert(order_is(&c, 1, 3, 2));
    cache_put(&c, 3, 33);
    assert(order_is(&c, 3, 1, 2));
    cache_put(&c, 4, 4);
    assert(order_is(&c, 4, 3, 1));
    assert(c.entries[c.oldest].key == 1);
}

static void test_single(void)
{
    struct cache c;
    int v = 0;
    cache_init(&c);
    cache_put(&c, 7, 70);
    assert(c.newest == c.oldest);
    assert(cache_get(&c, 7, &v));
    assert(c.newest == 0 && c.oldest == 0);
    assert(c.entries[0].newer == NIL && c.entries[0].older == NIL);
}

static void test_fetch(void)
{
    struct cache c;
    cache_init(&c);
    loads = 0;
    assert(cache_fetch(&c, 5, load_square) == 25);
    assert(cache_fetch(&c, 5, load_square) == 25);
    assert(loads == 1);
    cache_fetch(&c, 6, load_square);
    cache_fetch(&c, 7, load_square);
    cache_fetch(&c, 8, load_square);
    assert(cache_fetch(&c, 5, load_square) == 25);
    assert(loads == 5);
    assert(c.misses == 5);
}

int main(void)
{
    test_put_get();
    test_evict();
    test_recent();
    test_single();
    test_fetch();
    return 0;
}
