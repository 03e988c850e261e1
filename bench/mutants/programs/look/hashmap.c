/* Word counter: a hash table with chains that grows. */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Entry Entry;
struct Entry {
    char *word;
    int count;
    Entry *next;
};

typedef struct {
    Entry **buckets;
    unsigned capacity;
    unsigned used;
} Table;

static unsigned hash(const char *s) {
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h;
}

static void table_init(Table *t, unsigned capacity) {
    t->buckets = calloc(capacity, sizeof(Entry *));
    t->capacity = capacity;
    t->used = 0;
}

static void table_grow(Table *t) {
    unsigned capacity = t->capacity * 2;
    Entry **buckets = calloc(capacity, sizeof(Entry *));
    for (unsigned i = 0; i < t->capacity; i++) {
        Entry *e = t->buckets[i];
        while (e) {
            Entry *next = e->next;
            unsigned slot = hash(e->word) % capacity;
            e->next = buckets[slot];
            buckets[slot] = e;
            e = next;
        }
    }
    free(t->buckets);
    t->buckets = buckets;
    t->capacity = capacity;
}

static Entry *table_find(Table *t, const char *word) {
    Entry *e = t->buckets[hash(word) % t->capacity];
    while (e && strcmp(e->word, word) != 0)
        e = e->next;
    return e;
}

static void table_add(Table *t, const char *word) {
    Entry *e = table_find(t, word);
    if (e) {
        e->count++;
        return;
    }
    if (t->used >= t->capacity)
        table_grow(t);
    unsigned slot = hash(word) % t->capacity;
    e = malloc(sizeof *e);
    e->word = malloc(strlen(word) + 1);
    strcpy(e->word, word);
    e->count = 1;
    e->next = t->buckets[slot];
    t->buckets[slot] = e;
    t->used++;
}

static int table_count(Table *t, const char *word) {
    Entry *e = table_find(t, word);
    return e ? e->count : 0;
}

static void table_free(Table *t) {
    for (unsigned i = 0; i < t->capacity; i++) {
        while (t->buckets[i]) {
            Entry *e = t->buckets[i];
            t->buckets[i] = e->next;
            free(e->word);
            free(e);
        }
    }
    free(t->buckets);
}

/* Counts the words of a text, in lower case; returns how many there were in all. */
static int count_words(Table *t, const char *text) {
    char word[24];
    int length = 0, total = 0;
    for (;; text++) {
        if (isalpha((unsigned char)*text) && length < 23) {
            word[length++] = (char)tolower((unsigned char)*text);
        } else if (length > 0) {
            word[length] = '\0';
            table_add(t, word);
            total++;
            length = 0;
        }
        if (*text == '\0')
            break;
    }
    return total;
}

static void test_add_and_find(void) {
    Table t;
    table_init(&t, 4);
    table_add(&t, "pear");
    table_add(&t, "apple");
    table_add(&t, "pear");
    assert(table_count(&t, "pear") == 2);
    assert(table_count(&t, "apple") == 1);
    assert(table_count(&t, "plum") == 0);
    assert(t.used == 2);
    table_free(&t);
}

static void test_grow(void) {
    Table t;
    char name[] = "item-a";
    table_init(&t, 2);
    for (int i = 0; i < 9; i++) {
        name[5] = (char)('a' + i);
        table_add(&t, name);
    }
    assert(t.used == 9);
    assert(t.capacity == 16);
    assert(table_count(&t, "item-a") == 1);
    assert(table_count(&t, "item-i") == 1);
    assert(table_count(&t, "item-j") == 0);
    table_free(&t);
}

static void test_words(void) {
    Table t;
    table_init(&t, 8);
    assert(count_words(&t, "The cat, the dog; THE end") == 6);
    assert(table_count(&t, "the") == 3);
    assert(table_count(&t, "end") == 1);
    assert(table_count(&t, "The") == 0);
    table_free(&t);
}

int main(void) {
    test_add_and_find();
    test_grow();
    test_words();
    return 0;
}
