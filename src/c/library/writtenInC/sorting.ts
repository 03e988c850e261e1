import { type Entry, inC } from "../entry.ts";

/** `<stdlib.h>`: sorting and searching. The order of comparisons is glibc's, whose `qsort` is a stable merge sort. */
export const sortingSource = `typedef __typeof__(sizeof 0) __tf_size;
void *malloc(__tf_size);
void free(void *);
void *memcpy(void *, const void *, __tf_size);

static void __tf_merge_sort(char *base, __tf_size count, __tf_size size, char *room,
                            int (*compare)(const void *, const void *)) {
  if (count <= 1) return;
  __tf_size left = count / 2;
  __tf_size right = count - left;
  char *first = base;
  char *second = base + left * size;
  __tf_merge_sort(first, left, size, room, compare);
  __tf_merge_sort(second, right, size, room, compare);
  char *merged = room;
  while (left > 0 && right > 0) {
    if (compare(first, second) <= 0) {
      memcpy(merged, first, size);
      first += size;
      left--;
    } else {
      memcpy(merged, second, size);
      second += size;
      right--;
    }
    merged += size;
  }
  if (left > 0) memcpy(merged, first, left * size);
  memcpy(base, room, (count - right) * size);
}

void qsort(void *base, __tf_size count, __tf_size size, int (*compare)(const void *, const void *)) {
  if (count < 2 || size == 0) return;
  char *room = malloc(count * size);
  __tf_merge_sort(base, count, size, room, compare);
  free(room);
}

void *bsearch(const void *key, const void *base, __tf_size count, __tf_size size,
              int (*compare)(const void *, const void *)) {
  __tf_size low = 0;
  __tf_size high = count;
  while (low < high) {
    __tf_size middle = (low + high) / 2;
    const char *element = (const char *)base + middle * size;
    int order = compare(key, element);
    if (order == 0) return (void *)element;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return 0;
}
`;

export const sorting: readonly Entry[] = [
  inC("stdlib.h", "void qsort(void *, size_t, size_t, int (*)(const void *, const void *))"),
  inC("stdlib.h", "void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *))"),
];
