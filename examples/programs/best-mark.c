#include <stdio.h>
#include <stdlib.h>

/* Prints the best of the marks on its command line. */
int main(int argc, char **argv) {
  int count = argc - 1;
  int *marks = malloc(count * sizeof(int));
  for (int i = 0; i < count; i++)
    marks[i] = atoi(argv[i + 1]);

  int best = marks[0];
  for (int i = 1; i <= count; i++)
    if (marks[i] > best)
      best = marks[i];

  printf("best mark: %d\n", best);
  free(marks);
  return 0;
}
