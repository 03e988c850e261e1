#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define SHOW(x) printf("%s = %lld\n", #x, (long long)(x))

typedef int binary(int, int);
static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static binary *pick(int which) { return which ? plus : minus; }
static binary *table[2] = {plus, &minus};
static size_t (*measure)(const char *) = strlen;
static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}
static int depth(int n, int *out) {
  int local = n;
  if (n) depth(n - 1, &local);
  *out += local;
  return local;
}
static int sumOf(int rows, int columns, int cells[rows][columns]) {
  int sum = 0;
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) sum += cells[r][c];
  return sum * 100 + (int)sizeof(cells[0]);
}
static int global;
static int set(int to) {
  global = to;
  return to;
}
static int byName(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int byValue(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  int grid[3][4];
  for (int i = 0; i < 12; i++) grid[i / 4][i % 4] = i;
  SHOW(&grid[2][3] - &grid[0][1]);
  SHOW((char *)&grid[1] - (char *)grid);
  SHOW(*(*(grid + 1) + 2));
  SHOW(1 [grid][2]);
  SHOW(sizeof grid[0]);
  SHOW(sizeof grid / sizeof *grid);
  SHOW(&grid[1] == (void *)grid[1]);
  int(*row)[4] = grid;
  SHOW(row[1][2]);
  SHOW((*(row + 1))[0]);
  row++;
  SHOW((*row)[3]);

  int n = 3;
  int variable[n][n + 1];
  n = 10;
  SHOW(sizeof variable);
  SHOW(sizeof variable[0]);
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) variable[r][c] = r * 10 + c;
  SHOW(variable[2][3]);
  SHOW(*(variable[1] + 2));
  SHOW(&variable[2] - &variable[0]);
  SHOW(sumOf(3, 4, variable));
  typedef int tens[n];
  n = 2;
  SHOW(sizeof(tens));
  SHOW(sizeof(int[n++]));
  SHOW(n);
  SHOW(sizeof(n++));
  SHOW(n);

  int values[5] = {1, 2, 3, 4, 5}, *p = values, **pp = &p;
  SHOW(*p++);
  SHOW(*p);
  SHOW(*++p);
  SHOW((*p)++);
  SHOW(*p);
  *p++ = 20;
  *p-- = 30;
  SHOW(values[2] * 100 + values[3]);
  **pp += 1;
  (*pp)--;
  SHOW(*p + values[2]);
  SHOW(p[1]);
  SHOW(p - values);
  SHOW(p > values);
  SHOW(&values[4] - p);
  p = values + 4;
  p -= 2;
  SHOW(*(p - 1));
  SHOW(p[-2]);
  unsigned back = 1;
  SHOW(*(p - back));
  SHOW(!p);
  SHOW(p && *p);

  SHOW(pick(1)(5, 3));
  SHOW((*pick(0))(5, 3));
  SHOW(table[1](9, 4));
  SHOW((**table)(9, 4));
  SHOW(table[0] == plus);
  SHOW(measure("four"));
  int x = 1, y = 2;
  swap(&x, &y);
  SHOW(x * 10 + y);
  int out = 0;
  depth(5, &out);
  SHOW(out);

  global = 1;
  global += set(10);
  SHOW(global);
  int *g = &global;
  *g += set(3);
  SHOW(global);
  values[set(1)] = 7;
  SHOW(values[1]);

  char *heap = malloc(10);
  strcpy(heap, "heap");
  SHOW(strlen(heap));
  heap[4] = '!';
  heap[5] = 0;
  printf("%s %s\n", heap, __func__);
  heap = realloc(heap, 20);
  SHOW(heap[4]);
  free(heap);
  const char *words[] = {"pear", "fig", "apple", "date"};
  qsort(words, 4, sizeof *words, byName);
  for (int i = 0; i < 4; i++) printf("%s ", words[i]);
  int sorted[] = {1, 4, 9, 16, 25}, key = 16;
  SHOW((int *)bsearch(&key, sorted, 5, sizeof *sorted, byValue) - sorted);
  key = 5;
  SHOW(bsearch(&key, sorted, 5, sizeof *sorted, byValue) == NULL);
  return 0;
}
