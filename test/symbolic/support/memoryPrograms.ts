/**
 * Programs that look for trouble: aliases, casts, unions, objects with several lives, library functions that write. Each
 * reads some inputs. `exact`: nothing of the state at the end is left open. `lp64`: only for that data model.
 */
export type MemoryProgram = {
  readonly name: string;
  readonly text: string;
  readonly exact?: false;
  readonly lp64?: true;
};

const prelude = `
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
extern long long __VERIFIER_nondet_longlong(void);
`;

function program(name: string, text: string, options: Omit<MemoryProgram, "name" | "text"> = {}): MemoryProgram {
  return { name, text: prelude + text, ...options };
}

export const memoryPrograms: readonly MemoryProgram[] = [
  program(
    "arrays with symbolic indices",
    `int a[10]; static short m[3][4];
     int main(void) {
       unsigned i = __VERIFIER_nondet_uint() % 10, j = __VERIFIER_nondet_uint() % 10;
       a[i] = 5; a[j] += 7; a[(i + j) % 10] ^= 3;
       m[i % 3][j % 4] = (short)a[i]; m[1][(i + 1) % 4]--;
       int s = 0; for (int k = 0; k < 10; k++) s += a[k];
       return s > 100;
     }`,
  ),
  program(
    "structs, arrays of structs, nested arrays",
    `struct p { int x; char c; short y; }; struct line { struct p from, to; int w[3]; };
     struct p grid[4]; struct line lines[3]; struct { int n; struct line l; } deep;
     int main(void) {
       unsigned i = __VERIFIER_nondet_uint() % 4, j = __VERIFIER_nondet_uint() % 3;
       grid[i].x = __VERIFIER_nondet_int(); grid[j].c = __VERIFIER_nondet_char(); grid[3].y = grid[i].c;
       lines[j].to.x = grid[i].x; lines[j].w[i % 3] = 9; lines[1].w[j]++;
       deep.l = lines[j]; lines[2] = deep.l; struct p q = grid[i]; grid[(i + 1) % 4] = q;
       struct line copy; copy = lines[j % 3]; copy.w[1] += 2; deep.n = copy.w[1];
       return 0;
     }`,
  ),
  program(
    "bit-fields",
    `struct b { unsigned a : 3; int s : 5; unsigned : 2; unsigned long long w : 40; _Bool f : 1; char c; };
     struct b g; struct b row[3];
     int main(void) {
       int x = __VERIFIER_nondet_int(); unsigned i = __VERIFIER_nondet_uint() % 3;
       g.a = x; g.s = x; g.w = (unsigned long long)x * 12345; g.f = x; g.c = x;
       g.a += 7; g.s -= 3; row[i] = g; row[i].a ^= 5; row[(i + 1) % 3].s = row[i].s + g.a;
       struct b local = row[i]; local.w++; g = local;
       return g.a + local.s;
     }`,
  ),
  program(
    "pointers into arrays",
    `int a[8]; int *table[4]; struct n { int v; struct n *next; } nodes[5];
     int main(void) {
       int *p = a; for (int k = 0; k < 8; k++) *p++ = k * k;
       unsigned i = __VERIFIER_nondet_uint() % 8;
       p = &a[i]; *p = -1; int *q = p - i; *q += 3; long d = p - q; int less = q <= p;
       table[i % 4] = &a[(i + 2) % 8]; *table[i % 4] = 77; **(table + i % 4) += 1;
       struct n *list = 0; for (int k = 0; k < 5; k++) { nodes[k].v = k; nodes[k].next = list; list = &nodes[k]; }
       int s = 0; for (struct n *r = list; r; r = r->next) { r->v += i; s += r->v; }
       return s + d + less;
     }`,
  ),
  program(
    "addresses of locals and parameters",
    `void set(int *p, int v) { *p = v; } void twice(int x, int *out) { int *q = &x; *q += x; *out = *q; }
     int fact(int n, int *depth) { int here = n; int *p = &here; if (*p > 1) { int r = fact(*p - 1, depth); *depth += *p; return r * here; } *depth = 0; return 1; }
     int main(void) {
       int a, b, c; int x = __VERIFIER_nondet_int() % 100;
       set(&a, x); twice(a, &b); int d; c = fact(5, &d); int *p = x > 0 ? &a : &b; *p = c; set(p, *p + d);
       return a + b + c;
     }`,
  ),
  program(
    "heap blocks",
    `struct s { int k; struct s *l, *r; char name[6]; };
     struct s *insert(struct s *t, int k) {
       if (!t) { t = malloc(sizeof *t); t->k = k; t->l = t->r = 0; strcpy(t->name, "node"); return t; }
       if (k < t->k) t->l = insert(t->l, k); else t->r = insert(t->r, k);
       return t;
     }
     int sum(struct s *t) { return t ? sum(t->l) + t->k + sum(t->r) : 0; }
     int main(void) {
       struct s *root = 0; int in[5] = { 3, 1, 4, 1, 5 };
       for (int i = 0; i < 5; i++) root = insert(root, in[i]);
       int x = __VERIFIER_nondet_int(); root->l->k = x; int t = sum(root) > 0;
       int *v = calloc(6, sizeof *v); v[2] = x; v = realloc(v, 40); v[9] = v[2] / 2;
       char *s = malloc(4); memset(s, 'a', 4); s[3] = 0; free(s);
       return t + v[0];
     }`,
    { exact: false },
  ),
  program(
    "unions and punning",
    `union u { int i; unsigned char b[4]; short h[2]; }; union big { char c; long long l; struct { int lo, hi; } p; };
     union wide { char text[20]; int n; }; union u row[3]; struct { int tag; union big v; } t;
     int main(void) {
       union u x; x.i = __VERIFIER_nondet_int(); int s = x.b[0] + x.b[3] * 2 + x.h[1]; x.b[1] = 7; x.h[0]++;
       unsigned i = __VERIFIER_nondet_uint() % 3; row[i].i = x.i; row[i].b[2] = 200; row[2].h[1] = -1;
       t.tag = 1; t.v.l = 0x123456789abcLL + x.i; int hi = t.v.p.hi; t.v.c = 5; t.v.p.lo += 256;
       union wide w; memset(&w, 0, sizeof w); w.n = s; w.text[1]++; union u y = row[i]; 
       return hi + y.b[2];
     }`,
  ),
  program(
    "bytes of integers and integers of bytes",
    `unsigned char buf[16]; int n; long long big; _Bool flag;
     int main(void) {
       n = __VERIFIER_nondet_int(); unsigned char *p = (unsigned char *)&n; int s = p[0] + p[1] + p[2] + p[3];
       p[2] = 9; unsigned i = __VERIFIER_nondet_uint() % 4; p[i] ^= 0x55;
       *(int *)buf = n; *(short *)(buf + 4) = 0x1234; *(long long *)(buf + 8) = n * 7LL; int back = *(int *)(buf + 3);
       *(unsigned *)((char *)&big + 2) = 0xdeadbeef; *(char *)&flag = 1; buf[i] = flag; flag = buf[9] != 0;
       return s + back;
     }`,
  ),
  program(
    "fresh objects in a loop",
    `int *kept; int same, different;
     int main(void) {
       int x = __VERIFIER_nondet_int() % 50;
       for (int i = 0; i < 4; i++) {
         int fresh = x + i; int tmp[3] = { i };
         if (kept == &fresh) same++; else different++;
         kept = &fresh; *kept += 1; x += fresh; int *t = tmp; t[1] = x; x += t[0] + t[1] % 5;
       }
       return x;
     }`,
  ),
  program(
    "objects of calls that are over",
    `int *old; int hits;
     void f(int x) { int local = x; if (old == &local) hits++; old = &local; *old = x + 1; if (x > 0) f(x - 1); }
     int main(void) { int x = __VERIFIER_nondet_int(); f(2); f((x & 1)); return hits; }`,
  ),
  program(
    "variable-length arrays",
    `int total; int *first;
     int main(void) {
       int n = 3;
       for (int k = 0; k < 3; k++) {
         int v[n + k]; char w[n * 2][3]; if (first == v) total += 100; first = v;
         for (int i = 0; i < n + k; i++) v[i] = i * k;
         w[k][1] = 7; int *p = v + 1; *p = __VERIFIER_nondet_int() % 9; total += v[1] + w[k][1];
       }
       return total;
     }`,
  ),
  program(
    "static locals, recursion, shadowing",
    `int next(void) { static int count = 3; static int seen[4]; seen[count % 4] = count; return ++count; }
     int fib(int n) { static long calls; int a[2]; calls++; if (n < 2) return n; a[0] = fib(n - 1); a[1] = fib(n - 2); return a[0] + a[1]; }
     int main(void) { int x = __VERIFIER_nondet_int(); int s = 0; for (int i = 0; i < 3; i++) { int x = next(); s += x; } return fib(6) + s + (x > 3); }`,
  ),
  program(
    "wrapping and widths",
    `#define ALL(T) { T v = (T)x; r += (long long)(T)(v + 1) + (T)(v * 3) + (T)~v + (v >> 1) + (v != 0) + (T)(v ^ y); }
     int main(void) {
       long long x = __VERIFIER_nondet_longlong(); int y = __VERIFIER_nondet_int(); unsigned long long r = 0;
       ALL(unsigned char) ALL(unsigned short) ALL(unsigned) ALL(unsigned long long) ALL(_Bool)
       signed char c = x; short h = x; r += c; r -= h; unsigned sh = (unsigned)y % 31; r += (unsigned)y << sh; r ^= (unsigned long long)x >> (sh * 2);
       r += y / 7 + y % 7 + y / -3 + y % -3; if (y) r += (unsigned)x / (unsigned)y + (unsigned)x % (unsigned)y; r += y >> sh;
       unsigned __int128 w = r; w = w * w + (unsigned)y; r ^= (unsigned long long)(w >> 64); 
       return r & 1;
     }`,
    { lp64: true },
  ),
  program(
    "pointers as numbers",
    `int a[4]; int b;
     int main(void) {
       unsigned i = __VERIFIER_nondet_uint() % 4; uintptr_t u = (uintptr_t)&a[i]; int *p = (int *)u; *p = 3; p = (int *)(u - i * sizeof(int)); *p += 4;
       intptr_t diff = (intptr_t)&b - (intptr_t)a; int *q = (int *)((intptr_t)a + diff); *q = 9;
       void *minus = (void *)-1; int odd = minus == (void *)~0ul; return (q == &b) + odd + (minus != 0);
     }`,
    { lp64: true, exact: false },
  ),
  program(
    "pointers as numbers in any model",
    `int a[4]; int b; int *p, *q;
     int main(void) { unsigned i = __VERIFIER_nondet_uint() % 4; uintptr_t u = (uintptr_t)&a[i]; p = (int *)u; *p = 3; q = (int *)0; b = q == 0; if (p) b++; p = a; *p += 2; return b; }`,
    { exact: false },
  ),
  program(
    "function pointers",
    `int inc(int x) { return x + 1; } int dbl(int x) { return x * 2; } int (*ops[3])(int) = { inc, dbl, inc }; struct vt { int (*f)(int); int n; } o = { dbl, 4 };
     int apply(int (*f)(int), int x) { return f(x); }
     int main(void) { unsigned i = __VERIFIER_nondet_uint() % 3; int x = __VERIFIER_nondet_int() % 1000; x = ops[i](x); x = apply(o.f, x); o.f = ops[(i + 1) % 3]; x = o.f(x) + (*ops[0])(1); return x + (o.f == inc); }`,
  ),
  program(
    "strings and library functions",
    `char buf[32], copy[32]; const char *names[] = { "alpha", "be", "" }; int wide[4];
     int main(void) {
       unsigned i = __VERIFIER_nondet_uint() % 3; int n = 0; for (const char *s = names[1]; *s; s++) n = n * 31 + *s;
       strcpy(buf, "hello"); strcat(buf, names[1]); n += strlen(buf) + strcmp(buf, "hellobe") + (names[i][0] == 'a');
       memcpy(copy, buf, 8); copy[2] = __VERIFIER_nondet_char(); memmove(copy + 1, copy, 5); memset(wide, 0xff, sizeof wide); wide[i] = 4; memset(&wide[1], 0, 8);
       n += abs(-n); char *e; n += strtol("42x", &e, 10) + *e; n += atoi("17"); return n;
     }`,
    { exact: false },
  ),
  program(
    "errno, by conversions and allocation, looked at and set",
    `extern int errno; long strtol(const char *, char **, int);
     int main(void) {
       int c = __VERIFIER_nondet_int(), n = errno; errno = c & 3; int kept = errno;
       long v = strtol(c > 0 ? "99999999999999999999" : "5", 0, 10); n += errno + (int)v; int *e = &errno; *e += 2;
       for (int k = 0; k < 3; k++) { errno = 0; n += atoi(k == 1 ? "-99999999999999999999" : "7") + errno; }
       char *p = malloc((unsigned long)1 << (sizeof(long) * 8 - 2)); if (p == 0) n += errno; char *q = malloc(4); n += errno; free(q);
       return n + kept;
     }`,
  ),
  program(
    "floating point is carried along",
    `double d[3]; float f; struct { int n; double v; } s, t; union { float x; unsigned u; } w;
     int main(void) {
       unsigned i = __VERIFIER_nondet_uint() % 3; d[1] = 2.5; d[i] = d[1]; f = 0.1f; s.v = f; s.n = i; t = s; double e = t.v * 2; int big = e > 0.15; f = -0.0f;
       w.u = 0; for (int k = 0; k < 5; k++) e += k * 0.5; d[2] = e; return big + (int)e;
     }`,
  ),
  program(
    "choices between objects",
    `int x, y, a[3]; struct n { int v; struct n *p; } m, n;
     int main(void) {
       int c = __VERIFIER_nondet_int(); int *p; if (c > 0) p = &x; else p = &y; *p = 4; p = c & 1 ? a + 1 : &x; *p += c & 7; p[0]--;
       struct n *q = c > 3 ? &m : &n; q->p = c > 5 ? &n : &m; q->v = 2; q->p->v = 9; q->p->p = q; q->p->p->v++; struct n k = *q; *q->p = k;
       return x + y + a[1];
     }`,
  ),
  program(
    "swaps through pointers, copies over themselves",
    `struct s { char c; long l; short h; } v[3]; 
     void swap(struct s *a, struct s *b) { struct s t = *a; *a = *b; *b = t; }
     int main(void) { unsigned i = __VERIFIER_nondet_uint() % 3; v[0].l = 1; v[1].c = 2; v[2].h = __VERIFIER_nondet_int(); swap(&v[i], &v[(i + 1) % 3]); swap(&v[i], &v[i]); v[i] = v[i]; return v[0].l; }`,
  ),
  program(
    "odd block sizes",
    `struct two { int x, y; };
     int main(void) { struct two *t = malloc(12); unsigned i = __VERIFIER_nondet_uint() % 2; t[0].y = 3; t[0].x = 1; t[1].x = 4; t[i].x = 7; t[1].x += 2; int *k = malloc(6); k[0] = i; char *c = (char *)k + 4; *c = 9; c[1] = *c + k[0]; return t[0].x + c[1]; }`,
    { exact: false },
  ),
  program(
    "booleans as bytes",
    `_Bool b[4]; struct { _Bool f; char c; } s, t;
     int main(void) { int x = __VERIFIER_nondet_int(); b[1] = x; b[x & 3] = 1; *(char *)&s.f = 1; s.c = b[1] + 2; t = s; t.f = !t.f; memset(b, 1, 3); b[3] = x > 3; return b[0] + t.f; }`,
  ),
  program(
    "switches and shared tails",
    `int log_[8]; int n;
     int main(void) { for (int i = 0; i < 6; i++) { int x = __VERIFIER_nondet_int() % 5; switch (x) { case 0: log_[n++] = 0; case 1: log_[n % 8] = 1; break; case 2 ... 3: n += x; break; default: log_[(n + 5) % 8] = x; } n %= 8; } return n; }`,
  ),
  program(
    "flexible arrays and headers",
    `struct msg { int len; char data[]; }; struct old { int len; int data[1]; };
     int main(void) { struct msg *m = malloc(sizeof *m + 8); m->len = 8; for (int i = 0; i < m->len; i++) m->data[i] = i * 3; unsigned i = __VERIFIER_nondet_uint() % 8; m->data[i] = 1; int s = m->data[3] + m->len; struct old *o = malloc(sizeof *o + 12); o->len = 4; o->data[i % 4] = s; return o->data[i % 4]; }`,
    { exact: false },
  ),
];
