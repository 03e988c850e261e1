// A unit test that fails: which of the called function's statements is to blame?
#include <assert.h>

int y = 0;

int foo(int a, int b, int x) {
  x = x + a;
  x = x + b;
  y = y + a;
  return x;
}

void testFoo(void) {
  int res = foo(0, -2, 1);
  assert(res >= 0);
}

int main(void) {
  testFoo();
  return 0;
}
