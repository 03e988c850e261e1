import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { hasTool } from "../../support/tools.ts";
import { parseText, prepare } from "./parseText.ts";
import { printUnit } from "./printSyntax.ts";

/** What the tree leaves out (qualifiers, most attributes) is hidden from gcc on both sides. */
const OPTIONS = ["-w", "-S", "-O1", "-fno-builtin", "-xc", "-o", "-", "-Dconst=", "-Dvolatile=", "-"];

/** The instructions gcc makes of a program; its notes about files, sections and symbols are left out. */
function instructionsOf(text: string): string {
  const { status, stdout, stderr } = spawnSync("gcc", OPTIONS, { input: text, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .split("\n")
    .filter((line) => !/^\s*\.(file|ident|section|text|data|globl|align|type|size|bss|local|comm|cfi_\w+)\b/.test(line))
    .join("\n");
}

const PROGRAMS: Readonly<Record<string, string>> = {
  casts: `
typedef int T; typedef unsigned char B; typedef struct { int a; T b[3]; } S;
long casts(T y, unsigned z, S *s, char *p) {
  long r = (T)-y * z + (B)(y) + (B)~y - (T)+z;
  r += (B)(s->b)[1] + ((B)s->a << 2) + (T)*p + (long)&s->a % 7;
  r ^= sizeof(T)*y + sizeof (T)-1 + sizeof *s + sizeof(s->b) / sizeof s->b[0] + sizeof -p[0];
  { int T = 3; r += (T)-y; r += (T)&y; r += (T)*y; }
  return r ? (B)r : -(long)(B)-y;
}`,
  declarators: `
typedef int F(int, char *); typedef F *P; typedef int A[3];
extern F one; static P table[2] = { one, 0 };
int (*choose(int k))(int, char *) { return table[k]; }
int *(*deep(int (*f)(A), A a))[3] { static int *v[3]; v[0] = a; return f ? &v : 0; }
int use(A a, int (*m)[4], P p) { A b = { a[1], [2] = 5 }; return m[1][2] + p(b[2], 0) + choose(1)(2, 0) + (*deep(0, a))[0][1]; }`,
  switches: `
int duff(int n, int *p) {
  int k = 0;
  switch (n % 4) { case 0: do { k += *p++; case 3: k -= *p++; case 2: k ^= *p++; case 1: k += 3; } while ((n -= 4) > 0); }
  switch (n) { case 1 ... 5: if (k) case 7: k++; k += 2; break; default: { case 9: k--; } k *= 2; case 'a': ; }
  for (int i = 0, j = 9; i < j; i++, --j) { if (i == 2) continue; else if (j == 7) goto out; k += i * j; }
out: return k ? k : n ?: -1;
}`,
  layout: `
struct p { char c; int i; short s; } __attribute__((packed));
struct __attribute__((aligned(32))) q { char c; struct { int x, y; }; union { long l; char b[3]; }; };
struct f { unsigned a : 3, : 2, b : 4; int : 0; signed c : 7; };
int layout(struct p *p, struct q *q, struct f *f) {
  return sizeof *p * 3 + sizeof(struct q) + sizeof *f + p->i + q->y + q->b[2] + (f->b += 3) + f->c + __builtin_offsetof(struct q, b[1]);
}`,
  oldStyle: `
double mean(v, n) double *v; { double s = 0; int i; for (i = 0; i < n; i++) s += v[i]; return s / n; }
char *pick(s, c) char *s, c; { while (*s && *s != c) s++; return s; }
add(a, b) { return a + b; }
main() { static k; k += add(k, 2); return k; }`,
  literals: `
char *s = "a\\tb\\x41\\101\\0" "c" "\\\\\\"'\\?\\e"; int w[] = { 'a', '\\'', '"', '\\xff', '\\377', 'ab', L'\\x1234', u'x', '\\0' };
int n[] = { 0x1F, 017, 0, 1u, 2l, 3ul, 4LL, 0xffffffffu, 0b101, 10 - 1, 1 - -1, 0xe + 1 };
double d[] = { 1., .5, 1e3, 1.5e-3f, 0x1p4, 0x.8p1, 1e1L };
__typeof__(*L"a") wide[] = L"a" "b\\x263a";
__typeof__(*u"a") sixteen[] = u"\\U0001F600x";`,
  extensions: `
typedef __builtin_va_list V;
int sum(int n, ...) { V v; int s = 0; __builtin_va_start(v, n); while (n--) s += __builtin_va_arg(v, int); __builtin_va_end(v); return s; }
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
int ext(int x, int *p) {
  static void *const jump[] = { &&one, &&two };
  int y = MAX(x, *p) + _Generic(x, char: 1, int: 2, default: 3) + __builtin_types_compatible_p(int[2], int[]);
  y += ((int[]){ 1, 2, x })[1] + (&(struct { int a, b; }){ .b = 3, .a = x })->a;
  if (jump[0] == p) return 1;
one: y++; p[y, 2] = 4;
two: return y;
}`,
};

describe.skipIf(!hasTool("gcc"))("gcc makes the same of the tree, printed, as of the program", () => {
  it.each(Object.keys(PROGRAMS))("%s", (name) => {
    const text = PROGRAMS[name]!;
    expect(instructionsOf(printUnit(parseText(text)))).toBe(instructionsOf(prepare(text).tokens.texts.join(" ")));
  });
});
