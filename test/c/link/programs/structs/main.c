#include <stdio.h>
#include "shapes.h"
/* Another struct of the same tag, in a scope of its own. */
static int own(void) {
  struct stack { char c; } s = {'a'};
  return s.c + (int)sizeof s;
}
struct bits last;
int main(void) {
  struct stack *s = stack_new();
  for (int i = 0; i < 20; i++) stack_push(s, i * i);
  int sum = 0;
  for (int i = 0; i < 20; i++) sum += (i + 1) * stack_pop(s);
  point p = moved((point){3, 4}, 10);
  struct bits b = packed(0x1ff);
  union word w = swapped((union word){.u = 0x11223344});
  struct node n[3] = {{0, {1, 1}}, {0, {2, 2}}, {0, {3, 3}}};
  struct node *at = 0;
  for (int i = 0; i < 3; i++) at = chain(n, i);
  int total = 0;
  for (; at != 0; at = at->next) total = total * 10 + at->at.x;
  printf("%d %d %d %u %u %d %x %d %d %d %u\n", sum, p.x, p.y, b.low, b.high, b.flag, w.u, total, darker(blue), own(), last.high);
  return _Generic(last, struct bits: 1, default: 2) + _Generic(at, struct node *: 10, default: 20);
}
