#include <stdarg.h>
#include <stdio.h>

#define KIND(x) _Generic((x), int: "int", char *: "text", const char *: "constant text", const int *: "constant int", default: "other")

typedef const char *Name;

struct person {
  const char *name;
  char *nick;
};

static const char letters[] = "abc";
static const int number = 3;

int (*print_to)(FILE *, const char *, ...) = fprintf;
int (*print_into)(char *, size_t, const char *, ...) = &snprintf;

int main(void) {
  const char *constant = "a";
  char *plain = 0;
  char *const fixed = 0;
  Name name = "b";
  struct person p = {"c", 0};
  const struct person *q = &p;
  int i = 0;
  printf("%s %s %s %s\n", KIND(constant), KIND(plain), KIND(fixed), KIND(name));
  printf("%s %s %s %s\n", KIND(p.name), KIND(p.nick), KIND("d"), KIND(letters));
  printf("%s %s %s %s\n", KIND(&number), KIND(&i), KIND(number), KIND(&letters[1]));
  printf("%s %s %s\n", KIND(q->name), KIND((const char *)plain), KIND(1.5));
  printf("%d %d\n", _Generic(number, int: 1, const int: 2), _Generic(fixed, char *const: 1, char *: 2));
  char text[8];
  int length = print_into(text, sizeof text, "%s-%d", "ab", 12345);
  print_to(stdout, "%s %d %c\n", text, length, 'x');
  return 0;
}
