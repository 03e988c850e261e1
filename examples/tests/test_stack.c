#include <stdio.h>
#include "stack.h"

static int failures;

#define CHECK(condition)                                                    \
  do {                                                                      \
    if (!(condition)) {                                                     \
      printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);  \
      failures++;                                                           \
    }                                                                       \
  } while (0)

static void test_is_empty_at_first(void) {
  struct stack s = {{0}, 0};
  int value;
  CHECK(stack_pop(&s, &value) == 0);
}

static void test_gives_back_the_last_value(void) {
  struct stack s = {{0}, 0};
  int value = 0;
  stack_push(&s, 7);
  CHECK(stack_pop(&s, &value) == 1);
  CHECK(value == 7);
}

static void test_holds_four_values(void) {
  struct stack s = {{0}, 0};
  int value = 0;
  for (int i = 1; i <= CAPACITY; i++)
    stack_push(&s, 10 * i);
  stack_pop(&s, &value);
  CHECK(value == 40);
}

int main(void) {
  test_is_empty_at_first();
  test_gives_back_the_last_value();
  test_holds_four_values();
  printf("%d failures\n", failures);
  return failures != 0;
}
