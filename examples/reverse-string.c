// Reverses a string in place; the terminating zero takes part in the exchange.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static void reverse(char *text) {
  char *left = text;
  char *right = text + strlen(text);
  while (left < right) {
    char c = *left;
    *left++ = *right;
    *right-- = c;
  }
}

int main(void) {
  char word[] = "stressed";
  reverse(word);
  printf("%s\n", word);
  assert(strcmp(word, "desserts") == 0);
  return 0;
}
