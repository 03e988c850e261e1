int table[4] = {1, 2, 3};
int count = sizeof table / sizeof *table;
extern int x;
struct pair { int a; long b; };
struct pair pair = {.b = -4};
void fill(void) {
  table[3] = 40;
  x = 6;
  pair.a = 12;
}
int *place(int i) {
  extern int table[4];
  return table + i;
}
