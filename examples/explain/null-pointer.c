// The last cell of a list is looked up once too often.
#include <stddef.h>

struct cell {
  int value;
  struct cell *next;
};

static int second_value(struct cell *list) {
  struct cell *rest = list->next;
  return rest->value;
}

int main(void) {
  struct cell only = {3, NULL};
  struct cell *list = &only;
  int sum = list->value;
  sum = sum + second_value(list);
  return sum;
}
