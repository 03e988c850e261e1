#include <stdio.h>
static int n = 1;
static int next(void) { return n++; }
int from_other(void);
int from_third(void);
extern int shared;
int main(void) {
  for (int i = 0; i < 3; i++) printf("%d %d %d\n", next(), from_other(), from_third());
  {
    extern int n; /* The static one above. */
    n += 100;
  }
  printf("%d %d\n", next(), shared);
  return n;
}
