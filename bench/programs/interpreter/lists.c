/* The heap: lists that are built, reversed, summed and freed. */
#include <stdio.h>
#include <stdlib.h>
#include "branchLog.h"

struct node {
  int value;
  struct node *next;
};

int main(void) {
  long total = 0;
  for (int round = 0; BRANCH(round < 30); round++) {
    struct node *list = NULL;
    for (int i = 0; BRANCH(i < 10000); i++) {
      struct node *fresh = malloc(sizeof *fresh);
      fresh->value = i;
      fresh->next = list;
      list = fresh;
    }
    struct node *reversed = NULL;
    while (BRANCH(list != NULL)) {
      struct node *next = list->next;
      list->next = reversed;
      reversed = list;
      list = next;
    }
    while (BRANCH(reversed != NULL)) {
      struct node *next = reversed->next;
      total += reversed->value;
      free(reversed);
      reversed = next;
    }
  }
  printf("%ld\n", total);
  return 0;
}
