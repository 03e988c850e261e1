// Looks for a value in two rows; what was found in the first row still counts in the second.
#include <assert.h>

int main(void) {
  int first[3] = {4, 7, 9};
  int second[3] = {1, 2, 3};
  int wanted = 7;
  int rows = 0;
  int found = 0;
  for (int i = 0; i < 3; i++) {
    if (first[i] == wanted) found = 1;
  }
  rows = rows + found;
  // wrong: found = 0 is missing here
  for (int i = 0; i < 3; i++) {
    if (second[i] == wanted) found = 1;
  }
  assert(found == 0);
  return rows;
}
