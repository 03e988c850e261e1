/* Addresses of parts of variables that are reached through the address of the variable. */
#include <stdio.h>
struct in { int a, b; };
struct q { int first; struct in in; int cells[3]; };
static void set(int *p, int v) { *p = v; }
int main(void) {
  struct q queue = {0};
  int x = 1;
  int *p = &(&queue)->first; *p = 3;
  set(&(*&queue).in.b, 5);
  set(&(&(&queue)->in)->a, 6);
  set(&*&x, 7);
  set(&(&queue)->cells[1], 8);
  printf("%d %d %d %d %d\n", queue.first, queue.in.b, queue.in.a, x, (&queue)->cells[1]);
  return 0;
}
