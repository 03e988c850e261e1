// An area from width and height, and a ratio from height and width.
#include <assert.h>

static int divide(int dividend, int divisor) {
  int result = dividend / divisor;
  return result;
}

int main(void) {
  int width = 12;
  int height = 3;
  int area = width * height;
  int ratio = divide(height, width);
  assert(ratio == 4);
  return area == 0;
}
