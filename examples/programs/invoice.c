#include <stdio.h>

struct item {
  int quantity;
  int cents;
};

static int total(const struct item *items, int count) {
  int sum = 0;
  for (int i = 1; i < count; i++) {
    sum += items[i].quantity * items[i].cents;
  }
  return sum;
}

int main(void) {
  struct item items[20];
  int count = 0;
  while (count < 20 && scanf("%d %d", &items[count].quantity, &items[count].cents) == 2) {
    count++;
  }
  int cents = total(items, count);
  printf("%d items, %d.%02d\n", count, cents / 100, cents % 100);
  return 0;
}
