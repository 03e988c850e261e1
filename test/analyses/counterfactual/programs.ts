/** Small programs with a fault each; `line` is where it is. */
export type FaultyProgram = { readonly name: string; readonly line: number; readonly text: string };

export const faultyPrograms: readonly FaultyProgram[] = [
  {
    name: "ring",
    line: 7,
    text: `#include <assert.h>
#define SIZE 4
struct ring { int data[SIZE]; unsigned head, tail, count; };
static void init(struct ring *r) { r->head = 0; r->tail = 0; r->count = 0; }
static int put(struct ring *r, int value)
{
  if (r->count > SIZE)
    return 0;
  r->data[r->head] = value;
  r->head = (r->head + 1) % SIZE;
  r->count++;
  return 1;
}
static int get(struct ring *r)
{
  int value = r->data[r->tail];
  r->tail = (r->tail + 1) % SIZE;
  r->count--;
  return value;
}
int main(void)
{
  struct ring r;
  init(&r);
  for (int i = 0; i < 5; i++)
    put(&r, i + 10);
  for (int i = 0; i < 4; i++)
    assert(get(&r) == i + 10);
  return 0;
}
`,
  },
  {
    name: "fee",
    line: 7,
    text: `#include <assert.h>
static int fee(int amount, int member)
{
  int base = 5;
  if (amount > 1000)
    base = 20;
  else if (amount > 100 || member)
    base = 10;
  return base + amount / 50;
}
void test_small(void) { assert(fee(50, 0) == 6); }
void test_large(void) { assert(fee(2000, 1) == 60); }
void test_middle(void) { assert(fee(200, 1) == 14); }
int main(void)
{
  assert(fee(50, 1) == 6);
  test_small();
  test_middle();
  test_large();
  return 0;
}
`,
  },
  {
    name: "max",
    line: 5,
    text: `#include <assert.h>
static int largest(const int *a, int n)
{
  int best = a[0];
  for (int i = 1; i < n - 1; i++)
    if (a[i] > best)
      best = a[i];
  return best;
}
int main(void)
{
  int a[5] = {3, 1, 4, 1, 9};
  assert(largest(a, 5) == 9);
  return 0;
}
`,
  },
  {
    name: "trim",
    line: 6,
    text: `#include <assert.h>
#include <string.h>
static int trimmed(const char *s)
{
  int n = (int)strlen(s);
  while (n > 1 && s[n - 1] == ' ')
    n--;
  return n;
}
int main(void)
{
  assert(trimmed("ab  ") == 2);
  assert(trimmed("  ") == 0);
  return 0;
}
`,
  },
  {
    name: "index",
    line: 7,
    text: `#include <stdio.h>
static int table[4];
static void count(int x) { table[x % 4]++; }
int main(void)
{
  for (int i = 0; i < 9; i++) count(i);
  for (int i = 0; i <= 4; i++)
    printf("%d\\n", table[i]);
  return 0;
}
`,
  },
  {
    name: "endless",
    line: 7,
    text: `#include <assert.h>
static int digits(unsigned n)
{
  int count = 0;
  do {
    count++;
    n = n * 10;
  } while (n != 0 || count < 1);
  return count;
}
int main(void)
{
  assert(digits(345) == 3);
  return 0;
}
`,
  },
  {
    name: "average",
    line: 7,
    text: `#include <assert.h>
static double average(const double *a, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i];
  return sum / (n - 1);
}
int main(void)
{
  double a[4] = {1.0, 2.0, 3.0, 6.0};
  assert(average(a, 4) == 3.0);
  return 0;
}
`,
  },
  {
    name: "twice",
    line: 8,
    text: `#include <assert.h>
static int log_[8], used;
static void note(int value)
{
  log_[used] = value;
  used = used + 1;
  if (value > 2)
    used = used + 1;
}
int main(void)
{
  note(1);
  note(5);
  assert(used == 2 && log_[1] == 5);
  return 0;
}
`,
  },
  {
    name: "other-order",
    line: 2,
    text: `#include <assert.h>
static int left(int all, int used) { return used - all; }
static int room(int size, int used) { return left(size, used); }
static int power(int base, int n) { int r = 1; while (n-- > 0) r *= base; return r; }
static int squared(int n) { return power(2, n); }
int main(void) {
  assert(room(3, 3) == 0);
  assert(squared(2) == 4);
  int sum = room(9, 4) + squared(3);
  assert(sum == 5 + 9 || sum == 5 + 8 || sum == -5 + 9);
  return 0;
}
`,
  },
];
