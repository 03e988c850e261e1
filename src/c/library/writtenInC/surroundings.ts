import { type Entry, inC } from "../entry.ts";

/** Environment of the program: the locale is "C", streams are not terminals. */
export const surroundingsSource = `#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *setlocale(int category, const char *wanted) {
  static char name[] = "C";
  if (wanted == 0 || *wanted == 0 || strcmp(wanted, "C") == 0 || strcmp(wanted, "POSIX") == 0) return name;
  return 0;
}

struct lconv *localeconv(void) {
  static struct lconv conventions = { ".", "", "", "", "", "", "", "", "", "", 127, 127, 127, 127, 127, 127, 127, 127,
    127, 127, 127, 127, 127, 127 };
  return &conventions;
}

int isatty(int descriptor) {
  errno = descriptor < 0 || descriptor > 2 ? EBADF : ENOTTY;
  return 0;
}

int unlink(const char *path) { return remove(path); }

int posix_memalign(void **to, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void *block = aligned_alloc(alignment, size);
  if (block == 0) return ENOMEM;
  *to = block;
  return 0;
}
`;

export const surroundings: readonly Entry[] = [
  inC("locale.h", "char *setlocale(int, const char *)"),
  inC("locale.h", "struct lconv *localeconv(void)"),
  inC("unistd.h", "int isatty(int)"),
  inC("unistd.h", "int unlink(const char *)"),
  inC("stdlib.h", "int posix_memalign(void **, size_t, size_t)"),
];
