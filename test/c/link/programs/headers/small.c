#include "config.h"
enum { value = 40 };
typedef long big;
int small(void) {
  big t = size();
  return (int)t + value + SIZE * 1000;
}
