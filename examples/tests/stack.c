#include "stack.h"

int stack_push(struct stack *s, int value) {
  if (s->size >= CAPACITY - 1)
    return 0;
  s->items[s->size++] = value;
  return 1;
}

int stack_pop(struct stack *s, int *value) {
  if (s->size == 0)
    return 0;
  *value = s->items[--s->size];
  return 1;
}
