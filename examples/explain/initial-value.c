// The largest of some numbers, if one of them is positive.
#include <assert.h>

int main(void) {
  int values[4] = {-7, -3, -9, -4};
  int largest = 0;
  int checksum = 0;
  for (int i = 0; i < 4; i++) {
    if (values[i] > largest) largest = values[i];
    checksum += values[i];
  }
  assert(largest < 0);
  return checksum != 0;
}
