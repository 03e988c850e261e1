// Two numbers are to be sorted, but three cells are: a zero that nobody entered arrives in front.
#include <assert.h>

static void shell_sort(int a[], int size) {
  int h = 1;
  do {
    h = h * 3 + 1;
  } while (h <= size);
  do {
    h /= 3;
    for (int i = h; i < size; i++) {
      int v = a[i];
      int j = i;
      while (j >= h && a[j - h] > v) {
        a[j] = a[j - h];
        j -= h;
      }
      if (i != j) a[j] = v;
    }
  } while (h != 1);
}

int main(void) {
  int a[3] = {11, 14, 0};
  shell_sort(a, 3);
  assert(a[0] == 11 && a[1] == 14);
  return 0;
}
