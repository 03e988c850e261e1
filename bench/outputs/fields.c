/*
 * fields: reads lines, takes them apart into fields, chooses, sorts and prints them.
 *
 *   fields [-d C] [-m GLOB] [-k N] [-n] [-r] [-u] [-f LIST] [-t] [-l] [-a N] [-w WIDTH] [-o FILE] [FILE]
 *
 *   -d C      fields are separated by C; otherwise by blanks
 *   -m GLOB   only lines that match: * and ? and [a-z]
 *   -k N      sort by field N; -n by its number, -r the other way round
 *   -u        each line once
 *   -f LIST   print these fields: 1,3-4
 *   -t        in columns
 *   -l        with line numbers
 *   -a N      the sum and the mean of field N at the end
 *   -w WIDTH  wrap words
 *   -o FILE   print there
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FIELDS 16
#define MAX_LINES 200

struct line {
    char *text;
    int count;
    char *field[MAX_FIELDS];
    int number;
};

struct options {
    char delimiter;
    const char *glob;
    int key;
    int numeric, reverse, unique, table, numbered;
    int chosen[MAX_FIELDS];
    int chosen_count;
    int sum;
    int width;
    const char *output;
    const char *input;
};

static struct line lines[MAX_LINES];
static int line_count;

static char *copy_text(const char *from, size_t length) {
    char *copy = malloc(length + 1);
    if (copy == NULL) {
        fprintf(stderr, "fields: no memory\n");
        exit(3);
    }
    memcpy(copy, from, length);
    copy[length] = '\0';
    return copy;
}

static void fail(const char *what, const char *about) {
    fprintf(stderr, "fields: %s: %s\n", what, about);
    exit(2);
}

/* A field in quotes may have the delimiter in it; two quotes are one. */
static const char *quoted_field(const char *at, char *out, size_t *length) {
    size_t n = 0;
    at++;
    while (*at != '\0') {
        if (*at == '"') {
            if (at[1] != '"')
                break;
            at++;
        }
        out[n++] = *at++;
    }
    if (*at == '"')
        at++;
    *length = n;
    return at;
}

static void split_delimited(struct line *line, char delimiter) {
    char buffer[256];
    const char *at = line->text;
    for (;;) {
        size_t length = 0;
        if (*at == '"') {
            at = quoted_field(at, buffer, &length);
        } else {
            while (*at != '\0' && *at != delimiter)
                buffer[length++] = *at++;
        }
        if (line->count < MAX_FIELDS)
            line->field[line->count++] = copy_text(buffer, length);
        if (*at != delimiter)
            break;
        at++;
    }
}

static void split_blanks(struct line *line) {
    const char *at = line->text;
    while (line->count < MAX_FIELDS) {
        while (isspace((unsigned char)*at))
            at++;
        if (*at == '\0')
            break;
        const char *start = at;
        while (*at != '\0' && !isspace((unsigned char)*at))
            at++;
        line->field[line->count++] = copy_text(start, (size_t)(at - start));
    }
}

/* Does the text match from here on? */
static int match(const char *glob, const char *text) {
    for (; *glob != '\0'; glob++) {
        if (*glob == '*') {
            while (glob[1] == '*')
                glob++;
            for (const char *rest = text;; rest++) {
                if (match(glob + 1, rest))
                    return 1;
                if (*rest == '\0')
                    return 0;
            }
        }
        if (*text == '\0')
            return 0;
        if (*glob == '[') {
            int found = 0;
            for (glob++; *glob != ']' && *glob != '\0'; glob++) {
                if (glob[1] == '-' && glob[2] != ']' && glob[2] != '\0') {
                    if (*text >= glob[0] && *text <= glob[2])
                        found = 1;
                    glob += 2;
                } else if (*glob == *text) {
                    found = 1;
                }
            }
            if (!found)
                return 0;
        } else if (*glob != '?' && *glob != *text) {
            return 0;
        }
        text++;
    }
    return *text == '\0';
}

static int read_lines(FILE *in, const struct options *options) {
    char buffer[256];
    int number = 0;
    while (fgets(buffer, sizeof buffer, in) != NULL) {
        size_t length = strlen(buffer);
        number++;
        if (length > 0 && buffer[length - 1] == '\n')
            buffer[--length] = '\0';
        if (length == 0)
            continue;
        if (options->glob != NULL && !match(options->glob, buffer))
            continue;
        if (line_count == MAX_LINES)
            fail("too many lines", options->input == NULL ? "standard input" : options->input);
        struct line *line = &lines[line_count++];
        line->text = copy_text(buffer, length);
        line->count = 0;
        line->number = number;
        if (options->delimiter != '\0')
            split_delimited(line, options->delimiter);
        else
            split_blanks(line);
    }
    return number;
}

static const char *field_of(const struct line *line, int number) {
    return number >= 1 && number <= line->count ? line->field[number - 1] : "";
}

static int compare(const struct line *a, const struct line *b, const struct options *options) {
    const char *left = options->key == 0 ? a->text : field_of(a, options->key);
    const char *right = options->key == 0 ? b->text : field_of(b, options->key);
    int order;
    if (options->numeric) {
        double x = strtod(left, NULL), y = strtod(right, NULL);
        order = x < y ? -1 : x > y;
    } else {
        order = strcmp(left, right);
    }
    return options->reverse ? -order : order;
}

/* Insertion sort: lines that compare equal keep their order. */
static void sort_lines(const struct options *options) {
    for (int i = 1; i < line_count; i++) {
        struct line moved = lines[i];
        int j = i;
        while (j > 0 && compare(&lines[j - 1], &moved, options) > 0) {
            lines[j] = lines[j - 1];
            j--;
        }
        lines[j] = moved;
    }
}

static void drop_repeated(void) {
    int kept = 0;
    for (int i = 0; i < line_count; i++) {
        int seen = 0;
        for (int k = 0; k < kept && !seen; k++)
            seen = strcmp(lines[k].text, lines[i].text) == 0;
        if (!seen)
            lines[kept++] = lines[i];
    }
    line_count = kept;
}

/* 1,3-4 */
static void parse_list(const char *text, struct options *options) {
    const char *at = text;
    while (*at != '\0') {
        char *end;
        long first = strtol(at, &end, 10);
        long last = first;
        if (end == at || first < 1)
            fail("not a list of fields", text);
        if (*end == '-') {
            at = end + 1;
            last = strtol(at, &end, 10);
            if (end == at || last < first)
                fail("not a range of fields", text);
        }
        for (long i = first; i <= last && options->chosen_count < MAX_FIELDS; i++)
            options->chosen[options->chosen_count++] = (int)i;
        if (*end == ',')
            end++;
        else if (*end != '\0')
            fail("not a list of fields", text);
        at = end;
    }
}

static int printed_fields(const struct line *line, const struct options *options) {
    return options->chosen_count > 0 ? options->chosen_count : line->count;
}

static const char *printed_field(const struct line *line, int i, const struct options *options) {
    return field_of(line, options->chosen_count > 0 ? options->chosen[i] : i + 1);
}

static void print_table(FILE *out, const struct options *options) {
    int width[MAX_FIELDS] = { 0 };
    for (int i = 0; i < line_count; i++)
        for (int k = 0; k < printed_fields(&lines[i], options); k++) {
            int length = (int)strlen(printed_field(&lines[i], k, options));
            if (length > width[k])
                width[k] = length;
        }
    for (int i = 0; i < line_count; i++) {
        int count = printed_fields(&lines[i], options);
        for (int k = 0; k < count; k++) {
            const char *text = printed_field(&lines[i], k, options);
            int isNumber = isdigit((unsigned char)text[0]);
            if (k == count - 1 && !isNumber)
                fprintf(out, "%s", text);
            else
                fprintf(out, isNumber ? "%*s" : "%-*s", width[k], text);
            fputs(k == count - 1 ? "\n" : "  ", out);
        }
    }
}

static void print_wrapped(FILE *out, const struct line *line, int width) {
    int column = 0;
    for (int i = 0; i < line->count; i++) {
        int length = (int)strlen(line->field[i]);
        if (column > 0 && column + 1 + length > width) {
            fputc('\n', out);
            column = 0;
        }
        if (column > 0) {
            fputc(' ', out);
            column++;
        }
        fputs(line->field[i], out);
        column += length;
    }
    fputc('\n', out);
}

static void print_lines(FILE *out, const struct options *options) {
    char separator = options->delimiter == '\0' ? ' ' : options->delimiter;
    for (int i = 0; i < line_count; i++) {
        const struct line *line = &lines[i];
        if (options->numbered)
            fprintf(out, "%3d: ", line->number);
        if (options->width > 0) {
            print_wrapped(out, line, options->width);
            continue;
        }
        if (options->chosen_count == 0) {
            fprintf(out, "%s\n", line->text);
            continue;
        }
        for (int k = 0; k < options->chosen_count; k++) {
            if (k > 0)
                fputc(separator, out);
            fputs(printed_field(line, k, options), out);
        }
        fputc('\n', out);
    }
}

static void print_sum(FILE *out, int field) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < line_count; i++) {
        char *end;
        const char *text = field_of(&lines[i], field);
        double value = strtod(text, &end);
        if (end == text)
            continue;
        sum += value;
        count++;
    }
    fprintf(out, "sum %g", sum);
    if (count > 0)
        fprintf(out, ", mean %.2f of %d", sum / count, count);
    fputc('\n', out);
}

static int number_option(const char *name, const char *text) {
    char *end;
    long value = text == NULL ? 0 : strtol(text, &end, 10);
    if (text == NULL || *end != '\0' || value < 1)
        fail("needs a number", name);
    return (int)value;
}

static void parse_options(int argc, char **argv, struct options *options) {
    memset(options, 0, sizeof *options);
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (word[0] != '-') {
            if (options->input != NULL)
                fail("one file is enough", word);
            options->input = word;
            continue;
        }
        const char *next = argv[i + 1];
        switch (word[1]) {
        case 'n': options->numeric = 1; break;
        case 'r': options->reverse = 1; break;
        case 'u': options->unique = 1; break;
        case 't': options->table = 1; break;
        case 'l': options->numbered = 1; break;
        case 'k': options->key = number_option(word, next); i++; break;
        case 'a': options->sum = number_option(word, next); i++; break;
        case 'w': options->width = number_option(word, next); i++; break;
        case 'd': options->delimiter = next == NULL ? ',' : next[0]; i++; break;
        case 'm': options->glob = next; i++; break;
        case 'o': options->output = next; i++; break;
        case 'f':
            if (next == NULL)
                fail("needs a list", word);
            parse_list(next, options);
            i++;
            break;
        default: fail("no such option", word);
        }
    }
}

int main(int argc, char **argv) {
    struct options options;
    parse_options(argc, argv, &options);
    FILE *in = options.input == NULL ? stdin : fopen(options.input, "r");
    if (in == NULL) {
        printf("fields: cannot read %s\n", options.input);
        return 1;
    }
    FILE *out = options.output == NULL ? stdout : fopen(options.output, "w");
    int total = read_lines(in, &options);
    if (options.unique)
        drop_repeated();
    if (options.key > 0 || options.numeric || options.reverse)
        sort_lines(&options);
    if (options.table)
        print_table(out, &options);
    else
        print_lines(out, &options);
    if (options.sum > 0)
        print_sum(out, options.sum);
    if (options.output != NULL) {
        fclose(out);
        printf("%d of %d lines to %s\n", line_count, total, options.output);
    }
    if (in != stdin)
        fclose(in);
    return 0;
}
