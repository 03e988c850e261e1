// Shell sort of the two values in an array of three cells; the call passes one cell too many.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

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
  int a[3] = {__VERIFIER_nondet_int(), 0, 0};
  a[1] = __VERIFIER_nondet_int();
  int count = 2;
  int smaller = a[0] < a[1] ? a[0] : a[1];
  shell_sort(a, count + 1);
  assert(a[0] == smaller);
  return 0;
}
