#include "shapes.h"
point moved(point p, short by) {
  p.x += by;
  p.y -= by;
  return p;
}
struct bits packed(unsigned u) {
  last.high = u % 7;
  return (struct bits){u, u >> 2, u & 1};
}
union word swapped(union word w) {
  unsigned char t = w.bytes[0];
  w.bytes[0] = w.bytes[3];
  w.bytes[3] = t;
  return w;
}
struct node *chain(struct node *nodes, int i) {
  nodes[i].next = i > 0 ? &nodes[i - 1] : 0;
  return &nodes[i];
}
enum color darker(enum color c) { return c == blue ? green : red; }
