#include <stdlib.h>
#include "shapes.h"
struct cell { int value; struct cell *below; };
struct stack { struct cell *top; unsigned size; };
struct stack *stack_new(void) { return calloc(1, sizeof(struct stack)); }
void stack_push(struct stack *s, int value) {
  struct cell *c = malloc(sizeof *c);
  *c = (struct cell){value, s->top};
  s->top = c;
  s->size++;
}
int stack_pop(struct stack *s) {
  struct cell *c = s->top;
  int value = c->value;
  s->top = c->below;
  s->size--;
  free(c);
  return value;
}
