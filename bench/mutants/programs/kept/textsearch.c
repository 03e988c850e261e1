/* Finding text in text: plain, Knuth-Morris-Pratt, wildcards. */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#define MAX_PATTERN 32

static int find_plain(const char *text, const char *pattern) {
  int n = (int)strlen(text), m = (int)strlen(pattern);
  for (int i = 0; i + m <= n; i++) {
    int j = 0;
    while (j < m && text[i + j] == pattern[j])
      j++;
    if (j == m)
      return i;
  }
  return -1;
}

static void failure_table(const char *pattern, int m, int *fail) {
  int k = 0;
  fail[0] = 0;
  for (int i = 1; i < m; i++) {
    while (k > 0 && pattern[i] != pattern[k])
      k = fail[k - 1];
    if (pattern[i] == pattern[k])
      k++;
    fail[i] = k;
  }
}

/* Number of places where the pattern occurs, overlapping ones too; *first is the first of them. */
static int find_all(const char *text, const char *pattern, int *first) {
  int fail[MAX_PATTERN];
  int m = (int)strlen(pattern);
  int k = 0, count = 0;
  *first = -1;
  if (m == 0)
    return 0;
  failure_table(pattern, m, fail);
  for (int i = 0; text[i] != '\0'; i++) {
    while (k > 0 && text[i] != pattern[k])
      k = fail[k - 1];
    if (text[i] == pattern[k])
      k++;
    if (k == m) {
      if (count++ == 0)
        *first = i - m + 1;
      k = fail[k - 1];
    }
  }
  return count;
}

/* `?` is one character, `*` any number of them. */
static int matches(const char *pattern, const char *text) {
  if (*pattern == '\0')
    return *text == '\0';
  if (*pattern == '*') {
    while (1) {
      if (matches(pattern + 1, text))
        return 1;
      if (*text == '\0')
        return 0;
      text++;
    }
  }
  if (*text == '\0')
    return 0;
  if (*pattern != '?' && tolower((unsigned char)*pattern) != tolower((unsigned char)*text))
    return 0;
  return matches(pattern + 1, text + 1);
}

/* Replaces every occurrence; returns the new length, or -1 when it does not fit. */
static int replace(const char *text, const char *old, const char *new, char *out, int room) {
  int m = (int)strlen(old), r = (int)strlen(new), w = 0;
  while (*text) {
    if (strncmp(text, old, m) == 0) {
      if (w + r >= room)
        return -1;
      memcpy(out + w, new, r);
      w += r;
      text += m;
    } else {
      if (w + 1 >= room)
        return -1;
      out[w++] = *text++;
    }
  }
  out[w] = '\0';
  return w;
}

static void test_plain(void) {
  assert(find_plain("hello world", "wor") == 6);
  assert(find_plain("aaab", "aab") == 1);
  assert(find_plain("abc", "abcd") == -1);
  assert(find_plain("abc", "c") == 2);
  assert(find_plain("abc", "") == 0);
}

static void test_failure(void) {
  int f[8];
  failure_table("abacaba", 7, f);
  assert(f[0] == 0 && f[2] == 1);
  assert(f[3] == 0);
  assert(f[6] == 3);
}

static void test_all(void) {
  int first;
  assert(find_all("ababababx", "abab", &first) == 3);
  assert(first == 0);
  assert(find_all("xxaabaaab", "aab", &first) == 2);
  assert(first == 2);
  assert(find_all("short", "longer", &first) == 0);
  assert(first == -1);
}

static void test_wildcards(void) {
  assert(matches("*.c", "main.c"));
  assert(!matches("*.c", "main.cc"));
  assert(matches("m??n*", "MAIN"));
  assert(!matches("m?", "m"));
  assert(matches("a*b*c", "axxbyybzc"));
  assert(!matches("", "x"));
}

static void test_replace(void) {
  char out[32];
  assert(replace("one two one", "one", "three", out, 32) == 15);
  assert(strcmp(out, "three two three") == 0);
  assert(replace("aXbX", "X", "", out, 32) == 2);
  assert(strcmp(out, "ab") == 0);
  assert(replace("abcdef", "zz", "y", out, 6) == -1);
  assert(replace("abcde", "zz", "y", out, 6) == 5);
  assert(replace("ab", "b", "12345", out, 6) == -1);
}

int main(void) {
  test_plain();
  test_failure();
  test_all();
  test_wildcards();
  test_replace();
  return 0;
}
