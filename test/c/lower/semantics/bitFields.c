#include <stdio.h>
#include <string.h>
#define SHOW(x) printf("%s = %lld\n", #x, (long long)(x))

struct fields {
  int a : 3;
  unsigned b : 5;
  unsigned long long c : 33;
  _Bool d : 1;
  signed char e;
  int : 0;
  short f : 9;
};
struct mixed {
  char c;
  int b : 8;
  int d : 20;
  long e : 5;
};
struct packed {
  char c;
  int x : 13;
  unsigned y : 30;
  short s;
} __attribute__((packed));

static void dump(const void *object, unsigned size) {
  const unsigned char *bytes = object;
  for (unsigned i = 0; i < size; i++) printf("%02x", bytes[i]);
  printf("\n");
}

static struct fields initialised = {.b = 9, .f = -4};

int main(void) {
  struct fields s = {-1, 31, 0x1ffffffffULL, 1, -5, 255};
  SHOW(s.a);
  SHOW(s.b);
  SHOW(s.c);
  SHOW(s.d);
  SHOW(s.e);
  SHOW(s.f);
  s.a = 5;
  SHOW(s.a);
  SHOW(s.b++);
  SHOW(s.b);
  SHOW(--s.b);
  s.b += 40;
  SHOW(s.b);
  SHOW(s.a = 7);
  SHOW(s.d = 2);
  SHOW(s.d--);
  SHOW(s.d);
  SHOW(s.d--);
  s.f = 300;
  SHOW(s.f);
  SHOW(s.b - 100 < 0);
  SHOW((s.b ^ ~0) < 0);
  SHOW(sizeof(-s.b));
  s.c = 0x1ffffffffULL;
  SHOW(s.c << 1);
  SHOW(s.c + 1);
  SHOW(s.c * s.c);
  SHOW(s.c + 1ULL);
  SHOW(~s.c);
  SHOW(-s.c);
  SHOW(s.c > -1);
  SHOW(s.c / -1);
  SHOW(++s.c);
  SHOW(s.c - 1);
  SHOW(initialised.a + initialised.b + initialised.f);

  struct mixed m;
  memset(&m, 0, sizeof m);
  m.d = -1;
  dump(&m, sizeof m);
  m.b = 0x7f;
  m.e = 3;
  m.c = 1;
  dump(&m, sizeof m);
  SHOW(m.d);
  struct packed p;
  memset(&p, 0xff, sizeof p);
  p.y = 5;
  dump(&p, sizeof p);
  p.x = -2;
  p.s = 0x1234;
  dump(&p, sizeof p);
  SHOW(p.x + p.y);
  struct packed copy = p;
  SHOW(copy.x);
  return 0;
}
