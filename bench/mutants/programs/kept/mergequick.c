/* Merge sort, quick sort, and selection of the k-th smallest. */
#include <assert.h>
#include <string.h>

#define MAX 64

typedef struct {
    int key;
    int tag;
} Item;

static void merge(const int *left, int nl, const int *right, int nr, int *out)
{
    int i = 0, j = 0, k = 0;

    while (i < nl && j < nr) {
        if (left[i] <= right[j])
            out[k++] = left[i++];
        else
            out[k++] = right[j++];
    }
    while (i < nl)
        out[k++] = left[i++];
    while (j < nr)
        out[k++] = right[j++];
}

static void merge_sort(int *a, int n)
{
    int tmp[MAX];
    int half = n / 2;

    if (n < 2)
        return;
    merge_sort(a, half);
    merge_sort(a + half, n - half);
    merge(a, half, a + half, n - half, tmp);
    memcpy(a, tmp, n * sizeof a[0]);
}

static int partition(int *a, int lo, int hi)
{
    int pivot = a[hi];
    int store = lo;

    for (int i = lo; i < hi; i++) {
        if (a[i] < pivot) {
            int t = a[i];
            a[i] = a[store];
            a[store] = t;
            store++;
        }
    }
    a[hi] = a[store];
    a[store] = pivot;
    return store;
}

static void quick_sort(int *a, int lo, int hi)
{
    if (lo >= hi)
        return;
    int p = partition(a, lo, hi);
    quick_sort(a, lo, p - 1);
    quick_sort(a, p + 1, hi);
}

static int kth_smallest(int *a, int n, int k)
{
    int lo = 0, hi = n - 1;
    for (;;) {
        int p = partition(a, lo, hi);
        if (p == k)
            return a[p];
        if (p < k)
            lo = p + 1;
        else
            hi = p - 1;
    }
}

/* Counting sort by key below 10, stable. */
static void sort_items(const Item *in, int n, Item *out)
{
    int first[11] = { 0 };

    for (int i = 0; i < n; i++)
        first[in[i].key + 1]++;
    for (int k = 1; k < 11; k++)
        first[k] += first[k - 1];
    for (int i = 0; i < n; i++)
        out[first[in[i].key]++] = in[i];
}

static long inversions(const int *a, int n)
{
    long count = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (a[i] > a[j])
                count++;
    return count;
}

static void test_merge(void)
{
    int l[] = { 1, 4, 9 }, r[] = { 2, 3, 4, 10, 11 }, out[8];
    merge(l, 3, r, 5, out);
    assert(inversions(out, 8) == 0);
    assert(out[0] == 1 && out[7] == 11);
    assert(out[3] == 4 && out[4] == 4);
}

static void test_merge_sort(void)
{
    int a[] = { 7, 3, 9, 1, 1, 8, 0, 5, 2 };
    merge_sort(a, 9);
    assert(inversions(a, 9) == 0);
    assert(a[0] == 0);
    assert(a[8] == 9);
}

static void test_quick_sort(void)
{
    int a[] = { 6, 2, 8, 2, 5, 9, 1 };
    quick_sort(a, 0, 6);
    assert(a[0] == 1 && a[1] == 2 && a[2] == 2);
    assert(inversions(a, 7) == 0);
    assert(a[6] == 9);
}

static void test_kth(void)
{
    int a[] = { 12, 3, 5, 7, 19, 26 };
    assert(kth_smallest(a, 6, 2) == 7);
    assert(kth_smallest(a, 6, 0) == 3);
    assert(kth_smallest(a, 6, 5) == 26);
}

static void test_items(void)
{
    Item in[] = { { 5, 0 }, { 2, 1 }, { 9, 2 }, { 5, 3 }, { 0, 4 } }, out[5];
    sort_items(in, 5, out);
    assert(out[0].tag == 4);
    assert(out[1].tag == 1);
    assert(out[2].tag == 0 && out[3].tag == 3);
    assert(out[4].key == 9);
}

static void test_inversions(void)
{
    int a[] = { 3, 1, 2 }, b[] = { 1, 1, 1 };
    assert(inversions(a, 3) == 2);
    assert(inversions(b, 3) == 0);
}

int main(void)
{
    test_merge();
    test_merge_sort();
    test_quick_sort();
    test_kth();
    test_items();
    test_inversions();
    return 0;
}
