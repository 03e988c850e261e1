#include <stdarg.h>
#include <stdio.h>
FILE *out;
void report(const char *format, ...);
int read_all(void);
int main(void) {
  out = stdout;
  int sum = read_all();
  report("%d of %s is %c%%\n", sum, "all", 'q');
  fputs("done\n", out);
  return 0;
}
