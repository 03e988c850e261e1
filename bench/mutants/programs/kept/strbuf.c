/* A growing string buffer and a few text utilities on top of it. */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct strbuf {
	char *data;
	size_t len;
	size_t cap;
};

static void sb_init(struct strbuf *sb)
{
	sb->cap = 8;
	sb->len = 0;
	sb->data = malloc(sb->cap);
	sb->data[0] = '\0';
}

static void sb_free(struct strbuf *sb)
{
	free(sb->data);
	sb->data = NULL;
	sb->len = sb->cap = 0;
}

static void sb_reserve(struct strbuf *sb, size_t extra)
{
	size_t need = sb->len + extra + 1;

	if (need <= sb->cap)
		return;
	while (sb->cap < need)
		sb->cap *= 2;
	sb->data = realloc(sb->data, sb->cap);
}

static void sb_putc(struct strbuf *sb, char c)
{
	sb_reserve(sb, 1);
	sb->data[sb->len++] = c;
	sb->data[sb->len] = '\0';
}

static void sb_puts(struct strbuf *sb, const char *s)
{
	size_t n = strlen(s);

	sb_reserve(sb, n);
	memcpy(sb->data + sb->len, s, n + 1);
	sb->len += n;
}

static void sb_put_int(struct strbuf *sb, int value)
{
	char digits[12];
	int n = 0;
	unsigned rest = value < 0 ? 0u - (unsigned)value : (unsigned)value;

	if (value < 0)
		sb_putc(sb, '-');
	do {
		digits[n++] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	while (n-- > 0)
		sb_putc(sb, digits[n]);
}

static int sb_insert(struct strbuf *sb, size_t at, const char *s)
{
	size_t n = strlen(s);

	if (at > sb->len)
		return 0;
	sb_reserve(sb, n);
	memmove(sb->data + at + n, sb->data + at, sb->len - at + 1);
	memcpy(sb->data + at, s, n);
	sb->len += n;
	return 1;
}

static void sb_trim(struct strbuf *sb)
{
	size_t start = 0;

	while (sb->len > 0 && isspace((unsigned char)sb->data[sb->len - 1]))
		sb->len--;
	while (start < sb->len && isspace((unsigned char)sb->data[start]))
		start++;
	sb->len -= start;
	memmove(sb->data, sb->data + start, sb->len);
	sb->data[sb->len] = '\0';
}

/* Breaks text into lines of at most width characters where there are blanks. */
static int wrap_text(struct strbuf *out, const char *text, size_t width)
{
	size_t column = 0;
	int lines = 1;

	while (*text) {
		size_t word = strcspn(text, " ");
		if (column > 0 && column + 1 + word > width) {
			sb_putc(out, '\n');
			lines++;
			column = 0;
		} else if (column > 0) {
			sb_putc(out, ' ');
			column++;
		}
		for (size_t i = 0; i < word; i++)
			sb_putc(out, text[i]);
		column += word;
		text += word;
		while (*text == ' ')
			text++;
	}
	return lines;
}

static void join(struct strbuf *out, const int *numbers, int n, const char *between)
{
	for (int i = 0; i < n; i++) {
		if (i > 0)
			sb_puts(out, between);
		sb_put_int(out, numbers[i]);
	}
}

static void test_append(void)
{
	struct strbuf sb;
	sb_init(&sb);
	sb_puts(&sb, "hello");
	sb_putc(&sb, ' ');
	assert(sb.cap == 8);
	sb_puts(&sb, "wide world");
	assert(sb.len == 16);
	assert(sb.cap == 32);
	assert(strcmp(sb.data, "hello wide world") == 0);
	sb_free(&sb);
	assert(sb.data == NULL && sb.cap == 0);
}

static void test_numbers(void)
{
	static const int numbers[] = { 0, -15, 1234567, -2147483647 - 1 };
	struct strbuf sb;
	sb_init(&sb);
	join(&sb, numbers, 4, ", ");
	assert(strcmp(sb.data, "0, -15, 1234567, -2147483648") == 0);
	assert(sb.len == strlen(sb.data));
	sb_free(&sb);
}

static void test_insert(void)
{
	struct strbuf sb;
	sb_init(&sb);
	sb_puts(&sb, "ad");
	assert(sb_insert(&sb, 1, "bc"));
	assert(sb_insert(&sb, 0, ">>"));
	assert(sb_insert(&sb, 6, "ef"));
	assert(strcmp(sb.data, ">>abcdef") == 0);
	assert(!sb_insert(&sb, 9, "no"));
	assert(sb.len == 8);
	sb_free(&sb);
}

static void test_trim(void)
{
	struct strbuf sb;
	sb_init(&sb);
	sb_puts(&sb, " \t two words\n ");
	sb_trim(&sb);
	assert(strcmp(sb.data, "two words") == 0);
	assert(sb.len == 9);
	sb.len = 0;
	sb_puts(&sb, "   ");
	sb_trim(&sb);
	assert(sb.len == 0 && sb.data[0] == '\0');
	sb_free(&sb);
}

static void test_wrap(void)
{
	struct strbuf sb;
	sb_init(&sb);
	assert(wrap_text(&sb, "the quick brown  fox jumps", 10) == 3);
	assert(strcmp(sb.data, "the quick\nbrown fox\njumps") == 0);
	sb.len = 0;
	assert(wrap_text(&sb, "ab cde extraordinary", 6) == 2);
	assert(strcmp(sb.data, "ab cde\nextraordinary") == 0);
	sb_free(&sb);
}

int main(void)
{
	test_append();
	test_numbers();
	test_insert();
	test_trim();
	test_wrap();
	return 0;
}
