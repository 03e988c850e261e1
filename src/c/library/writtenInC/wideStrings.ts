import { type Entry, inC } from "../entry.ts";

export const wideStringsSource = `#include <wchar.h>

size_t wcslen(const wchar_t *string) {
  size_t length = 0;
  while (string[length] != 0) length++;
  return length;
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] = from[i];
  return to;
}

wchar_t *wmemset(wchar_t *to, wchar_t value, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] = value;
  return to;
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from) { return wmemcpy(to, from, wcslen(from) + 1); }

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t count) {
  size_t i = 0;
  for (; i < count && from[i] != 0; i++) to[i] = from[i];
  for (; i < count; i++) to[i] = 0;
  return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from) {
  wcscpy(to + wcslen(to), from);
  return to;
}

int wcsncmp(const wchar_t *left, const wchar_t *right, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
    if (left[i] == 0) break;
  }
  return 0;
}

int wcscmp(const wchar_t *left, const wchar_t *right) { return wcsncmp(left, right, (size_t)-1); }

wchar_t *wcschr(const wchar_t *string, wchar_t wanted) {
  for (;; string++) {
    if (*string == wanted) return (wchar_t *)string;
    if (*string == 0) return 0;
  }
}
`;

export const wideStrings: readonly Entry[] = [
  "size_t wcslen(const wchar_t *)",
  "wchar_t *wmemcpy(wchar_t *, const wchar_t *, size_t)",
  "wchar_t *wmemset(wchar_t *, wchar_t, size_t)",
  "wchar_t *wcscpy(wchar_t *, const wchar_t *)",
  "wchar_t *wcsncpy(wchar_t *, const wchar_t *, size_t)",
  "wchar_t *wcscat(wchar_t *, const wchar_t *)",
  "int wcsncmp(const wchar_t *, const wchar_t *, size_t)",
  "int wcscmp(const wchar_t *, const wchar_t *)",
  "wchar_t *wcschr(const wchar_t *, wchar_t)",
].map((prototype) => inC("wchar.h", prototype));
