#include <stddef.h>
#include <stdio.h>
#define SHOW(x) printf("%s = %lld\n", #x, (long long)(x))

struct point {
  int x, y;
};
struct segment {
  struct point from, to;
  char tag;
};
struct nested {
  struct {
    int a, b;
  };
  union {
    int i;
    char bytes[4];
  };
  struct {
    short q;
  } in[2];
};
struct big {
  int cells[10];
};
struct mixed {
  double d;
  float f;
  char c;
};
union view {
  int i;
  float f;
  unsigned char bytes[8];
  long l;
};
struct node {
  int value;
  struct node *next;
};

static struct point origin;
static struct point start = {3, 4};

static struct point add(struct point a, struct point b) {
  struct point result = {a.x + b.x, a.y + b.y};
  a.x = 1000;
  return result;
}
static struct segment join(struct point a, struct point b) {
  return (struct segment){a, b, 's'};
}
static int length(struct segment s) {
  s.to.x -= s.from.x;
  s.to.y -= s.from.y;
  return s.to.x + s.to.y;
}
static struct nested make(int a) {
  struct nested n = {{a, a + 1}, {a + 2}, {{a + 3}, {a + 4}}};
  return n;
}
static struct big fill(int from) {
  struct big b;
  for (int i = 0; i < 10; i++) b.cells[i] = from + i;
  return b;
}
static int total(struct big b) {
  int sum = 0;
  for (int i = 0; i < 10; i++) {
    sum += b.cells[i];
    b.cells[i] = 0;
  }
  return sum;
}
static struct mixed move(struct mixed m, double by) {
  m.d += by;
  m.f *= 2;
  m.c++;
  return m;
}
static struct point *shift(struct point *p, int by) {
  p->x += by;
  return p;
}
static struct big (*filler)(int) = fill;

int main(int argc, char **argv) {
  struct point p = {1, 2}, q = p, r;
  q.x = 10;
  r = q;
  r = add(p, add(q, r));
  SHOW(p.x);
  SHOW(r.x);
  SHOW(r.y);
  start = add(start, origin);
  SHOW(start.x * 10 + start.y);
  SHOW(add(p, q).y);
  SHOW((argc ? p : q).x);
  SHOW((p, q).x);
  SHOW((r = p).y);
  struct point moved = {5, 5};
  SHOW(shift(&moved, 3)->x);
  SHOW(shift(shift(&moved, 1), 1)->x);

  struct segment s = join(p, moved);
  SHOW(length(s));
  SHOW(s.to.x);
  s.from = s.to;
  SHOW(length(s));
  SHOW(s.tag);
  struct segment all[2] = {s, [1].from.y = 7};
  all[1].to = all[0].from;
  SHOW(all[1].from.y + all[1].to.x);

  struct nested n = make(3), m;
  m = n;
  m.b++;
  SHOW(m.b - n.b);
  SHOW(make(5).in[1].q);
  SHOW(make(7).i);
  SHOW(make(9).bytes[0]);
  struct nested *np = &n;
  np->in[0].q = 77;
  SHOW(n.in[0].q);
  SHOW((*np).in[0].q++);
  SHOW(np->in->q);
  SHOW(offsetof(struct nested, in[1].q));

  struct big b = fill(3);
  SHOW(total(b));
  SHOW(total(fill(1)));
  SHOW(b.cells[9]);
  b = filler(100);
  SHOW(filler(2).cells[5] + b.cells[0]);

  struct mixed x = {1.5, 2.5f, 'a'};
  x = move(move(x, 1), 0.25);
  printf("%g %g %c\n", x.d, x.f, x.c);
  struct mixed xs[2] = {x, {.f = 3}};
  xs[1] = xs[0];
  xs[1].c = 'z';
  printf("%c%c %g\n", xs[0].c, xs[1].c, move(xs[1], -1).d);

  union view v;
  v.l = 0;
  v.f = 1.0f;
  SHOW(v.i);
  SHOW(v.bytes[3]);

  struct node third = {3, NULL}, second = {2, &third}, first = {1, &second};
  int sum = 0;
  for (struct node *at = &first; at; at = at->next) sum = sum * 10 + at->value;
  SHOW(sum);
  SHOW(first.next->next->value);
  SHOW(((struct point){8, 9}).y);
  int *literal = (int[]){1, 2, 3};
  SHOW(literal[2]);
  SHOW(sizeof(struct { char c; double d; }));
  return 0;
}
