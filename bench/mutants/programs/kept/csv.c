/* Reads comma separated values, with quotes, and sums columns. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FIELDS 8
#define FIELD_SIZE 24

struct record {
  char field[MAX_FIELDS][FIELD_SIZE];
  int fields;
};

enum status { CSV_OK, CSV_END, CSV_TOO_MANY, CSV_TOO_LONG, CSV_QUOTE };

static int append(char *field, int length, char c) {
  if (length >= FIELD_SIZE - 1)
    return -1;
  field[length] = c;
  field[length + 1] = '\0';
  return length + 1;
}

/* Reads one line at *cursor and moves it behind the line. */
static enum status read_record(const char **cursor, struct record *rec) {
  const char *p = *cursor;
  int quoted = 0, length = 0;

  if (*p == '\0')
    return CSV_END;
  rec->fields = 0;
  rec->field[0][0] = '\0';
  for (;; p++) {
    if (quoted) {
      if (*p == '\0')
        return CSV_QUOTE;
      if (*p == '"' && p[1] == '"') {
        length = append(rec->field[rec->fields], length, '"');
        p++;
      } else if (*p == '"') {
        quoted = 0;
      } else {
        length = append(rec->field[rec->fields], length, *p);
      }
    } else if (*p == '"' && length == 0) {
      quoted = 1;
    } else if (*p == ',') {
      if (++rec->fields == MAX_FIELDS)
        return CSV_TOO_MANY;
      length = 0;
      rec->field[rec->fields][0] = '\0';
    } else if (*p == '\n' || *p == '\0') {
      rec->fields++;
      break;
    } else if (*p != '\r') {
      length = append(rec->field[rec->fields], length, *p);
    }
    if (length < 0)
      return CSV_TOO_LONG;
  }
  *cursor = *p == '\n' ? p + 1 : p;
  return CSV_OK;
}

static int column_of(const struct record *header, const char *name) {
  for (int i = 0; i < header->fields; i++)
    if (strcmp(header->field[i], name) == 0)
      return i;
  return -1;
}

/* Sum of a column of numbers; -1 where the table or the column is wrong. */
static long sum_column(const char *text, const char *name) {
  struct record rec;
  long sum = 0;
  int column;

  if (read_record(&text, &rec) != CSV_OK)
    return -1;
  column = column_of(&rec, name);
  if (column < 0)
    return -1;
  while (read_record(&text, &rec) == CSV_OK) {
    if (column < rec.fields)
      sum += atol(rec.field[column]);
  }
  return sum;
}

static int count_records(const char *text) {
  struct record rec;
  int n = 0;
  while (read_record(&text, &rec) == CSV_OK)
    n++;
  return n;
}

void test_simple(void) {
  const char *text = "a,bc,,d\nx";
  struct record r;
  assert(read_record(&text, &r) == CSV_OK);
  assert(r.fields == 4);
  assert(strcmp(r.field[1], "bc") == 0);
  assert(strcmp(r.field[2], "") == 0);
  assert(strcmp(r.field[3], "d") == 0);
  assert(read_record(&text, &r) == CSV_OK);
  assert(r.fields == 1 && strcmp(r.field[0], "x") == 0);
  assert(read_record(&text, &r) == CSV_END);
}

void test_quotes(void) {
  const char *text = "\"a,b\",\"say \"\"hi\"\"\",c\"d\r\n\"two\nlines\"";
  struct record r;
  assert(read_record(&text, &r) == CSV_OK);
  assert(r.fields == 3);
  assert(strcmp(r.field[0], "a,b") == 0);
  assert(strcmp(r.field[1], "say \"hi\"") == 0);
  assert(strcmp(r.field[2], "c\"d") == 0);
  assert(read_record(&text, &r) == CSV_OK);
  assert(strcmp(r.field[0], "two\nlines") == 0);
}

void test_errors(void) {
  const char *open = "\"abc", *many = "1,2,3,4,5,6,7,8,9", *wide = "abcdefghijklmnopqrstuvwxyz";
  const char *most = "1,2,3,4,5,6,7,8", *full = "abcdefghijklmnopqrstuvw";
  struct record r;
  assert(read_record(&open, &r) == CSV_QUOTE);
  assert(read_record(&many, &r) == CSV_TOO_MANY);
  assert(read_record(&wide, &r) == CSV_TOO_LONG);
  assert(read_record(&most, &r) == CSV_OK && r.fields == 8);
  assert(read_record(&full, &r) == CSV_OK && strlen(r.field[0]) == 23);
}

void test_sum(void) {
  const char *table = "item,count,price\npen,3,12\nbook,1,950\nshort\nmap,2,-7\n";
  assert(sum_column(table, "count") == 6);
  assert(sum_column(table, "price") == 955);
  assert(sum_column(table, "weight") == -1);
  assert(sum_column("", "count") == -1);
}

void test_count(void) {
  assert(count_records("") == 0);
  assert(count_records("a\nb\nc") == 3);
  assert(count_records("a\nb\n\n") == 3);
}

int main(void) {
  test_simple();
  test_quotes();
  test_errors();
  test_sum();
  test_count();
  return 0;
}
