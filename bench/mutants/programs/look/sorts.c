/* Three simple sorting algorithms and the checks that go with them. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

static int is_sorted(const int *a, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (a[i - 1] > a[i])
            return 0;
    }
    return 1;
}

void insertion_sort(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int key = a[i];
        int j = i - 1;
        while (j >= 0 && a[j] > key) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = key;
    }
}

void selection_sort(int *a, int n)
{
    for (int i = 0; i < n - 1; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++) {
            if (a[j] < a[least])
                least = j;
        }
        if (least != i)
            swap(&a[i], &a[least]);
    }
}

void shell_sort(int *a, int n)
{
    int gap = 1;

    while (gap < n / 3)
        gap = 3 * gap + 1;
    while (gap >= 1) {
        for (int i = gap; i < n; i++) {
            for (int j = i; j >= gap && a[j] < a[j - gap]; j -= gap)
                swap(&a[j], &a[j - gap]);
        }
        gap /= 3;
    }
}

/* Keeps the first of equal neighbours; returns the new length. */
int unique(int *a, int n)
{
    int kept = 0;

    if (n == 0)
        return 0;
    for (int i = 1; i < n; i++) {
        if (a[i] != a[kept])
            a[++kept] = a[i];
    }
    return kept + 1;
}

int median(const int *values, int n)
{
    int copy[32];

    assert(n > 0 && n <= 32);
    memcpy(copy, values, n * sizeof(int));
    insertion_sort(copy, n);
    if (n % 2 == 1)
        return copy[n / 2];
    return (copy[n / 2 - 1] + copy[n / 2]) / 2;
}

static void test_insertion(void)
{
    int a[] = { 23, 4, 42, 8, 16, 15 };
    insertion_sort(a, 6);
    assert(is_sorted(a, 6));
    assert(a[0] == 4 && a[5] == 42);
}

static void test_selection(void)
{
    int a[] = { 5, -1, 5, 0, 9, 3, 3 };
    selection_sort(a, 7);
    assert(is_sorted(a, 7));
    assert(a[0] == -1);
    assert(a[3] == 3);
}

static void test_shell(void)
{
    int a[12];
    for (int i = 0; i < 12; i++)
        a[i] = (i * 7 + 5) % 12;
    shell_sort(a, 12);
    for (int i = 0; i < 12; i++)
        assert(a[i] == i);
}

static void test_unique(void)
{
    int a[] = { 1, 1, 2, 3, 3, 3, 7 };
    assert(unique(a, 7) == 4);
    assert(a[1] == 2);
    assert(a[3] == 7);
    assert(unique(a, 0) == 0);
}

static void test_median(void)
{
    int odd[] = { 9, 1, 5 };
    int even[] = { 10, 4, 2, 8 };
    assert(median(odd, 3) == 5);
    assert(median(even, 4) == 6);
    assert(odd[0] == 9);
}

int main(void)
{
    test_insertion();
    test_selection();
    test_shell();
    test_unique();
    test_median();
    return 0;
}
