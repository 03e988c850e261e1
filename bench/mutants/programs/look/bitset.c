/* A set of small numbers, one bit each. */
#include <assert.h>
#include <stdint.h>

#define WORD_BITS 32
#define WORDS 4
#define MAX_ELEMENT (WORDS * WORD_BITS)

typedef struct {
  uint32_t word[WORDS];
} BitSet;

static void clear(BitSet *s) {
  for (int w = 0; w < WORDS; w++)
    s->word[w] = 0;
}

static void add(BitSet *s, int e) { s->word[e / WORD_BITS] |= UINT32_C(1) << (e % WORD_BITS); }

static void drop(BitSet *s, int e) { s->word[e / WORD_BITS] &= ~(UINT32_C(1) << (e % WORD_BITS)); }

static int has(const BitSet *s, int e) {
  if (e < 0 || e >= MAX_ELEMENT)
    return 0;
  return (s->word[e / WORD_BITS] >> (e % WORD_BITS)) & 1;
}

static int popcount(uint32_t x) {
  int n = 0;
  while (x) {
    x &= x - 1;
    n++;
  }
  return n;
}

static int cardinality(const BitSet *s) {
  int n = 0;
  for (int w = 0; w < WORDS; w++)
    n += popcount(s->word[w]);
  return n;
}

static BitSet unite(const BitSet *a, const BitSet *b) {
  BitSet r;
  for (int w = 0; w < WORDS; w++)
    r.word[w] = a->word[w] | b->word[w];
  return r;
}

static BitSet minus(const BitSet *a, const BitSet *b) {
  BitSet r;
  for (int w = 0; w < WORDS; w++)
    r.word[w] = a->word[w] & ~b->word[w];
  return r;
}

static int subset(const BitSet *a, const BitSet *b) {
  for (int w = 0; w < WORDS; w++)
    if ((a->word[w] & b->word[w]) != a->word[w])
      return 0;
  return 1;
}

/* The least element that is at least from, or -1. */
static int next_element(const BitSet *s, int from) {
  for (int e = from; e < MAX_ELEMENT; e++) {
    if (e % WORD_BITS == 0 && s->word[e / WORD_BITS] == 0) {
      e += WORD_BITS - 1;
      continue;
    }
    if (has(s, e))
      return e;
  }
  return -1;
}

/* Sieve of Eratosthenes: the set of primes below limit. */
static void primes(BitSet *s, int limit) {
  clear(s);
  for (int i = 2; i < limit; i++)
    add(s, i);
  for (int i = 2; i * i < limit; i++) {
    if (!has(s, i))
      continue;
    for (int j = i * i; j < limit; j += i)
      drop(s, j);
  }
}

static void test_add_drop(void) {
  BitSet s;
  clear(&s);
  add(&s, 0);
  add(&s, 31);
  add(&s, 32);
  add(&s, 127);
  assert(cardinality(&s) == 4);
  assert(has(&s, 31) && has(&s, 32) && !has(&s, 33));
  drop(&s, 32);
  assert(!has(&s, 32));
  assert(has(&s, 0));
  assert(!has(&s, 128) && !has(&s, -1));
}

static void test_algebra(void) {
  BitSet a, b;
  clear(&a);
  clear(&b);
  for (int i = 0; i < 40; i += 2)
    add(&a, i);
  for (int i = 0; i < 40; i += 3)
    add(&b, i);
  BitSet u = unite(&a, &b);
  assert(cardinality(&u) == 27);
  BitSet m = minus(&a, &b);
  assert(cardinality(&m) == 13);
  assert(has(&m, 2) && !has(&m, 6));
  assert(subset(&m, &a) && subset(&a, &u) && !subset(&u, &b));
}

static void test_next(void) {
  BitSet s;
  clear(&s);
  add(&s, 5);
  add(&s, 100);
  assert(next_element(&s, 0) == 5);
  assert(next_element(&s, 5) == 5);
  assert(next_element(&s, 6) == 100);
  assert(next_element(&s, 101) == -1);
}

static void test_primes(void) {
  BitSet p;
  primes(&p, 100);
  assert(cardinality(&p) == 25);
  assert(has(&p, 97));
  assert(!has(&p, 49));
  assert(next_element(&p, 90) == 97);
}

int main(void) {
  test_add_drop();
  test_algebra();
  test_next();
  test_primes();
  return 0;
}
