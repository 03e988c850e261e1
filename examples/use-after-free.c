// A message is freed by the queue that consumed it and read once more.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct message {
  int priority;
  char text[16];
};

static int consume(struct message *message) {
  int priority = message->priority;
  printf("%s\n", message->text);
  free(message);
  return priority;
}

int main(void) {
  struct message *message = malloc(sizeof *message);
  if (message == NULL) return 1;
  message->priority = 2;
  strcpy(message->text, "hello");
  int priority = consume(message);
  return priority - message->priority;
}
