#include <stdarg.h>
#include <stdio.h>
#define SHOW(x) printf("%s = %lld\n", #x, (long long)(x))

static int calls;
static int yes(int x) {
  calls++;
  return x;
}
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int odd(int);
static int even(int n) { return n ? odd(n - 1) : 1; }
static int odd(int n) { return n ? even(n - 1) : 0; }
static int oldStyle(a, b, c)
char a;
short b;
{
  return a + b + c;
}
implicitInt(x) { return x + 1; }
static int sum(int count, ...) {
  va_list list;
  int result = 0;
  va_start(list, count);
  while (count--) result += va_arg(list, int);
  va_end(list);
  return result;
}
struct triple {
  char a;
  long b;
  short c;
};
static double mix(const char *format, ...) {
  va_list list;
  double result = 0;
  va_start(list, format);
  for (; *format; format++) {
    switch (*format) {
      case 'i':
        result += va_arg(list, int);
        break;
      case 'd':
        result += va_arg(list, double);
        break;
      case 'l':
        result += va_arg(list, long long);
        break;
      case 's': {
        struct triple t = va_arg(list, struct triple);
        result += t.b + t.c;
        break;
      }
      case 'p':
        result += *va_arg(list, int *);
    }
  }
  va_end(list);
  return result;
}
static int digits(int count, va_list list) {
  int result = 0;
  for (int i = 0; i < count; i++) result = result * 10 + va_arg(list, int);
  return result;
}
static int doubled(int count, ...) {
  va_list first, second;
  va_start(first, count);
  va_copy(second, first);
  int result = digits(count, first) + digits(count, second);
  va_end(first);
  va_end(second);
  return result;
}
static int copy(int count) {
  int rounds = (count + 7) / 8, copied = 0;
  switch (count % 8) {
    case 0:
      do {
        copied++;
        case 7: copied++;
        case 6: copied++;
        case 5: copied++;
        case 4: copied++;
        case 3: copied++;
        case 2: copied++;
        case 1: copied++;
      } while (--rounds > 0);
  }
  return copied;
}
static const char *classify(int v) {
  switch (v) {
    int unused;
    case -1:
      return "minus";
    case 0:
    case 2:
      return "even";
    case 3:
      v = 100;
    default:
      return v == 100 ? "three" : "other";
    case 10 ... 20:
      if (v == 15) {
        case 99:
          return "jumped";
      }
      break;
  }
  return "range";
}

int main(void) {
  int x = 3, y = 4, i;
  SHOW(yes(0) && yes(1));
  SHOW(calls);
  SHOW(yes(1) || yes(1));
  SHOW(calls);
  SHOW(x > 1 && y > 100 || x);
  SHOW((x && !y) + (x || y));
  SHOW(!(x && y));
  SHOW(x ? y ? 1 : 2 : 3);
  SHOW(x ?: 9);
  SHOW(0 ?: 9);
  SHOW((yes(5) ?: 9) + calls);
  SHOW((x, y, 7));
  SHOW(y = x = 4);
  SHOW(x += x -= 1);
  SHOW(x++ + 10);
  SHOW(x-- - 1);
  if (x < 100 && (y < 100 || x > 50) && !(x == y && y)) printf("taken\n");
  if (x = 0) printf("never\n");
  else if (y, 1) printf("else if\n");
  i = 5;
  while (i-- > 0) {
    if (i == 3) continue;
    if (i == 1) break;
    printf("%d ", i);
  }
  do printf("%d ", i++);
  while (i < 4);
  for (int a = 0, c = 10; a < c; a += 3, c--) printf("%d:%d ", a, c);
  for (;;) {
    if (++i > 6) break;
  }
  while (1) {
    while (1) {
      if (i++ > 8) goto out;
    }
  }
out:
  printf("%d\n", i);
  goto inner;
  {
    int skipped;
  inner:
    skipped = 5;
    SHOW(skipped);
  }
  int k = 0;
again:
  if (k++ < 3) {
    printf("k%d ", k);
    goto again;
  }
  for (int v = -1; v < 5; v++) printf("%s ", classify(v));
  printf("%s %s %s\n", classify(15), classify(16), classify(99));
  for (int c = 1; c < 20; c++) printf("%d ", copy(c));
  SHOW(fibonacci(15));
  SHOW(even(10) * 10 + odd(7));
  SHOW(oldStyle(300, 70000, 1));
  SHOW(implicitInt(4));
  SHOW(sum(4, 1, 2, 3, 4));
  SHOW(sum(0));
  struct triple t = {1, 20, 3};
  SHOW(mix("idlsp", 1, 2.5, 3LL, t, &x) * 2);
  SHOW(mix("i", 'a') + mix("d", 1.5f));
  SHOW(doubled(3, 1, 2, 3));
  SHOW(({ int s = 0; for (int z = 0; z < 4; z++) s += z; s; }) + ({ 10; }));
  int array[4] = {0};
  array[({ k = 2; k; })] = 9;
  SHOW(array[2]);
  SHOW(k++ ? k : -k);
  SHOW(__builtin_expect(k > 2, 1));
  SHOW(__builtin_popcount(255) * 100 + __builtin_clz(1));
  SHOW(__builtin_ctz(8) * 100 + __builtin_ffs(0) * 10 + __builtin_ffs(16));
  SHOW(__builtin_bswap32(0x12345678));
  SHOW(__builtin_popcountll(-1LL) + __builtin_clzll(1) + __builtin_parity(7));
  int result;
  SHOW(__builtin_add_overflow(2147483647, 1, &result));
  SHOW(result);
  SHOW(__builtin_mul_overflow(3, 4, &result));
  SHOW(result);
  SHOW(__builtin_sub_overflow_p(0u, 1u, 0u));
  return k > 2 ? 3 : 4;
}
