/* First-fit allocator inside one static buffer, with coalescing. */
#include <assert.h>
#include <stddef.h>

#define POOL_CELLS 64

/* Every block begins with a header cell: its size with the header, positive when it is in use, negative when free. */
static int pool[POOL_CELLS];

static void pool_init(void)
{
	pool[0] = -POOL_CELLS;
}

static int block_size(int at)
{
	return pool[at] < 0 ? -pool[at] : pool[at];
}

static int is_free(int at)
{
	return pool[at] < 0;
}

/* Index of the first cell of n cells, or -1. */
static int pool_alloc(int n)
{
	int need = n + 1;
	int at = 0;

	if (n <= 0)
		return -1;
	while (at < POOL_CELLS) {
		int size = block_size(at);
		if (is_free(at) && size >= need) {
			if (size > need) {
				pool[at + need] = -(size - need);
				pool[at] = need;
			} else {
				pool[at] = size;
			}
			return at + 1;
		}
		at += size;
	}
	return -1;
}

static void coalesce(void)
{
	int at = 0;

	while (at < POOL_CELLS) {
		int next = at + block_size(at);
		if (next < POOL_CELLS && is_free(at) && is_free(next))
			pool[at] -= block_size(next);
		else
			at = next;
	}
}

static void pool_free(int cell)
{
	int at = cell - 1;

	assert(pool[at] > 0);
	pool[at] = -pool[at];
	coalesce();
}

static int free_cells(void)
{
	int total = 0;
	for (int at = 0; at < POOL_CELLS; at += block_size(at))
		if (is_free(at))
			total += block_size(at) - 1;
	return total;
}

static int blocks(void)
{
	int n = 0;
	for (int at = 0; at < POOL_CELLS; at += block_size(at))
		n++;
	return n;
}

static int pool_grow(int cell, int n)
{
	int old = block_size(cell - 1) - 1;
	int moved;

	if (n <= old)
		return cell;
	moved = pool_alloc(n);
	if (moved < 0)
		return -1;
	for (int i = 0; i < old; i++)
		pool[moved + i] = pool[cell + i];
	pool_free(cell);
	return moved;
}

static void test_alloc(void)
{
	pool_init();
	int a = pool_alloc(10);
	int b = pool_alloc(20);
	assert(a == 1);
	assert(b == 12);
	assert(free_cells() == 31);
	assert(pool_alloc(32) == -1);
	assert(pool_alloc(31) == 33);
	assert(free_cells() == 0);
	assert(pool_alloc(0) == -1);
}

static void test_reuse(void)
{
	pool_init();
	int a = pool_alloc(5), b = pool_alloc(5), c = pool_alloc(5);
	pool_free(b);
	assert(blocks() == 4);
	assert(pool_alloc(4) == b);
	pool_free(a);
	assert(pool_alloc(5) == a);
	pool_free(c);
	assert(blocks() == 3);
}

static void test_coalesce(void)
{
	pool_init();
	int a = pool_alloc(7), b = pool_alloc(7), c = pool_alloc(7);
	pool_free(a);
	pool_free(c);
	pool_free(b);
	assert(blocks() == 1);
	assert(free_cells() == POOL_CELLS - 1);
	assert(pool_alloc(63) == 1);
}

static void test_grow(void)
{
	pool_init();
	int a = pool_alloc(3);
	int b = pool_alloc(3);
	for (int i = 0; i < 3; i++)
		pool[a + i] = 100 + i;
	assert(pool_grow(a, 2) == a);
	int c = pool_grow(a, 6);
	assert(c == 9);
	assert(pool[c] == 100 && pool[c + 2] == 102);
	assert(pool_alloc(3) == a);
	assert(pool_grow(b, 60) == -1);
}

int main(void)
{
	test_alloc();
	test_reuse();
	test_coalesce();
	test_grow();
	return 0;
}
