/* Doubly linked circular list with a sentinel: a playlist. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct song {
	struct song *prev, *next;
	char title[12];
	int seconds;
};

struct playlist {
	struct song sentinel;
	struct song *current;
	int count;
};

static void pl_init(struct playlist *p)
{
	p->sentinel.prev = p->sentinel.next = &p->sentinel;
	p->current = &p->sentinel;
	p->count = 0;
}

static void link_before(struct song *s, struct song *at)
{
	s->prev = at->prev;
	s->next = at;
	at->prev->next = s;
	at->prev = s;
}

static void unlink_song(struct song *s)
{
	s->prev->next = s->next;
	s->next->prev = s->prev;
}

static struct song *pl_add(struct playlist *p, const char *title, int seconds)
{
	struct song *s = malloc(sizeof *s);

	strncpy(s->title, title, sizeof s->title - 1);
	s->title[sizeof s->title - 1] = '\0';
	s->seconds = seconds;
	link_before(s, &p->sentinel);
	if (p->count++ == 0)
		p->current = s;
	return s;
}

static void pl_remove(struct playlist *p, struct song *s)
{
	if (p->current == s) {
		p->current = s->next;
		if (p->current == &p->sentinel)
			p->current = p->sentinel.next;
	}
	unlink_song(s);
	free(s);
	p->count--;
}

/* Steps over the sentinel. */
static struct song *pl_next(struct playlist *p)
{
	p->current = p->current->next;
	if (p->current == &p->sentinel)
		p->current = p->current->next;
	return p->current;
}

static struct song *pl_previous(struct playlist *p)
{
	p->current = p->current->prev;
	if (p->current == &p->sentinel)
		p->current = p->current->prev;
	return p->current;
}

static void move_up(struct playlist *p, struct song *s)
{
	struct song *before = s->prev;

	if (before == &p->sentinel)
		return;
	unlink_song(s);
	link_before(s, before);
}

static int pl_duration(const struct playlist *p)
{
	int total = 0;
	for (const struct song *s = p->sentinel.next; s != &p->sentinel; s = s->next)
		total += s->seconds;
	return total;
}

static struct song *pl_find(struct playlist *p, const char *title)
{
	struct song *s = p->sentinel.next;
	while (s != &p->sentinel && strcmp(s->title, title) != 0)
		s = s->next;
	return s == &p->sentinel ? NULL : s;
}

/* Insertion sort by length, shortest first; equal ones keep their order. */
static void pl_sort(struct playlist *p)
{
	struct song *s = p->sentinel.next;
	while (s != &p->sentinel) {
		struct song *next = s->next;
		struct song *at = s->prev;
		while (at != &p->sentinel && at->seconds > s->seconds)
			at = at->prev;
		unlink_song(s);
		link_before(s, at->next);
		s = next;
	}
}

static void pl_clear(struct playlist *p)
{
	while (p->count > 0)
		pl_remove(p, p->sentinel.next);
}

static int consistent(const struct playlist *p)
{
	const struct song *s = &p->sentinel;
	int n = 0;
	do {
		if (s->next->prev != s)
			return 0;
		s = s->next;
		n++;
	} while (s != &p->sentinel && n <= p->count + 1);
	return n == p->count + 1;
}

static void test_add(void)
{
	struct playlist p;
	pl_init(&p);
	assert(consistent(&p));
	pl_add(&p, "first", 100);
	pl_add(&p, "a very long title", 50);
	assert(p.count == 2);
	assert(pl_duration(&p) == 150);
	assert(strcmp(p.current->title, "first") == 0);
	assert(strcmp(p.current->next->title, "a very long") == 0);
	assert(consistent(&p));
	pl_clear(&p);
	assert(consistent(&p));
}

static void test_walk(void)
{
	struct playlist p;
	pl_init(&p);
	struct song *a = pl_add(&p, "a", 1), *b = pl_add(&p, "b", 2), *c = pl_add(&p, "c", 3);
	assert(pl_next(&p) == b);
	assert(pl_next(&p) == c);
	assert(pl_next(&p) == a);
	assert(pl_previous(&p) == c);
	assert(pl_previous(&p) == b);
	pl_clear(&p);
}

static void test_remove(void)
{
	struct playlist p;
	pl_init(&p);
	struct song *a = pl_add(&p, "a", 1), *b = pl_add(&p, "b", 2), *c = pl_add(&p, "c", 4);
	pl_next(&p);
	pl_remove(&p, b);
	assert(p.current == c);
	pl_remove(&p, c);
	assert(p.current == a);
	assert(consistent(&p));
	assert(pl_duration(&p) == 1);
	assert(pl_find(&p, "b") == NULL);
	assert(pl_find(&p, "a") == a);
	pl_clear(&p);
	assert(p.count == 0);
}

static void test_move(void)
{
	struct playlist p;
	pl_init(&p);
	struct song *a = pl_add(&p, "a", 1), *b = pl_add(&p, "b", 2), *c = pl_add(&p, "c", 3);
	move_up(&p, c);
	assert(a->next == c && c->next == b);
	move_up(&p, c);
	move_up(&p, c);
	assert(p.sentinel.next == c);
	assert(p.sentinel.prev == b);
	assert(consistent(&p));
	pl_clear(&p);
}

static void test_sort(void)
{
	static const int lengths[] = { 30, 10, 20, 10, 40 };
	struct playlist p;
	char name[] = "s0";
	pl_init(&p);
	for (int i = 0; i < 5; i++) {
		name[1] = (char)('0' + i);
		pl_add(&p, name, lengths[i]);
	}
	pl_sort(&p);
	assert(consistent(&p));
	assert(strcmp(p.sentinel.next->title, "s1") == 0);
	assert(strcmp(p.sentinel.next->next->title, "s3") == 0);
	assert(p.sentinel.prev->seconds == 40);
	pl_clear(&p);
}

int main(void)
{
	test_add();
	test_walk();
	test_remove();
	test_move();
	test_sort();
	return 0;
}
