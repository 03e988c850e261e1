/** Programs with a loop whose body looks for trouble in an encoding of all its ways at once. */
export type LoopProgram = { readonly name: string; readonly text: string; readonly lp64?: true };

const prelude = `
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
`;

function program(name: string, text: string, options: { readonly lp64?: true } = {}): LoopProgram {
  return { name, text: prelude + text, ...options };
}

export const loopPrograms: readonly LoopProgram[] = [
  program(
    "stores under conditions",
    `int a[6], b; int main(void) { for (int i = 0; i < 5; i++) { int x = __VERIFIER_nondet_int() % 10; if (x > 3) a[i] = x; else if (x < -3) { b = x; a[i + 1] = b; } else a[0]--; } return b; }`,
  ),
  program(
    "a fresh object in each iteration",
    `int *kept; int same, other; int main(void) { for (int i = 0; i < 4; i++) { int fresh = i; if (kept == &fresh) same++; else other++; kept = &fresh; (*kept)++; } return same; }`,
  ),
  program(
    "objects of callees",
    `int *old, hits; int f(int x) { int own[2]; int *p = own; if (old == p) hits++; old = p; p[0] = x; p[1] = p[0] + 1; return own[1]; } int main(void) { int s = 0; for (int i = 0; i < 4; i++) s += f(i) + f(s); return s + hits; }`,
  ),
  program(
    "calls through pointers",
    `int add(int x) { return x + 2; } int sub(int x) { return x - 1; } int nop(int x) { return x; } int (*ops[3])(int) = { add, sub, nop }; int n; int (*last)(int);
     int main(void) { int x = 0; for (int i = 0; i < 5; i++) { unsigned k = __VERIFIER_nondet_uint() % 3; last = ops[k]; x = last(x); if (last == nop) n++; } return x; }`,
  ),
  program(
    "recursion",
    `int depth; int down(int n) { depth++; if (n <= 0) return 0; return down(n - 1) + 1; } int main(void) { int s = 0; for (int i = 0; i < 4; i++) s += down(i); return s; }`,
  ),
  program(
    "blocks allocated and linked",
    `struct n { int v; struct n *next; }; int main(void) { struct n *head = 0; for (int i = 0; i < 4; i++) { struct n *x = malloc(sizeof *x); x->v = i; x->next = head; head = x; } int s = 0; while (head) { s += head->v; struct n *gone = head; head = head->next; free(gone); } return s; }`,
  ),
  program(
    "pointers that walk",
    `int a[8]; int main(void) { int *p = a, *end = a + 8; int s = 0; while (p != end) { *p = (int)(p - a); s += *p++; } char *c = (char *)a; for (int i = 0; i < 3; i++) c[i * 4] ^= 1; return s; }`,
  ),
  program(
    "inner loops and calls with loops",
    `int m[3][4]; void row(int *r, int n, int v) { for (int i = 0; i < n; i++) r[i] += v + i; } int main(void) { for (int i = 0; i < 3; i++) { row(m[i], 4, i); for (int j = i; j > 0; j--) m[i][j] -= m[i][j - 1]; } return m[2][3]; }`,
  ),
  program(
    "structs copied and swapped",
    `struct s { char c; int x; short h[2]; } v[4], t; int main(void) { for (int i = 0; i < 4; i++) { unsigned j = __VERIFIER_nondet_uint() % 4; v[i].x = i; v[i].h[j & 1] = 3; t = v[j]; v[j] = v[i]; v[i] = t; memcpy(&t, &v[0], sizeof t); } return v[0].x; }`,
  ),
  program(
    "unions and bytes",
    `union { int i; unsigned char b[4]; } u; unsigned char buf[8]; int main(void) { for (int i = 0; i < 4; i++) { u.i = u.i * 3 + __VERIFIER_nondet_int() % 100; buf[i] = u.b[i]; u.b[3 - i] = 0; *(short *)(buf + i) += 1; } return u.i; }`,
  ),
  program(
    "inputs within an interval, switches, gotos",
    `int state, seen[4]; int main(void) { for (int i = 0; i < 6; i++) { _Bool b = __VERIFIER_nondet_int() & 1; switch (state) { case 0: state = b ? 1 : 2; break; case 1: if (b) goto reset; state = 3; break; case 2: state++; /* fall through */ default: seen[state & 3]++; reset: state = 0; } } return seen[0]; }`,
  ),
  program(
    "variable-length arrays and library calls",
    `int total; char text[16]; int main(void) { for (int i = 1; i < 5; i++) { int v[i]; memset(v, 0, sizeof v); v[i - 1] = abs(-i); total += v[0] + v[i - 1]; text[i] = 'a' + i; text[i + 1] = 0; total += text[i] > 'b'; } return total; }`,
  ),
  program(
    "wrapping and shifts",
    `unsigned h = 17; unsigned char c; long long w = 1; int main(void) { for (int i = 0; i < 5; i++) { unsigned x = __VERIFIER_nondet_uint() % 7; h = h * 31u + x; h ^= h >> 3; c += (unsigned char)h; w = (w << 1) | (h & 1); h = (h << x) | (h >> (31 - x)); } return c; }`,
  ),
  program(
    "choices between objects",
    `int x, y, a[3]; int main(void) { int *p = &x; for (int i = 0; i < 5; i++) { int c = __VERIFIER_nondet_int() % 4; *p += i; p = c == 0 ? &x : c == 1 ? &y : &a[i % 3]; *p = c; } return x + y; }`,
  ),
];
