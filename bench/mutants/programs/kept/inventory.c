/* A warehouse: stock, reservations, reordering, a report. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#define MAX_ITEMS 10
#define NAME_LEN 16

struct item {
    char name[NAME_LEN];
    int stock;
    int reserved;
    int reorder_at;
    int price;
};

struct warehouse {
    struct item items[MAX_ITEMS];
    int n;
    long revenue;
};

static struct item *find_item(struct warehouse *w, const char *name)
{
    for (int i = 0; i < w->n; i++) {
        if (strcmp(w->items[i].name, name) == 0)
            return &w->items[i];
    }
    return NULL;
}

/* Kept in alphabetical order. */
static int add_item(struct warehouse *w, const char *name, int price, int reorder_at)
{
    int at = w->n;

    if (w->n >= MAX_ITEMS || strlen(name) >= NAME_LEN || find_item(w, name))
        return -1;
    while (at > 0 && strcmp(w->items[at - 1].name, name) > 0) {
        w->items[at] = w->items[at - 1];
        at--;
    }
    memset(&w->items[at], 0, sizeof(struct item));
    strcpy(w->items[at].name, name);
    w->items[at].price = price;
    w->items[at].reorder_at = reorder_at;
    w->n++;
    return at;
}

static int available(const struct item *it)
{
    return it->stock - it->reserved;
}

static int receive(struct warehouse *w, const char *name, int count)
{
    struct item *it = find_item(w, name);
    if (!it || count <= 0)
        return 0;
    it->stock += count;
    return 1;
}

static int reserve(struct warehouse *w, const char *name, int count)
{
    struct item *it = find_item(w, name);
    if (!it || count > available(it))
        return 0;
    it->reserved += count;
    return 1;
}

/* Ships what was reserved; ten or more are 10 percent cheaper. */
static long ship(struct warehouse *w, const char *name, int count)
{
    struct item *it = find_item(w, name);
    long sum;

    if (!it || count > it->reserved)
        return -1;
    it->reserved -= count;
    it->stock -= count;
    sum = (long)count * it->price;
    if (count >= 10)
        sum = sum * 90 / 100;
    w->revenue += sum;
    return sum;
}

static int remove_item(struct warehouse *w, const char *name)
{
    struct item *it = find_item(w, name);
    if (!it || it->reserved > 0)
        return 0;
    for (int i = (int)(it - w->items); i < w->n - 1; i++)
        w->items[i] = w->items[i + 1];
    w->n--;
    return 1;
}

static int to_reorder(const struct warehouse *w, int *indices)
{
    int n = 0;
    for (int i = 0; i < w->n; i++)
        if (available(&w->items[i]) < w->items[i].reorder_at)
            indices[n++] = i;
    return n;
}

static long stock_value(const struct warehouse *w)
{
    long total = 0;
    for (int i = 0; i < w->n; i++)
        total += (long)w->items[i].stock * w->items[i].price;
    return total;
}

static int report_line(const struct item *it, char *out, size_t size)
{
    const char *mark = available(it) < it->reorder_at ? "!" : "";
    return snprintf(out, size, "%-8s%4d (%d)%s", it->name, it->stock, it->reserved, mark);
}

static void test_add(void)
{
    struct warehouse w = { .n = 0 };
    assert(add_item(&w, "nut", 5, 10) == 0);
    assert(add_item(&w, "bolt", 7, 10) == 0);
    assert(add_item(&w, "screw", 3, 10) == 2);
    assert(add_item(&w, "nut", 5, 10) == -1);
    assert(add_item(&w, "a name that is too long", 1, 1) == -1);
    assert(strcmp(w.items[1].name, "nut") == 0);
    assert(find_item(&w, "screw")->price == 3);
    assert(find_item(&w, "nail") == NULL);
}

static void test_reserve(void)
{
    struct warehouse w = { .n = 0 };
    add_item(&w, "nut", 5, 10);
    assert(!reserve(&w, "nut", 1));
    assert(receive(&w, "nut", 20));
    assert(!receive(&w, "nut", 0));
    assert(!receive(&w, "bolt", 1));
    assert(reserve(&w, "nut", 15));
    assert(!reserve(&w, "nut", 6));
    assert(reserve(&w, "nut", 5));
    assert(available(&w.items[0]) == 0);
}

static void test_ship(void)
{
    struct warehouse w = { .n = 0 };
    add_item(&w, "nut", 5, 10);
    receive(&w, "nut", 30);
    reserve(&w, "nut", 22);
    assert(ship(&w, "nut", 23) == -1);
    assert(ship(&w, "nut", 10) == 45);
    assert(ship(&w, "nut", 9) == 45);
    assert(w.revenue == 90);
    assert(w.items[0].stock == 11);
    assert(w.items[0].reserved == 3);
}

static void test_remove(void)
{
    struct warehouse w = { .n = 0 };
    add_item(&w, "a", 1, 0);
    add_item(&w, "b", 2, 0);
    add_item(&w, "c", 3, 0);
    receive(&w, "c", 4);
    reserve(&w, "c", 1);
    assert(remove_item(&w, "a"));
    assert(!remove_item(&w, "c"));
    assert(w.n == 2);
    assert(strcmp(w.items[0].name, "b") == 0);
    assert(w.items[1].stock == 4);
    assert(stock_value(&w) == 12);
}

static void test_reorder(void)
{
    struct warehouse w = { .n = 0 };
    int which[MAX_ITEMS];
    add_item(&w, "x", 1, 5);
    add_item(&w, "y", 1, 5);
    add_item(&w, "z", 1, 0);
    receive(&w, "x", 5);
    receive(&w, "y", 6);
    assert(to_reorder(&w, which) == 0);
    reserve(&w, "y", 2);
    assert(to_reorder(&w, which) == 1);
    assert(which[0] == 1);
}

static void test_report(void)
{
    struct warehouse w = { .n = 0 };
    char line[40];
    add_item(&w, "washer", 1, 3);
    receive(&w, "washer", 5);
    reserve(&w, "washer", 2);
    assert(report_line(&w.items[0], line, sizeof line) == 16);
    assert(strcmp(line, "washer     5 (2)") == 0);
    reserve(&w, "washer", 1);
    report_line(&w.items[0], line, sizeof line);
    assert(strcmp(line, "washer     5 (3)!") == 0);
}

int main(void)
{
    test_add();
    test_reserve();
    test_ship();
    test_remove();
    test_reorder();
    test_report();
    return 0;
}
