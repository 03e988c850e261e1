#include <stdio.h>
int add();
long widened();
int main() {
  printf("%d %d %ld\n", add(3, 4), undeclared(5), widened(7, 2));
  return add(1, undeclared(2));
}
