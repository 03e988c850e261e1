/* Splits a line of a small configuration language into tokens. */
#include <assert.h>
#include <ctype.h>
#include <string.h>

enum kind { T_END, T_NAME, T_NUMBER, T_STRING, T_PUNCT, T_ERROR };

struct token {
  enum kind kind;
  int start;
  int length;
  long number;
};

struct lexer {
  const char *text;
  int at;
  int line;
};

static void lex_init(struct lexer *lx, const char *text) {
  lx->text = text;
  lx->at = 0;
  lx->line = 1;
}

static int is_name_start(char c) { return isalpha((unsigned char)c) || c == '_'; }

static int is_name_part(char c) { return is_name_start(c) || isdigit((unsigned char)c) || c == '-'; }

static void skip_blanks(struct lexer *lx) {
  for (;;) {
    char c = lx->text[lx->at];
    if (c == '#') {
      while (lx->text[lx->at] != '\n' && lx->text[lx->at] != '\0')
        lx->at++;
    } else if (c == ' ' || c == '\t') {
      lx->at++;
    } else if (c == '\n') {
      lx->line++;
      lx->at++;
    } else {
      return;
    }
  }
}

static long read_number(struct lexer *lx) {
  long value = 0;
  int base = 10;
  if (lx->text[lx->at] == '0' && lx->text[lx->at + 1] == 'x') {
    base = 16;
    lx->at += 2;
  }
  while (isxdigit((unsigned char)lx->text[lx->at])) {
    char c = lx->text[lx->at];
    int digit;
    if (isdigit((unsigned char)c))
      digit = c - '0';
    else
      digit = tolower((unsigned char)c) - 'a' + 10;
    if (digit >= base)
      break;
    value = value * base + digit;
    lx->at++;
  }
  return value;
}

static struct token next_token(struct lexer *lx) {
  struct token t = {T_END, 0, 0, 0};
  skip_blanks(lx);
  t.start = lx->at;
  char c = lx->text[lx->at];
  if (c == '\0')
    return t;
  if (is_name_start(c)) {
    t.kind = T_NAME;
    while (is_name_part(lx->text[lx->at]))
      lx->at++;
  } else if (isdigit((unsigned char)c)) {
    t.kind = T_NUMBER;
    t.number = read_number(lx);
  } else if (c == '"') {
    t.kind = T_STRING;
    lx->at++;
    while (lx->text[lx->at] != '"') {
      if (lx->text[lx->at] == '\0') {
        t.kind = T_ERROR;
        return t;
      }
      if (lx->text[lx->at] == '\\')
        lx->at++;
      lx->at++;
    }
    lx->at++;
  } else {
    t.kind = T_PUNCT;
    lx->at++;
  }
  t.length = lx->at - t.start;
  return t;
}

static int token_is(const struct lexer *lx, const struct token *t, const char *text) {
  return (int)strlen(text) == t->length && strncmp(lx->text + t->start, text, t->length) == 0;
}

static int count_tokens(const char *text) {
  struct lexer lx;
  int n = 0;
  lex_init(&lx, text);
  while (next_token(&lx).kind != T_END)
    n++;
  return n;
}

static void test_names(void) {
  struct lexer lx;
  lex_init(&lx, "  max-size_2 = other");
  struct token t = next_token(&lx);
  assert(t.kind == T_NAME);
  assert(t.start == 2);
  assert(token_is(&lx, &t, "max-size_2"));
  t = next_token(&lx);
  assert(t.kind == T_PUNCT && token_is(&lx, &t, "="));
  t = next_token(&lx);
  assert(token_is(&lx, &t, "other"));
  assert(next_token(&lx).kind == T_END);
}

static void test_numbers(void) {
  struct lexer lx;
  lex_init(&lx, "120 0x1F 7a");
  assert(next_token(&lx).number == 120);
  struct token t = next_token(&lx);
  assert(t.number == 31 && t.length == 4);
  t = next_token(&lx);
  assert(t.kind == T_NUMBER && t.number == 7);
  assert(t.length == 1);
}

static void test_strings(void) {
  struct lexer lx;
  lex_init(&lx, "\"a b\" \"q\\\"q\" \"open");
  struct token t = next_token(&lx);
  assert(t.kind == T_STRING && t.length == 5);
  t = next_token(&lx);
  assert(t.kind == T_STRING && t.length == 6);
  t = next_token(&lx);
  assert(t.kind == T_ERROR);
}

static void test_lines(void) {
  struct lexer lx;
  lex_init(&lx, "a # one\n\n  b");
  next_token(&lx);
  struct token t = next_token(&lx);
  assert(token_is(&lx, &t, "b"));
  assert(lx.line == 3);
}

static void test_count(void) {
  assert(count_tokens("") == 0);
  assert(count_tokens("port = 8080; # all\nhost = \"h\"") == 7);
}

int main(void) {
  test_names();
  test_numbers();
  test_strings();
  test_lines();
  test_count();
  return 0;
}
