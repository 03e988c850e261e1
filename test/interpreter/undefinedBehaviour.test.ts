import { describe, expect, test } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { runProgram } from "../../src/interpreter/run.ts";

const headers = "#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n#include <ctype.h>\n";

async function outcomeOf(source: string, undefinedBehaviour: "stop" | "wrap" = "stop") {
  return runProgram(await loadCText("t.c", headers + source), { undefinedBehaviour }).outcome;
}

/** The body of main, the kind, and what the message says. */
const table: [body: string, problem: string, message: string][] = [
  ["int x = 2147483647; return x + 1;", "signed-overflow", "2147483647 + 1 overflows int"],
  ["int x = -2147483647 - 1; return -x;", "signed-overflow", "-(-2147483648) overflows int"],
  ["int x = -2147483647 - 1, y = -1; return x / y;", "signed-overflow", "-2147483648 / (-1) overflows int"],
  ["long a = 9223372036854775807L; return a * 2;", "signed-overflow", "9223372036854775807 * 2 overflows long"],
  ["int z = 0; return 5 / z;", "division-by-zero", "division by zero: 5 / 0"],
  ["int z = 0; return 5 % z;", "division-by-zero", "remainder of a division by zero: 5 % 0"],
  ["int n = 32; return 1 << n;", "bad-shift", "1 << 32: the shift count is not less than the width of int"],
  ["int n = -1; return 1 >> n;", "bad-shift", "1 >> -1: the shift count -1 is negative"],
  ["int n = 31; return 1 << n;", "bad-shift", "1 << 31 overflows int"],
  ["int n = -4; return n << 1;", "bad-shift", "-4 << 1: left shift of a negative value"],
  ["int a[10], i = 10; a[i] = 1; return 0;", "out-of-bounds-write", "index 10 is outside of a[10]"],
  ["int a[2] = {1, 2}, i = -1; return a[i];", "out-of-bounds-read", "index -1 is outside of a[2]"],
  ["int a[3][4]; a[3][1] = 1; return 0;", "out-of-bounds-write", "a[3][1] is outside of a[3][4]"],
  ["int a[3][4]; a[1][4] = 1; return 0;", "index-out-of-bounds", "index 4 is outside of a[1][4]"],
  ["struct { int n, a[2]; } s = {0}; s.a[s.n - 1] = 1;", "index-out-of-bounds", "index -1 is outside of s.a[2]"],
  [
    "struct { char a[2], b; } s = {0}; return s.a[1ull << 63];",
    "index-out-of-bounds",
    "index 9223372036854775808 is outside of s.a[2]",
  ],
  [
    "char b[24] = {0}, *s = b + 4; size_t i = strlen(s) - 1; return s[i];",
    "out-of-bounds-read",
    "index 18446744073709551615 is outside of b[24]",
  ],
  [
    "long a[3] = {0}; size_t i = 0; a[i - 1] = 1;",
    "out-of-bounds-write",
    "index 18446744073709551615 is outside of a[3]",
  ],
  [
    "int a[3][4]; size_t i = 0; a[i - 2][1] = 1;",
    "out-of-bounds-write",
    "index 18446744073709551614 is outside of a[3][4]",
  ],
  [
    "int *p = malloc(8); long i = -9223372036854775807L; p[i] = 1;",
    "out-of-bounds-write",
    "index -9223372036854775807 is outside of the memory from malloc at t.c:5:27 (8 bytes)",
  ],
  [
    "int a[3], *p = a; size_t i = 0; p = p + (i - 1); return 0;",
    "pointer-arithmetic",
    "p + (i - 1) moves a pointer by 18446744073709551615 elements, outside of a",
  ],
  ['char *s = "abc"; return s[7];', "out-of-bounds-read", 'index 7 is outside of "abc"'],
  ["int *p = 0; return *p;", "null-dereference", "*p is read through a null pointer"],
  ["struct s { int a, b; } *p = 0; p->b = 3;", "null-dereference", "p->b is written through a null pointer"],
  ["int *p = (int *)1234; return *p;", "invalid-pointer", "*p is read at the address 1234, where no object is"],
  [
    "int *p = malloc(4); free(p); return *p;",
    "use-after-free",
    "*p is read, but the memory from malloc at t.c:5:27 was freed",
  ],
  [
    "int *p = malloc(4); free(p); free(p);",
    "double-free",
    "free of the memory from malloc at t.c:5:27, which was freed before",
  ],
  ["int x; free(&x);", "invalid-free", "free of x, which was not allocated by malloc"],
  [
    "int *p = malloc(8); free(p + 1);",
    "invalid-free",
    "free of a pointer 4 bytes into the memory from malloc at t.c:5:27",
  ],
  [
    "int *p = malloc(8); p[2] = 1;",
    "out-of-bounds-write",
    "p[2]: bytes 8 to 11 are outside of the memory from malloc at t.c:5:27 (8 bytes)",
  ],
  ["int *p = malloc(8); return p[1];", "uninitialised-read", "p[1] is read before it has a value"],
  ["int x; return x;", "uninitialised-read", "x is read before it has a value"],
  ["int x, *p = &x; return *p;", "uninitialised-read", "*p is read before it has a value"],
  ["struct s { int a, b; } s; s.a = 1; return s.b;", "uninitialised-read", "s.b is read before it has a value"],
  [
    "int s = 0; for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 1; s += x; }",
    "uninitialised-read",
    "x is read before it has a value",
  ],
  ["char *s = \"abc\"; s[0] = 'x';", "write-to-literal", "s[0] is written, but string literals are constant"],
  ["int (*f)(int) = 0; return f(1);", "bad-call", "call through the null pointer f"],
  ["int x; int (*f)(void) = (int (*)(void))&x; return f();", "bad-call", "call through f, which points to x"],
  ["double d = 1e10; return (int)d;", "float-conversion", "10000000000 does not fit int"],
  ["int a[2], b[2]; return a < b;", "pointer-comparison", "a < b compares pointers to different objects: a and b"],
  [
    "int a[2], b[2]; return &a[0] - &b[0];",
    "pointer-comparison",
    "a - b subtracts pointers to different objects: a and b",
  ],
  [
    "int a[4]; long big = 1L << 40; return a + big == 0;",
    "pointer-arithmetic",
    "a + big moves a pointer 4398046511104 bytes, outside of a",
  ],
  ['char b[3]; strcpy(b, "hello");', "out-of-bounds-write", "strcpy: index 3 is outside of b[3]"],
  ["char b[3] = {1, 2, 3}; return strlen(b);", "out-of-bounds-read", "strlen: index 3 is outside of b[3]"],
  ["char b[5]; return strlen(b);", "uninitialised-read", "b[0] is read before it has a value"],
  ['memcpy(0, "a", 1);', "null-dereference", "memcpy is called with a null pointer"],
  [
    "char a[10]; memset(a, 0, 10); memcpy(a + 1, a, 5);",
    "overlapping-copy",
    "5 bytes are copied between places that overlap in a",
  ],
  ['printf("%d\\n");', "library-argument", "printf has no argument for %d"],
  ['printf("%y\\n", 5);', "library-argument", "%y is no directive"],
  ['int x; sscanf("5", "%I64", &x);', "library-argument", "%I is no directive"],
  ['printf("%s\\n", 5.0);', "library-argument", "printf has a floating-point argument for %s"],
  [
    "int *p = malloc(8); p -= 1 << 29; p[-2] = 1;",
    "out-of-bounds-write",
    "p[-2]: bytes -2147483656 to -2147483653 are outside of the memory from malloc at t.c:5:27 (8 bytes)",
  ],
  [
    "int *p = malloc(8); p -= 1 << 29; return p[-2];",
    "out-of-bounds-read",
    "p[-2]: bytes -2147483656 to -2147483653 are outside of the memory from malloc at t.c:5:27 (8 bytes)",
  ],
  [
    "int *p = malloc(8); p -= 1 << 29; return p[1];",
    "out-of-bounds-read",
    "p[1]: bytes -2147483644 to -2147483641 are outside of the memory from malloc at t.c:5:27 (8 bytes)",
  ],
  ["int a[2], *p = a; p += (1 << 29) - 1; p[1] = 1;", "out-of-bounds-write", "index 536870912 is outside of a[2]"],
  ["int n = 0; int v[n];", "array-length", "the array v is declared with length 0"],
  ["_Bool b; *(char *)&b = 7; return b;", "invalid-value", "b holds 7, which is not a value of _Bool"],
  ["return abs(-2147483647 - 1);", "signed-overflow", "the result of abs(-2147483648) overflows"],
  [
    "int *q; for (int i = 0; i < 2; i++) { int x; if (i == 0) q = &x; else return *q; x = 1; }",
    "use-after-scope",
    "*q is read, but the lifetime of x has ended",
  ],
];

describe("undefined behaviour ends the run, in a programmer's words", () => {
  test.each(table)("%s", async (body, problem, message) => {
    expect(await outcomeOf(`int main(void) { ${body} return 0; }`)).toMatchObject({
      kind: "undefined-behaviour",
      problem,
      message,
    });
  });

  test("is found across functions", async () => {
    const missing = "int f(int n) { if (n) return 1; } int main(void) { return f(0); }";
    expect(await outcomeOf(missing)).toMatchObject({
      problem: "missing-return-value",
      message: "the result of f is used, but it returned without a value",
    });
    const kept = "int g; int f(int n) { if (n) return 1; } int main(void) { g = f(0); return 0; }";
    expect(await outcomeOf(kept)).toMatchObject({ problem: "missing-return-value" });
    const dangling = "int *f(void) { int x = 3; return &x; } int main(void) { return *f(); }";
    expect(await outcomeOf(dangling)).toMatchObject({ problem: "use-after-scope" });
    const types = "int f(int n) { return n; } int main(void) { return ((int (*)(double))f)(1.0); }";
    expect(await outcomeOf(types)).toMatchObject({ problem: "bad-call" });
    const union = "union u { char c; int i; }; int main(void) { union u x; x.c = 1; return x.i; }";
    expect(await outcomeOf(union)).toMatchObject({ problem: "uninitialised-read" });
  });

  test("of a write to a const object with static storage is found, but not of its initialiser", async () => {
    const table = 'static const int table[2] = { 1, 2 }; const char text[] = "ab";';
    const write = "int main(void) { int *p = (int *)table; p[1] = 3; return 0; }";
    expect(await outcomeOf(`${table} ${write}`)).toMatchObject({
      problem: "write-to-literal",
      message: "p[1] is written, but table is const",
    });
    const fill = "int main(void) { memset((char *)text, 0, sizeof text); return 0; }";
    expect(await outcomeOf(`${table} ${fill}`)).toMatchObject({ message: "memset writes memory, but text is const" });
    const local = "int main(void) { static const int one[] = { 1 }; *(int *)one = 2; return 0; }";
    expect(await outcomeOf(local)).toMatchObject({ message: "*(int *)one is written, but one is const" });
    const reads = "int main(void) { const int *p = table; p++; return *p + text[0] - 'a' - 2; }";
    expect(await outcomeOf(`${table} ${reads}`)).toMatchObject({ kind: "exit", code: 0 });
  });

  test("names memory from a pointer to malloc without a place in the library", async () => {
    const pointers = "void *(*get)(size_t) = malloc; void (*drop)(void *) = free;";
    const main = "int main(void) { char *p = get(4); p[0] = 1; drop(p); return p[0]; }";
    expect(await outcomeOf(`${pointers} ${main}`)).toMatchObject({
      problem: "use-after-free",
      message: "p[0] is read, but the memory from malloc was freed",
    });
  });

  test.each([
    ["keeps it", "int *k; void f(int *p) { k = p; }"],
    ["passes it on to one that keeps it", "int *k; void g(int *p) { k = p + 1 - 1; } void f(int *p) { *p = 0; g(p); }"],
    ["returns it", "int *k; int *g(int *p) { return p; } void f(int *p) { if (!k) k = g(p); }"],
    ["keeps it in an integer", "int *k; void f(int *p) { unsigned long n = (unsigned long)p; k = (int *)n; }"],
    ["keeps a pointer to it", "int *k; void g(int **p) { k = *p; } void f(int *p) { g(&p); }"],
  ])("of a pointer to a variable of the last round is found if a function %s", async (_, functions) => {
    const main = "int main(void) { for (int i = 0; i < 2; i++) { if (i) return *k; int x = 7; f(&x); } return 0; }";
    const next = "int main(void) { for (int i = 0; i < 2; i++) { int x; if (i) return *k; x = 7; f(&x); } return 0; }";
    expect(await outcomeOf(`${functions} ${main}`)).toMatchObject({ kind: "exit" });
    expect(await outcomeOf(`${functions} ${next}`)).toMatchObject({ problem: "use-after-scope" });
  });

  test("of a variable that a function fills each round is found if it does not", async () => {
    const fill = "void fill(int *p, int i) { if (p != 0 && i < 2) *p++ = i; }";
    const main = "int main(void) { for (int i = 0; ; i++) { int x; fill(&x, i); if (x != i) return 1; } }";
    expect(await outcomeOf(`${fill} ${main}`)).toMatchObject({ problem: "uninitialised-read" });
  });

  test("is not reported for code that only looks suspicious", async () => {
    const bodies = [
      ["int a[4]; int *p = a; p += 5; p -= 5; *p = 1; return *p;", 1],
      ["unsigned char c = 200; c += 100; return c;", 44],
      ["signed char c = 127; c++; return c == -128;", 1],
      ["unsigned u = -5; return u > 5;", 1],
      ["void *p = malloc(-1); return p == 0;", 1],
      ["unsigned long x = (unsigned long)(void *)-1; return x == -1UL;", 1],
      ["int n = 31; return (1u << n) >> 24;", 128],
      ["struct s { char c; int i; } a, b; a.c = 1; a.i = 2; b = a; return b.i;", 2],
      ["return (int)(long)&((struct { int a; int b; } *)0)->b;", 4],
    ] as const;
    for (const [body, code] of bodies) {
      expect(await outcomeOf(`int main(void) { ${body} }`), body).toMatchObject({ kind: "exit", code });
    }
  });

  test("continues in two's complement with --ub wrap if that has a meaning", async () => {
    const bodies = [
      ["int x = 2147483647; return x + 1 == -2147483647 - 1;", 1],
      ["int x = -2147483647 - 1; return -x == x;", 1],
      ["int x = 65536; return x * x;", 0],
      ["long x = 9223372036854775807; return x + 2 == -9223372036854775807;", 1],
      ["int n = -4; return (n << 1) == -8;", 1],
      ["int n = 31; return (1 << n) < 0;", 1],
    ] as const;
    for (const [body, code] of bodies) {
      expect(await outcomeOf(`int main(void) { ${body} }`, "wrap"), body).toMatchObject({ kind: "exit", code });
    }
    expect(await outcomeOf("int main(void) { int z = 0; return 1 / z; }", "wrap")).toMatchObject({
      problem: "division-by-zero",
    });
    expect(await outcomeOf("int main(void) { int n = 32; return 1 << n; }", "wrap")).toMatchObject({
      problem: "bad-shift",
    });
  });
});
