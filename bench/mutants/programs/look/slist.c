/* A singly linked list with head and tail. */
#include <assert.h>
#include <stdlib.h>

typedef struct node {
    int value;
    struct node *next;
} node_t;

typedef struct {
    node_t *head;
    node_t *tail;
    int length;
} list_t;

static void list_init(list_t *list)
{
    list->head = NULL;
    list->tail = NULL;
    list->length = 0;
}

static node_t *new_node(int value)
{
    node_t *n = malloc(sizeof *n);
    if (n == NULL)
        abort();
    n->value = value;
    n->next = NULL;
    return n;
}

static void list_append(list_t *list, int value)
{
    node_t *n = new_node(value);
    if (list->tail == NULL)
        list->head = n;
    else
        list->tail->next = n;
    list->tail = n;
    list->length++;
}

static void list_prepend(list_t *list, int value)
{
    node_t *n = new_node(value);
    n->next = list->head;
    list->head = n;
    if (list->tail == NULL)
        list->tail = n;
    list->length++;
}

/* Removes the first node with that value; says whether there was one. */
static int list_remove(list_t *list, int value)
{
    node_t *before = NULL;
    node_t *at = list->head;

    while (at != NULL && at->value != value) {
        before = at;
        at = at->next;
    }
    if (at == NULL)
        return 0;
    if (before == NULL)
        list->head = at->next;
    else
        before->next = at->next;
    if (at == list->tail)
        list->tail = before;
    list->length--;
    free(at);
    return 1;
}

static void list_reverse(list_t *list)
{
    node_t *done = NULL;
    node_t *at = list->head;

    list->tail = list->head;
    while (at) {
        node_t *next = at->next;
        at->next = done;
        done = at;
        at = next;
    }
    list->head = done;
}

static int list_get(const list_t *list, int index)
{
    const node_t *n = list->head;
    while (index > 0) {
        n = n->next;
        index--;
    }
    return n->value;
}

static int list_sum(const list_t *list)
{
    int sum = 0;
    for (const node_t *n = list->head; n; n = n->next)
        sum += n->value;
    return sum;
}

static void list_clear(list_t *list)
{
    while (list->head != NULL) {
        node_t *next = list->head->next;
        free(list->head);
        list->head = next;
    }
    list->tail = NULL;
    list->length = 0;
}

static void test_append(void)
{
    list_t l;
    list_init(&l);
    for (int i = 1; i <= 4; i++)
        list_append(&l, i * 10);
    assert(l.length == 4);
    assert(list_get(&l, 0) == 10);
    assert(list_get(&l, 3) == 40);
    assert(list_sum(&l) == 100);
    list_clear(&l);
    assert(l.head == NULL && l.length == 0);
}

static void test_prepend(void)
{
    list_t l;
    list_init(&l);
    list_prepend(&l, 3);
    list_append(&l, 4);
    list_prepend(&l, 2);
    assert(list_get(&l, 0) == 2);
    assert(list_get(&l, 1) == 3);
    assert(l.tail->value == 4);
    list_clear(&l);
}

static void test_remove(void)
{
    list_t l;
    list_init(&l);
    for (int i = 0; i < 5; i++)
        list_append(&l, i);
    assert(list_remove(&l, 2));
    assert(!list_remove(&l, 7));
    assert(list_remove(&l, 4));
    list_append(&l, 9);
    assert(list_remove(&l, 0));
    assert(l.length == 3);
    assert(list_get(&l, 0) == 1);
    assert(list_get(&l, 2) == 9);
    list_clear(&l);
}

static void test_reverse(void)
{
    list_t l;
    list_init(&l);
    list_reverse(&l);
    assert(l.head == NULL);
    list_append(&l, 1);
    list_append(&l, 2);
    list_append(&l, 3);
    list_reverse(&l);
    assert(list_get(&l, 0) == 3);
    assert(list_get(&l, 2) == 1);
    list_append(&l, 0);
    assert(list_get(&l, 3) == 0);
    assert(list_sum(&l) == 6);
    list_clear(&l);
}

int main(void)
{
    test_append();
    test_prepend();
    test_remove();
    test_reverse();
    return 0;
}
