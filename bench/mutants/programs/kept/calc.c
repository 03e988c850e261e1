/* Shunting-yard calculator: infix to postfix, then evaluation with a stack. */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#define MAX_ITEMS 40
#define MAX_STACK 16

enum { ERR_NONE, ERR_SYNTAX, ERR_PAREN, ERR_ZERO, ERR_DEPTH };

typedef struct {
    int is_op;
    char op;
    long value;
} Item;

typedef struct {
    Item items[MAX_ITEMS];
    int n;
    char ops[MAX_STACK];
    int depth;
    int error;
} Converter;

static int precedence(char op)
{
    switch (op) {
    case '+':
    case '-':
        return 1;
    case '*':
    case '/':
    case '%':
        return 2;
    case '^':
        return 3;
    default:
        return 0;
    }
}

static int right_associative(char op)
{
    return op == '^';
}

static void emit_value(Converter *c, long value)
{
    Item *it = &c->items[c->n++];
    it->is_op = 0;
    it->op = 0;
    it->value = value;
}

static void emit_op(Converter *c, char op)
{
    Item *it = &c->items[c->n++];
    it->is_op = 1;
    it->op = op;
    it->value = 0;
}

static void push_op(Converter *c, char op)
{
    if (c->depth == MAX_STACK) {
        c->error = ERR_DEPTH;
        return;
    }
    c->ops[c->depth++] = op;
}

static void handle_operator(Converter *c, char op)
{
    while (c->depth > 0) {
        char top = c->ops[c->depth - 1];
        if (top == '(' || precedence(top) < precedence(op))
            break;
        if (precedence(top) == precedence(op) && right_associative(op))
            break;
        emit_op(c, top);
        c->depth--;
    }
    push_op(c, op);
}

static void close_paren(Converter *c)
{
    while (c->depth > 0 && c->ops[c->depth - 1] != '(')
        emit_op(c, c->ops[--c->depth]);
    if (c->depth == 0)
        c->error = ERR_PAREN;
    else
        c->depth--;
}

static void convert(Converter *c, const char *s)
{
    c->n = c->depth = 0;
    c->error = ERR_NONE;
    while (*s && c->error == ERR_NONE) {
        if (isspace((unsigned char)*s)) {
            s++;
        } else if (isdigit((unsigned char)*s)) {
            long v = 0;
            while (isdigit((unsigned char)*s))
                v = v * 10 + (*s++ - '0');
            emit_value(c, v);
        } else if (*s == '(') {
            push_op(c, *s++);
        } else if (*s == ')') {
            close_paren(c);
            s++;
        } else if (precedence(*s) > 0) {
            handle_operator(c, *s++);
        } else {
            c->error = ERR_SYNTAX;
        }
    }
    while (c->depth > 0 && c->error == ERR_NONE) {
        char op = c->ops[--c->depth];
        if (op == '(')
            c->error = ERR_PAREN;
        else
            emit_op(c, op);
    }
}

static long int_power(long base, long exponent)
{
    long r = 1;
    while (exponent-- > 0)
        r *= base;
    return r;
}

static int apply(char op, long a, long b, long *out)
{
    switch (op) {
    case '+': *out = a + b; break;
    case '-': *out = a - b; break;
    case '*': *out = a * b; break;
    case '/':
        if (b == 0)
            return ERR_ZERO;
        *out = a / b;
        break;
    case '%':
        if (b == 0)
            return ERR_ZERO;
        *out = a % b;
        break;
    case '^': *out = int_power(a, b); break;
    default: return ERR_SYNTAX;
    }
    return ERR_NONE;
}

static int evaluate(const char *text, long *result)
{
    Converter c;
    long stack[MAX_STACK];
    int sp = 0;

    convert(&c, text);
    if (c.error != ERR_NONE)
        return c.error;
    for (int i = 0; i < c.n; i++) {
        if (!c.items[i].is_op) {
            if (sp == MAX_STACK)
                return ERR_DEPTH;
            stack[sp++] = c.items[i].value;
            continue;
        }
        if (sp < 2)
            return ERR_SYNTAX;
        int error = apply(c.items[i].op, stack[sp - 2], stack[sp - 1], &stack[sp - 2]);
        if (error != ERR_NONE)
            return error;
        sp--;
    }
    if (sp != 1)
        return ERR_SYNTAX;
    *result = stack[0];
    return ERR_NONE;
}

static void test_precedence(void)
{
    long r = 0;
    assert(evaluate("1 + 2 * 3", &r) == ERR_NONE);
    assert(r == 7);
    assert(evaluate("2 * 3 + 4", &r) == ERR_NONE);
    assert(r == 10);
    assert(evaluate("2+3^2*2", &r) == ERR_NONE && r == 20);
}

static void test_associativity(void)
{
    long r = 0;
    assert(evaluate("10 - 3 - 2", &r) == ERR_NONE);
    assert(r == 5);
    assert(evaluate("2 ^ 3 ^ 2", &r) == ERR_NONE);
    assert(r == 512);
    assert(evaluate("100 / 10 / 5", &r) == ERR_NONE && r == 2);
}

static void test_parens(void)
{
    long r = 0;
    assert(evaluate("(1 + 2) * (3 + 4)", &r) == ERR_NONE);
    assert(r == 21);
    assert(evaluate("((7))", &r) == ERR_NONE && r == 7);
    assert(evaluate("(1 + 2", &r) == ERR_PAREN);
    assert(evaluate("1 + 2)", &r) == ERR_PAREN);
}

static void test_errors(void)
{
    long r = 42;
    assert(evaluate("1 / 0", &r) == ERR_ZERO);
    assert(evaluate("1 % (2 - 2)", &r) == ERR_ZERO);
    assert(evaluate("1 +", &r) == ERR_SYNTAX);
    assert(evaluate("1 2", &r) == ERR_SYNTAX);
    assert(evaluate("a", &r) == ERR_SYNTAX);
    assert(evaluate("", &r) == ERR_SYNTAX);
    assert(r == 42);
}

static void test_depth(void)
{
    long r = 0;
    assert(evaluate("((((((((((((((((1))))))))))))))))", &r) == ERR_NONE);
    assert(r == 1);
    assert(evaluate("(((((((((((((((((1)))))))))))))))))", &r) == ERR_DEPTH);
    assert(evaluate("17 % 5", &r) == ERR_NONE && r == 2);
}

int main(void)
{
    test_precedence();
    test_associativity();
    test_parens();
    test_errors();
    test_depth();
    return 0;
}
