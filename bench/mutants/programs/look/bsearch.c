#include <assert.h>

/* Searching in sorted arrays. */

#define LEN(a) ((int)(sizeof(a) / sizeof((a)[0])))
#define NOT_FOUND -1

/* First position whose element is not less than key. */
static int lower_bound(const int a[], int n, int key) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (a[mid] < key)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

static int upper_bound(const int a[], int n, int key) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (a[mid] <= key)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

static int find(const int a[], int n, int key) {
  int at = lower_bound(a, n, key);
  if (at < n && a[at] == key)
    return at;
  return NOT_FOUND;
}

static int count_equal(const int a[], int n, int key) {
  return upper_bound(a, n, key) - lower_bound(a, n, key);
}

/* The element of a closest to x; the smaller one of two that are equally close. */
static int nearest(const int a[], int n, int x) {
  int at = lower_bound(a, n, x);
  if (at == 0)
    return a[0];
  if (at == n)
    return a[n - 1];
  int below = x - a[at - 1];
  int above = a[at] - x;
  return below <= above ? a[at - 1] : a[at];
}

/* Integer square root by bisection. */
static int int_sqrt(int x) {
  int lo = 0, hi = 46340;
  while (lo < hi) {
    int mid = (lo + hi + 1) / 2;
    if (mid * mid <= x)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}

static const int data[] = {2, 3, 5, 5, 5, 8, 13, 21};

static void test_find(void) {
  assert(find(data, LEN(data), 13) == 6);
  assert(find(data, LEN(data), 2) == 0);
  assert(find(data, LEN(data), 21) == 7);
  assert(find(data, LEN(data), 4) == NOT_FOUND);
  assert(find(data, LEN(data), 22) == NOT_FOUND);
}

static void test_bounds(void) {
  assert(lower_bound(data, LEN(data), 5) == 2);
  assert(upper_bound(data, LEN(data), 5) == 5);
  assert(upper_bound(data, LEN(data), 1) == 0);
}

static void test_count(void) {
  assert(count_equal(data, LEN(data), 5) == 3);
  assert(count_equal(data, LEN(data), 6) == 0);
}

static void test_nearest(void) {
  assert(nearest(data, LEN(data), 1) == 2);
  assert(nearest(data, LEN(data), 100) == 21);
  assert(nearest(data, LEN(data), 10) == 8);
  assert(nearest(data, LEN(data), 11) == 13);
  assert(nearest(data, LEN(data), 4) == 3);
}

static void test_sqrt(void) {
  assert(int_sqrt(0) == 0);
  assert(int_sqrt(15) == 3);
  assert(int_sqrt(16) == 4);
  assert(int_sqrt(2147395600) == 46340);
}

int main(void) {
  test_find();
  test_bounds();
  test_count();
  test_nearest();
  test_sqrt();
}
