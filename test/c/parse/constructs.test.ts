import { describe, expect, it } from "vitest";
import { bodyOf, parseText } from "./parseText.ts";
import { printItem, printUnit } from "./printSyntax.ts";

const STATEMENTS: readonly (readonly [string, string])[] = [
  ["if (x) if (y) a(); else b();", "if (x) if (y) a(); else b();"],
  ["if (x) a(); else if (y) b(); else c();", "if (x) a(); else if (y) b(); else c();"],
  ["do x--; while (x);", "do (x--); while (x);"],
  ["for (;;) { break; continue; }", "for (;;) { break; continue; }"],
  ["for (x = 0, y = 1; ; x++, y++) ;", "for (((x = 0), (y = 1));; ((x++), (y++))) ;"],
  ["switch (x) { case 1: case 2: a(); default: b(); }", "switch (x) { case 1: case 2: a(); default: b(); }"],
  ["switch (x) { case 1 ... 5: a(); case 'a': ; }", "switch (x) { case 1 ... 5: a(); case '\\141': ; }"],
  ["switch (x) { { case 1: a(); } b(); }", "switch (x) { { case 1: a(); } b(); }"],
  ["switch (x) case 1: a(); b();", "switch (x) case 1: a(); b();"],
  ["switch (x) { case 1: if (y) case 2: a(); b(); }", "switch (x) { case 1: if (y) case 2: a(); b(); }"],
  ["switch (x) while (y) case 1: a();", "switch (x) while (y) case 1: a();"],
  ["switch (x) { case y ? 1 : 2: a(); }", "switch (x) { case (y ? 1 : 2): a(); }"],
  ["switch (x) { default: }", "switch (x) { default: ; }"],
  ["L: int v;", "L: ; int v;"],
  ["L: M: x; ", "L: M: x;"],
  ["L: __attribute__((unused)); goto L;", "L: ; goto L;"],
  ["__attribute__((fallthrough)); x;", "; x;"],
  ["__label__ L; L: ;", "; L: ;"],
  ["goto *x;", "goto *;"],
  ["x = &&L; L: ;", "(x = (&&L)); L: ;"],
  ['__asm__ volatile ("nop" : "=r"(x) : : "memory"); y;', '__asm__(""); y;'],
  ['L: asm("nop");', 'L: __asm__("");'],
  ["return;", "return;"],
  ["return x, y;", "return (x, y);"],
  ['_Static_assert(1 < 2, "text"); x;', "_Static_assert((1 < 2)); x;"],
  ['x = "a" "b\\n" L"c";', '(x = L"ab\\012c");'],
  ["x = f(({ y; }), 2);", "(x = f(({ y; }), 2));"],
  ["((int[]){1, 2})[0] = 1;", "(((int [])\u007b1, 2})[0] = 1);"],
  ["int *v[3], (*w)[3], *(*u(int))[3];", "int *v[3], (*w)[3], *(*u(int))[3];"],
  ["int v[x + 1][*p];", "int v[(x + 1)][(*p)];"],
  ["void g(int v[static 3], int w[const], int u[*], ...);", "void g(int v[3], int w[], int u[], ...);"],
  ["void g(void), h();", "void g(void), h();"],
  ["extern void g(int), (*h)(void (*)(int), char *[]);", "extern void g(int), (*h)(void (*)(int), char *[]);"],
  ["unsigned long int long v;", "int long long unsigned v;"],
  ["__signed__ char v; __volatile__ __const int w;", "char signed v; int w;"],
  ["register v;", "register int v;"],
  ["__extension__ long long v; x = __extension__ (y);", "long long v; (x = y);"],
  ["int v __attribute__((aligned(8), unused)) = 1;", "__attribute__((aligned(8))) int v = 1;"],
  [
    "_Alignas(16) char v; _Alignas(double) char w;",
    "__attribute__((aligned(16))) char v; __attribute__((aligned(_Alignof(double)))) char w;",
  ],
  ["struct { struct { int m; }; union { int n; }; } v;", "struct { struct { int m; }; union { int n; }; } v;"],
  ["struct { int m; } __attribute__((packed)) v;", "struct __attribute__((packed)) { int m; } v;"],
  ["struct __attribute__((packed)) t { int m; };", "struct __attribute__((packed)) t { int m; };"],
  ["_Bool v; _Thread_local static int w;", "_Bool v; static _Thread_local int w;"],
  ["int v = 1, w[] = {1, {2, 3,}, };", "int v = 1, w[] = {1, {2, 3}};"],
  ["__builtin_types_compatible_p(int[2], T);", "_Generic(((int (*)[2])0), T *: 1, default: 0);"],
];

describe("a statement or declaration", () => {
  it.each(STATEMENTS)("%s", (text, expected) => {
    const items = bodyOf(parseText(`typedef int T;\nvoid f(int x, int y, int *p) { ${text} }`));
    expect(items.map(printItem).join(" ")).toBe(expected);
  });
});

const UNITS: readonly (readonly [string, string])[] = [
  ["main() { }", "int main() { }"],
  ["f(a) { }", "int f(a) { }"],
  ["f(a, b) int b; { }", "int f(a, b) int b; { }"],
  ["char *f(a) struct s *a; { return a; }", "char *f(a) struct s *a; { return a; }"],
  ["static inline int f(void) { return 0; }", "static inline int f(void) { return 0; }"],
  ["x;", "int x;"],
  ["*p, x = 3;", "int *p, x = 3;"],
  [";;int x;;", "int x;"],
  ['extern "C" { int x; }', "int x;"],
  ['extern int f(int) __asm__("g") __attribute__((nothrow));', "extern int f(int);"],
  ["_Noreturn void f(void);", "__attribute__((noreturn)) void f(void);"],
  ["enum e { A = 1, B, } x;", "enum e { A = 1, B } x;"],
  ["enum e; struct s; union u { };", "enum e;\nstruct s;\nunion u { };"],
  ["int\u00a0x;\r\nint y;\r\n", "int x;\nint y;"],
  ["int a<:2:> = <% 1 %>;", "int a[2] = {1};"],
  ["__extension__ typedef struct { int x; } S; S s;", "typedef struct { int x; } S;\nS s;"],
  ["int (f)(int a), ((*g))(void);", "int f(int a), (*g)(void);"],
  ["int (*(*f)(int))(char);", "int (*(*f)(int))(char);"],
  ['struct s { int x; _Static_assert(1, ""); int y; };', "struct s { int x; int y; };"],
  ["int size_t, NULL, true, offsetof, alignof, bool;", "int size_t, NULL, true, offsetof, alignof, bool;"],
  ["", ""],
];

describe("a translation unit", () => {
  it.each(UNITS)("%s", (text, expected) => {
    expect(printUnit(parseText(text))).toBe(expected);
  });
});
