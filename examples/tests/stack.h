#pragma once

#define CAPACITY 4

struct stack {
  int items[CAPACITY];
  int size;
};

/** Returns 0 if the stack is full. */
int stack_push(struct stack *s, int value);

/** Returns 0 if the stack is empty. */
int stack_pop(struct stack *s, int *value);
