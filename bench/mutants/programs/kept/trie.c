/* A dictionary of lower-case words as a trie, with completion. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS 26

typedef struct trie {
    struct trie *child[LETTERS];
    int words;      /* that end here */
    int below;      /* words in this subtree, this node's too */
} trie;

static trie *trie_new(void)
{
    return calloc(1, sizeof(trie));
}

static int index_of(char c)
{
    return c >= 'a' && c <= 'z' ? c - 'a' : -1;
}

static int trie_insert(trie *root, const char *word)
{
    trie *t = root;

    for (const char *p = word; *p; p++)
        if (index_of(*p) < 0)
            return 0;
    t->below++;
    for (; *word; word++) {
        int i = index_of(*word);
        if (!t->child[i])
            t->child[i] = trie_new();
        t = t->child[i];
        t->below++;
    }
    t->words++;
    return 1;
}

static const trie *descend(const trie *t, const char *prefix)
{
    while (t && *prefix) {
        int i = index_of(*prefix++);
        if (i < 0)
            return NULL;
        t = t->child[i];
    }
    return t;
}

static int trie_has(const trie *root, const char *word)
{
    const trie *t = descend(root, word);
    return t != NULL && t->words > 0;
}

static int count_prefix(const trie *root, const char *prefix)
{
    const trie *t = descend(root, prefix);
    return t ? t->below : 0;
}

static int trie_remove(trie *t, const char *word)
{
    if (!trie_has(t, word))
        return 0;
    t->below--;
    while (*word) {
        t = t->child[index_of(*word++)];
        t->below--;
    }
    t->words--;
    return 1;
}

/* Completes as long as there is only one way to go on; returns the number of letters added. */
static int complete(const trie *root, char *buffer, int room)
{
    const trie *t = descend(root, buffer);
    int length = (int)strlen(buffer), added = 0;

    while (t && t->words == 0 && length + 1 < room) {
        int only = -1;
        for (int i = 0; i < LETTERS; i++) {
            if (t->child[i] && t->child[i]->below > 0) {
                if (only >= 0)
                    return added;
                only = i;
            }
        }
        if (only < 0)
            break;
        buffer[length++] = (char)('a' + only);
        buffer[length] = '\0';
        t = t->child[only];
        added++;
    }
    return added;
}

/* The n-th word in alphabetical order, from 0. */
static int nth_word(const trie *t, int n, char *out)
{
    int length = 0;

    if (n < 0 || n >= t->below)
        return 0;
    while (n >= t->words) {
        n -= t->words;
        int i = 0;
        while (!t->child[i] || n >= t->child[i]->below) {
            if (t->child[i])
                n -= t->child[i]->below;
            i++;
        }
        out[length++] = (char)('a' + i);
        t = t->child[i];
    }
    out[length] = '\0';
    return 1;
}

static void trie_free(trie *t)
{
    for (int i = 0; i < LETTERS; i++)
        if (t->child[i])
            trie_free(t->child[i]);
    free(t);
}

static void test_insert(void)
{
    trie *t = trie_new();
    assert(trie_insert(t, "car"));
    assert(trie_insert(t, "cart"));
    assert(!trie_insert(t, "Car"));
    assert(!trie_insert(t, "x{"));
    assert(trie_has(t, "car") && trie_has(t, "cart"));
    assert(!trie_has(t, "ca"));
    assert(!trie_has(t, "dog"));
    assert(t->below == 2);
    trie_free(t);
}

static void test_prefix(void)
{
    trie *t = trie_new();
    trie_insert(t, "tea");
    trie_insert(t, "ten");
    trie_insert(t, "ten");
    trie_insert(t, "to");
    assert(count_prefix(t, "te") == 3);
    assert(count_prefix(t, "t") == 4);
    assert(count_prefix(t, "") == 4);
    assert(count_prefix(t, "x") == 0);
    assert(count_prefix(t, "T") == 0);
    trie_free(t);
}

static void test_remove(void)
{
    trie *t = trie_new();
    trie_insert(t, "abc");
    trie_insert(t, "ab");
    assert(trie_remove(t, "abc"));
    assert(!trie_remove(t, "abc"));
    assert(!trie_has(t, "abc"));
    assert(trie_has(t, "ab"));
    assert(count_prefix(t, "a") == 1);
    trie_free(t);
}

static void test_complete(void)
{
    char b[16] = "st";
    trie *t = trie_new();
    trie_insert(t, "string");
    trie_insert(t, "strong");
    trie_insert(t, "zz");
    assert(complete(t, b, 16) == 1);
    assert(strcmp(b, "str") == 0);
    strcat(b, "i");
    assert(complete(t, b, 16) == 2);
    assert(strcmp(b, "string") == 0);
    b[0] = 'z';
    b[1] = '\0';
    assert(complete(t, b, 2) == 0);
    trie_free(t);
}

static void test_nth(void)
{
    char b[16];
    trie *t = trie_new();
    trie_insert(t, "b");
    trie_insert(t, "ba");
    trie_insert(t, "az");
    trie_insert(t, "bad");
    assert(nth_word(t, 0, b) && strcmp(b, "az") == 0);
    assert(nth_word(t, 1, b) && strcmp(b, "b") == 0);
    assert(nth_word(t, 3, b) && strcmp(b, "bad") == 0);
    assert(!nth_word(t, 4, b));
    trie_free(t);
}

int main(void)
{
    test_insert();
    test_prefix();
    test_remove();
    test_complete();
    test_nth();
    return 0;
}
