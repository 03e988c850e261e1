#include <stdio.h>
#define SHOW(x) printf("%s = %lld\n", #x, (long long)(x))

int grid[3][4] = {{1, 2}, 3, 4, 5, 6, [2] = {[1] = 9, 8}};
struct {
  int a;
  struct {
    int b[3];
    int c;
  } s;
} first = {1, {{2, 3}}}, second = {.s.b[1] = 7, 8, 9, .a = 4};
char text[] = "hello", padded[10] = "abc", cut[3] = "xyz", braced[] = {"in"};
int *inside = &grid[1][2];
const char *tail = "world" + 2;
const char *names[] = {"a", "bb", [4] = "eeeee"};
int ranges[10] = {[1 ... 3] = 4, [7 ... 8] = 5, 6};
int overridden[4] = {1, 2, 3, [1] = 20, 30, [0] = 10};
struct pair {
  int left, right;
} pairs[] = {1, 2, {3}, 4, 5}, chosen = {.right = 1, .left = 2}, replaced[2] = {[0] = {1, 2}, [0] = {.right = 5}};
union {
  long l;
  char c[8];
} either = {.c = "u"};
struct flexible {
  int count;
  short cells[];
} room = {3, {1, 2, 3}};
struct flexibleText {
  int count;
  char characters[];
} letters = {1, "hello"};
static int twice(int x) { return 2 * x; }
static int negate(int x) { return -x; }
int (*functions[])(int) = {twice, &negate};
static int counter(void) {
  static int calls = 10;
  static struct pair kept[2] = {{1}, {2, 3}};
  kept[1].left++;
  return calls++ + kept[1].left;
}

int main(void) {
  for (int i = 0; i < 12; i++) printf("%d ", grid[i / 4][i % 4]);
  for (int i = 0; i < 10; i++) printf("%d ", ranges[i]);
  for (int i = 0; i < 4; i++) printf("%d ", overridden[i]);
  for (int i = 0; i < 3; i++) printf("%d:%d ", pairs[i].left, pairs[i].right);
  printf("\n%s %s %.3s %s %s %s %s\n", text, padded, cut, braced, tail, names[1], names[4]);
  SHOW(first.s.b[1]);
  SHOW(first.s.c);
  SHOW(second.a);
  SHOW(second.s.b[1]);
  SHOW(second.s.b[2]);
  SHOW(second.s.c);
  SHOW(sizeof text);
  SHOW(sizeof pairs / sizeof *pairs);
  SHOW(sizeof names / sizeof *names);
  SHOW(names[3] == 0);
  SHOW(padded[9]);
  SHOW(*inside);
  SHOW(chosen.left * 10 + chosen.right);
  SHOW(replaced[0].left * 10 + replaced[0].right);
  SHOW(either.l);
  SHOW(room.cells[2]);
  SHOW(sizeof room);
  SHOW(letters.characters[4]);
  SHOW(functions[0](4) + functions[1](3));
  SHOW(counter());
  SHOW(counter());

  int n = 2;
  int local[5] = {n, [3] = n * n};
  struct pair p = {n}, ps[3] = {[1] = p, {7, 8}};
  char word[8] = "four", none[4] = "", large[100] = "big";
  int zeros[50] = {0}, many[40] = {1, [30] = 2}, once[4] = {[0 ... 2] = n++};
  struct {
    struct pair p;
    int a[2];
  } deep = {p, 1, 2}, elided = {1, 2, 3}, partly = {.p.right = 4};
  for (int i = 0; i < 5; i++) printf("%d ", local[i]);
  for (int i = 0; i < 3; i++) printf("%d:%d ", ps[i].left, ps[i].right);
  for (int i = 0; i < 8; i++) printf("%d ", word[i]);
  for (int i = 0; i < 4; i++) printf("%d/%d ", none[i], once[i]);
  printf("\n");
  SHOW(large[99] + large[0]);
  SHOW(zeros[49] + many[30] + many[39] + many[0]);
  SHOW(n);
  SHOW(deep.p.left * 100 + deep.a[0] * 10 + deep.a[1]);
  SHOW(elided.p.right * 10 + elided.a[0]);
  SHOW(partly.p.left + partly.p.right + partly.a[1]);
  union either {
    struct {
      int a, b;
    };
    long c;
    char bytes[16];
  };
  static union either both = {.b = 8, .a = 7}, last = {.bytes = {1, 2, 3}, .a = 7}, first = {.a = 7, .c = 9, .b = 8};
  union either here = {.b = n, .a = 7}, pairs[2] = {[1].b = 8, [1].a = 7, [0].c = 5, [0].a = 6};
  printf("%d %d %d %d %d %d\n", both.a, both.b, last.a, last.b, first.a, first.b);
  printf("%d %d %d %d %d %d\n", here.a, here.b, pairs[0].a, pairs[0].b, pairs[1].a, pairs[1].b);
  return 0;
}
