#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf env, inner;
static int depth(int n) {
  if (n == 0) longjmp(env, 7);
  int r = depth(n - 1);
  return r + 1;
}
static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  if (x == 3) longjmp(inner, 0);
  return x - y;
}
static void (*go)(int);
static void by_pointer(int v) { longjmp(env, v); }
int main(void) {
  volatile int tries = 0;
  int r = setjmp(env);
  printf("r %d tries %d\n", r, tries);
  if (tries++ == 0) printf("%d\n", depth(3));
  if (tries == 2) {
    int a[] = {5, 3, 1};
    switch (setjmp(inner)) {
      case 0: qsort(a, 3, sizeof *a, compare); puts("sorted"); break;
      case 1: puts("left qsort"); break;
      default: puts("other");
    }
    go = by_pointer;
    if (setjmp(env) == 0) go(42); else puts("back");
  }
  for (int i = 0; i < 3; i++) {
    if (setjmp(env) == 0) { if (i == 1) by_pointer(i); printf("i %d\n", i); } else printf("caught %d\n", i);
  }
  int v = setjmp(inner);
  if (v < 3) longjmp(inner, v + 1);
  printf("v %d\n", v);
  return 0;
}
