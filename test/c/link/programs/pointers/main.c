#include <stdio.h>
extern int plain, pointed;
struct s { int in, out; };
extern struct s flat, addressed;
void change(void);
int main(void) {
  plain = 1;
  pointed = 2;
  flat.in = 3;
  addressed.out = 4;
  change();
  printf("%d %d %d %d %d %d\n", plain, pointed, flat.in, flat.out, addressed.in, addressed.out);
  return plain + pointed;
}
