#include <stddef.h>
#include <stdio.h>
#define SHOW(x) printf("%s = %lld, %d bytes\n", #x, (long long)(x), (int)sizeof(x))

enum small { A, B = 5, C };
enum negative { MINUS = -1, ZERO };
enum wide { BIG = 0x100000000, SMALL = 1 };
enum computed { X = sizeof(int), Y = X * 2 + 1, Z = X < Y ? 100 : 200 };

int main(void) {
  SHOW(C);
  SHOW(MINUS);
  SHOW(BIG);
  SHOW(SMALL);
  SHOW(Y);
  SHOW(Z);
  SHOW((enum small)-1 > 0);
  SHOW((enum negative)-1 > 0);
  SHOW(sizeof(enum wide));
  SHOW(2147483647);
  SHOW(2147483648);
  SHOW(0x7fffffff);
  SHOW(0x80000000);
  SHOW(0xffffffff);
  SHOW(0x100000000);
  SHOW(4294967295);
  SHOW(4294967295u);
  SHOW(9223372036854775807);
  SHOW(0x8000000000000000);
  SHOW(1u);
  SHOW(1l);
  SHOW(1ul);
  SHOW(1ll);
  SHOW(1ull);
  SHOW(1LLU);
  SHOW(0777);
  SHOW(0);
  SHOW(0b1011);
  SHOW('a');
  SHOW('\377');
  SHOW('\xff');
  SHOW('ab');
  SHOW('\n');
  SHOW(L'x');
  SHOW(1.0f);
  SHOW(1.0);
  SHOW(1.5L * 2);
  SHOW(0x1p4);
  SHOW(0x.8p1f);
  SHOW(1e3);
  SHOW(.5e1f);
  SHOW(sizeof("abc"));
  SHOW(sizeof("a\0b"));
  SHOW(sizeof("ab" "cd"));
  SHOW(sizeof(L"ab"));
  SHOW(sizeof(wchar_t));
  SHOW("hello"[1]);
  SHOW(*"world");
  SHOW(_Generic(1L, int : 1, long : 2, default : 3));
  SHOW(_Generic(1LL, long : 1, long long : 2));
  SHOW(_Generic('a', char : 1, int : 2));
  SHOW(_Generic((char)1, signed char : 1, char : 2, int : 3));
  SHOW(_Generic("s", char * : 1, default : 2));
  SHOW(_Generic(1.0f, double : 1, float : 2));
  SHOW(__builtin_types_compatible_p(int, signed));
  SHOW(__builtin_types_compatible_p(long, long long));
  SHOW(__builtin_constant_p(3 + 4));
  SHOW(__builtin_choose_expr(1, 5, "no"));
  switch (3) {
    case 1 + 2:
      printf("three\n");
      break;
    case sizeof(long):
      printf("size\n");
  }
  return 0;
}
