#include <stdarg.h>
#include <stdio.h>
extern FILE *out;
void report(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int first = va_arg(list, int);
  va_end(list);
  va_start(list, format);
  vfprintf(out, format, list);
  va_end(list);
  fprintf(out, "[%d]\n", first);
}
int read_all(void) {
  int sum = 0, value;
  while (scanf("%d", &value) == 1) sum += value;
  return sum;
}
