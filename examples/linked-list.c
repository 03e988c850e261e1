// Builds a list from inputs until a 0, reverses it and prints it: nothing is wrong.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *list, int value) {
  struct node *node = malloc(sizeof *node);
  if (node == NULL) abort();
  node->value = value;
  node->next = list;
  return node;
}

static struct node *reverse(struct node *list) {
  struct node *result = NULL;
  while (list != NULL) {
    struct node *next = list->next;
    list->next = result;
    result = list;
    list = next;
  }
  return result;
}

int main(void) {
  struct node *list = NULL;
  int length = 0;
  for (int value = __VERIFIER_nondet_int(); value != 0; value = __VERIFIER_nondet_int()) {
    list = push(list, value);
    length++;
  }
  list = reverse(list);
  while (list != NULL) {
    struct node *next = list->next;
    printf("%d\n", list->value);
    free(list);
    list = next;
    length--;
  }
  assert(length == 0);
  return 0;
}
