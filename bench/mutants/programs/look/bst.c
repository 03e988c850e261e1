/* Unbalanced binary search tree. */
#include <assert.h>
#include <stdlib.h>

struct tree {
	int key;
	int count;
	struct tree *left, *right;
};

static struct tree *insert(struct tree *t, int key)
{
	if (t == NULL) {
		t = calloc(1, sizeof(*t));
		t->key = key;
		t->count = 1;
		return t;
	}
	if (key == t->key)
		t->count++;
	else if (key < t->key)
		t->left = insert(t->left, key);
	else
		t->right = insert(t->right, key);
	return t;
}

static const struct tree *lookup(const struct tree *t, int key)
{
	while (t && t->key != key)
		t = key < t->key ? t->left : t->right;
	return t;
}

static int height(const struct tree *t)
{
	int l, r;

	if (!t)
		return 0;
	l = height(t->left);
	r = height(t->right);
	return (l > r ? l : r) + 1;
}

static int size(const struct tree *t)
{
	return t ? size(t->left) + 1 + size(t->right) : 0;
}

static int smallest(const struct tree *t)
{
	while (t->left)
		t = t->left;
	return t->key;
}

/* Removes the key wholly, whatever its count. */
static struct tree *delete(struct tree *t, int key)
{
	struct tree *child;

	if (!t)
		return NULL;
	if (key < t->key) {
		t->left = delete(t->left, key);
	} else if (key > t->key) {
		t->right = delete(t->right, key);
	} else if (t->left && t->right) {
		int next = smallest(t->right);
		t->count = lookup(t->right, next)->count;
		t->key = next;
		t->right = delete(t->right, next);
	} else {
		child = t->left ? t->left : t->right;
		free(t);
		return child;
	}
	return t;
}

/* Writes the keys in order, returns how many. */
static int in_order(const struct tree *t, int *out, int at)
{
	if (!t)
		return at;
	at = in_order(t->left, out, at);
	out[at++] = t->key;
	return in_order(t->right, out, at);
}

static void release(struct tree *t)
{
	if (t) {
		release(t->left);
		release(t->right);
		free(t);
	}
}

void test_insert(void)
{
	static const int keys[] = { 50, 20, 70, 10, 30, 20, 60 };
	struct tree *t = NULL;
	for (int i = 0; i < 7; i++)
		t = insert(t, keys[i]);
	assert(size(t) == 6);
	assert(lookup(t, 20)->count == 2);
	assert(lookup(t, 30)->count == 1);
	assert(lookup(t, 65) == NULL);
	assert(height(t) == 3);
	release(t);
}

void test_order(void)
{
	int out[8];
	struct tree *t = NULL;
	for (int i = 0; i < 8; i++)
		t = insert(t, i * 5 % 8);
	assert(in_order(t, out, 0) == 8);
	for (int i = 0; i < 8; i++)
		assert(out[i] == i);
	assert(smallest(t) == 0);
	release(t);
}

void test_delete(void)
{
	int out[8];
	struct tree *t = NULL;
	t = insert(t, 4);
	t = insert(t, 2);
	t = insert(t, 6);
	t = insert(t, 5);
	t = insert(t, 5);
	t = insert(t, 7);
	t = delete(t, 4);
	assert(t->key == 5);
	assert(t->count == 2);
	assert(size(t) == 4);
	t = delete(t, 2);
	t = delete(t, 99);
	assert(in_order(t, out, 0) == 3);
	assert(out[0] == 5 && out[1] == 6 && out[2] == 7);
	release(t);
}

void test_height(void)
{
	struct tree *t = NULL;
	assert(height(t) == 0);
	for (int i = 0; i < 5; i++)
		t = insert(t, i);
	assert(height(t) == 5);
	release(t);
}

int main(void)
{
	test_insert();
	test_order();
	test_delete();
	test_height();
	return 0;
}
