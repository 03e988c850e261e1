/* Shared immutable strings with reference counts, and a small stack of them. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int refs;
  int length;
  char *text;
} Shared;

static int live;  /* objects that exist */

static Shared *shared_new(const char *text) {
  Shared *s = malloc(sizeof *s);
  s->refs = 1;
  s->length = (int)strlen(text);
  s->text = malloc(s->length + 1);
  memcpy(s->text, text, s->length + 1);
  live++;
  return s;
}

static Shared *retain(Shared *s) {
  if (s)
    s->refs++;
  return s;
}

static void release(Shared *s) {
  if (s == NULL)
    return;
  if (--s->refs > 0)
    return;
  free(s->text);
  free(s);
  live--;
}

/* Gives the caller a copy that only he has; takes over his reference. */
static Shared *make_unique(Shared *s) {
  Shared *copy;
  if (s->refs == 1)
    return s;
  copy = shared_new(s->text);
  release(s);
  return copy;
}

static Shared *concat(Shared *a, Shared *b) {
  Shared *r = malloc(sizeof *r);
  r->refs = 1;
  r->length = a->length + b->length;
  r->text = malloc(r->length + 1);
  memcpy(r->text, a->text, a->length);
  memcpy(r->text + a->length, b->text, b->length + 1);
  live++;
  return r;
}

#define STACK_MAX 4

typedef struct {
  Shared *items[STACK_MAX];
  int depth;
} Stack;

static int stack_push(Stack *st, Shared *s) {
  if (st->depth == STACK_MAX)
    return 0;
  st->items[st->depth++] = retain(s);
  return 1;
}

/* The caller gets the stack's reference. */
static Shared *stack_pop(Stack *st) {
  if (st->depth == 0)
    return NULL;
  return st->items[--st->depth];
}

static void stack_dup(Stack *st) {
  if (st->depth > 0 && st->depth < STACK_MAX) {
    st->items[st->depth] = retain(st->items[st->depth - 1]);
    st->depth++;
  }
}

static void stack_concat(Stack *st) {
  Shared *b = stack_pop(st);
  Shared *a = stack_pop(st);
  Shared *joined = concat(a, b);
  stack_push(st, joined);
  release(joined);
  release(a);
  release(b);
}

static void stack_upper(Stack *st) {
  Shared *top;
  if (st->depth == 0)
    return;
  top = make_unique(st->items[st->depth - 1]);
  for (int i = 0; i < top->length; i++)
    if (top->text[i] >= 'a' && top->text[i] <= 'z')
      top->text[i] -= 'a' - 'A';
  st->items[st->depth - 1] = top;
}

static void stack_clear(Stack *st) {
  while (st->depth > 0)
    release(stack_pop(st));
}

static void test_counting(void) {
  live = 0;
  Shared *s = shared_new("hello");
  assert(s->refs == 1 && s->length == 5);
  retain(s);
  release(s);
  assert(live == 1);
  assert(strcmp(s->text, "hello") == 0);
  release(s);
  assert(live == 0);
  release(NULL);
  assert(retain(NULL) == NULL);
}

static void test_unique(void) {
  live = 0;
  Shared *a = shared_new("x");
  assert(make_unique(a) == a);
  Shared *b = make_unique(retain(a));
  assert(b != a);
  assert(a->refs == 1 && b->refs == 1);
  assert(live == 2);
  release(a);
  assert(strcmp(b->text, "x") == 0);
  release(b);
  assert(live == 0);
}

static void test_stack(void) {
  Stack st = {{NULL}, 0};
  live = 0;
  Shared *a = shared_new("ab"), *b = shared_new("cd");
  stack_push(&st, a);
  stack_push(&st, b);
  assert(a->refs == 2);
  release(a);
  release(b);
  stack_concat(&st);
  assert(st.depth == 1);
  assert(strcmp(st.items[0]->text, "abcd") == 0);
  assert(st.items[0]->refs == 1);
  assert(live == 1);
  stack_clear(&st);
  assert(live == 0);
  assert(stack_pop(&st) == NULL);
}

static void test_dup(void) {
  Stack st = {{NULL}, 0};
  live = 0;
  Shared *a = shared_new("q-Z");
  stack_dup(&st);
  assert(st.depth == 0);
  for (int i = 0; i < STACK_MAX - 1; i++)
    assert(stack_push(&st, a));
  stack_dup(&st);
  assert(a->refs == 5);
  assert(!stack_push(&st, a));
  stack_dup(&st);
  assert(st.depth == 4 && a->refs == 5);
  stack_upper(&st);
  assert(strcmp(st.items[3]->text, "Q-Z") == 0);
  assert(strcmp(a->text, "q-Z") == 0);
  assert(a->refs == 4);
  release(a);
  stack_clear(&st);
  assert(live == 0);
}

int main(void) {
  test_counting();
  test_unique();
  test_stack();
  test_dup();
  return 0;
}
