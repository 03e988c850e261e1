#include <stdio.h>
extern int table[];
extern int count;
int x;
int x;
extern int x;
void fill(void);
int *place(int i);
struct pair { int a; long b; };
extern struct pair pair;
static int early;
int *address_of_early = &early;
static int early = 9;
int main(void) {
  printf("%d %d\n", x, *address_of_early);
  fill();
  for (int i = 0; i < count; i++) printf("%d ", table[i]);
  *place(1) = 77;
  printf("%d %d %d %ld\n", table[1], x, pair.a, pair.b);
  struct pair copy = pair;
  copy.a++;
  pair = copy;
  printf("%d\n", pair.a);
  return 0;
}
