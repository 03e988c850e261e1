import { describe, expect, it } from "vitest";
import { bodyOf, parseExpression, parseText } from "./parseText.ts";
import { printExpr, printItem, printUnit } from "./printSyntax.ts";

const CONTEXT = "typedef int T; typedef int F(int); struct s { int T; }; int x, y, z, *p, **q, a, b;";

/** What is written, and what it is. `T` is a type, every other name a variable or function. */
const EXPRESSIONS: readonly (readonly [string, string])[] = [
  ["(T)-y", "((T)(-y))"],
  ["(T)+y", "((T)(+y))"],
  ["(T)*q", "((T)(*q))"],
  ["(T)&x", "((T)(&x))"],
  ["(T)~y", "((T)(~y))"],
  ["(T)!y", "((T)(!y))"],
  ["(T)(y)", "((T)y)"],
  ["(T)-y * z", "(((T)(-y)) * z)"],
  ["z * (T)-y", "(z * ((T)(-y)))"],
  ["(T)*q * *q", "(((T)(*q)) * (*q))"],
  ["(T)-y - (T)-z", "(((T)(-y)) - ((T)(-z)))"],
  ["(T)&x == z", "(((T)(&x)) == z)"],
  ["(T)(a).b", "((T)a.b)"],
  ["(T)(p)[1]", "((T)p[1])"],
  ["(T)(x)++", "((T)(x++))"],
  ["(T)(p)->b", "((T)p->b)"],
  ["(T)(f)(y)", "((T)f(y))"],
  ["(T)(x) - 1", "(((T)x) - 1)"],
  ["(T)(x, y)", "((T)(x, y))"],
  ["(T)(T)-y", "((T)((T)(-y)))"],
  ["!(T)-y", "(!((T)(-y)))"],
  ["-(T)-y", "(-((T)(-y)))"],
  ["(T)-1", "((T)(-1))"],
  ["(T)x ? y : z", "(((T)x) ? y : z)"],
  ["x = (T)-y", "(x = ((T)(-y)))"],
  ["(T){3}", "((T){3})"],
  ["(T){3} + 1", "(((T){3}) + 1)"],
  ["&(T){3}", "(&((T){3}))"],
  ["(T *)p", "((T *)p)"],
  ["(T (*)(T))p", "((T (*)(T))p)"],
  ["(T (*)[3])p", "((T (*)[3])p)"],
  ["(const T)-y", "((T)(-y))"],
  ["sizeof(T)", "sizeof(T)"],
  ["sizeof(x)", "sizeof(x)"],
  ["sizeof x", "sizeof(x)"],
  ["sizeof (T)-1", "(sizeof(T) - 1)"],
  ["sizeof(T)*x", "(sizeof(T) * x)"],
  ["sizeof(T)&x", "(sizeof(T) & x)"],
  ["sizeof(x)*y", "(sizeof(x) * y)"],
  ["sizeof (x)[0]", "sizeof(x[0])"],
  ["sizeof (p)->b", "sizeof(p->b)"],
  ["sizeof -x", "sizeof((-x))"],
  ["sizeof *p++", "sizeof((*(p++)))"],
  ["sizeof(T){1}", "sizeof(((T){1}))"],
  ["sizeof(T[3])", "sizeof(T [3])"],
  ["_Alignof(T)", "_Alignof(T)"],
  ["__alignof__(x)", "_Alignof(typeof(x))"],
  ["x.T", "x.T"],
  ["p->T + 1", "(p->T + 1)"],
  ["(x)-y", "(x - y)"],
  ["(x)+y", "(x + y)"],
  ["(x)*y", "(x * y)"],
  ["(x)&y", "(x & y)"],
  ["(f)(y)", "f(y)"],
  ["(x)(y)(z)", "x(y)(z)"],
  ["(p[1])-y", "(p[1] - y)"],
  ["(f(x))*y", "(f(x) * y)"],
  ["(f(x))(y)", "f(x)(y)"],
  ["(*p)(y)", "(*p)(y)"],
  ["(x)-1", "(x - 1)"],
  ["(x)-y*z", "(x - (y * z))"],
  ["x * y", "(x * y)"],
  ["x * *p", "(x * (*p))"],
  ["f(x * y)", "f((x * y))"],
  ["f(x)", "f(x)"],
  ["p[x, y]", "p[(x, y)]"],
  ["!x++", "(!(x++))"],
  ["-p[0]++", "(-(p[0]++))"],
  ["~x--", "(~(x--))"],
  ["- - x", "(-(-x))"],
  ["&*p", "(&(*p))"],
  ["x ?: y", "(x ?  : y)"],
  ["x ? y, z : x ? y : z", "(x ? (y, z) : (x ? y : z))"],
  ["x, y, z", "((x, y), z)"],
  ["x = y = z", "(x = (y = z))"],
  ["x -= y -= z", "(x -= (y -= z))"],
  ["x - y - z", "((x - y) - z)"],
  ["x << y + z < a", "((x << (y + z)) < a)"],
  ["x & y == z", "(x & (y == z))"],
  ["x || y && z | a ^ b & x", "(x || (y && (z | (a ^ (b & x)))))"],
  ["__builtin_va_arg(p, T *)", "__builtin_va_arg(p, T *)"],
  ["__builtin_offsetof(struct s, T)", "__builtin_offsetof(struct s, T)"],
  ["_Generic(x, T *: 1, default: y)", "_Generic(x, T *: 1, default: y)"],
  ["({ T *v = p; *v; })", "({ T *v = p; (*v); })"],
];

describe("an expression with a type in it", () => {
  it.each(EXPRESSIONS)("%s", (text, expected) => {
    expect(printExpr(parseExpression(CONTEXT, text))).toBe(expected);
  });
});

/** Statements of a block, and how they read. */
const STATEMENTS: readonly (readonly [string, string])[] = [
  ["T * v;", "T *v;"],
  ["a * b;", "(a * b);"],
  ["T (v);", "T v;"],
  ["T (*v)(T);", "T (*v)(T);"],
  ["T v, *w = &v;", "T v, *w = (&v);"],
  ["T v[2][3];", "T v[2][3];"],
  ["F *v;", "F *v;"],
  ["F g;", "F g;"],
  ["T: x;", "T: x;"],
  ["goto T; T: ;", "goto T; T: ;"],
  ["struct s T;", "struct s T;"],
  ["int T; T * x;", "int T; (T * x);"],
  ["int T = 1; (T)-y;", "int T = 1; (T - y);"],
  ["int T = sizeof(T); T;", "int T = sizeof(T); T;"],
  ["{ int T; T = 3; } T v;", "{ int T; (T = 3); } T v;"],
  ["{ typedef char *S; S v; } S * x;", "{ typedef char *S; S v; } (S * x);"],
  ["for (int T = 0; T < 3; T++) x += T; T v;", "for (int T = 0; (T < 3); (T++)) (x += T); T v;"],
  ["for (T T = 0; T; ) ; T v;", "for (T T = 0; T;) ; T v;"],
  ["enum { T }; x = T * y;", "enum { T }; (x = (T * y));"],
  ["enum T { A, B = A } v; x = B;", "enum T { A, B = A } v; (x = B);"],
  ["int a, T, b; T * b;", "int a, T, b; (T * b);"],
  ["int (*T)(int); (T)(x);", "int (*T)(int); T(x);"],
  ["struct { T T; } v; v.T = 1;", "struct { T T; } v; (v.T = 1);"],
  ["struct { T x : 3, : 2, : 0; } v;", "struct { T x : 3,  : 2,  : 0; } v;"],
  ["void g(T T), h(T); T v;", "void g(T T), h(T); T v;"],
  ["int g(T (x), T ((y)), T (z[3]), T (*(a)));", "int g(T x, T y, T z[3], T *a);"],
  ["int g(int (T)); ", "int g(int (T));"],
  ["unsigned T; T = 1;", "unsigned T; (T = 1);"],
  ["const T v;", "T v;"],
  ["T const *v;", "T *v;"],
  ["T static v;", "static T v;"],
  ["long typedef unsigned U; U v;", "typedef long unsigned U; U v;"],
  ["typeof(T) v; typeof(x) w;", "typeof(T) v; typeof(x) w;"],
  ["struct s v = { .T = 1 }; struct s w = { T: 1 };", "struct s v = {.T = 1}; struct s w = {.T = 1};"],
  ["T v[] = { [1] = 2, [2 ... 4] = 3, [5] 6 };", "T v[] = {[1] = 2, [2 ... 4] = 3, [5] = 6};"],
];

describe("a block with a type in it", () => {
  it.each(STATEMENTS)("%s", (text, expected) => {
    const items = bodyOf(parseText(`${CONTEXT}\nvoid f(void) { ${text} }`));
    expect(items.map(printItem).join(" ")).toBe(expected);
  });
});

describe("a typedef name and functions", () => {
  it("is hidden by a parameter in the body, not behind it", () => {
    const text = "typedef int T; int f(T T) { return (T)-1; } T v;";
    expect(printUnit(parseText(text))).toBe("typedef int T;\nint f(T T) { return (T - 1); }\nT v;");
  });

  it("is hidden by the parameters of the defined function only", () => {
    const text = "typedef int T; int (*f(int a))(int T) { T * b; }";
    expect(printUnit(parseText(text))).toBe("typedef int T;\nint (*f(int a))(int T) { T *b; }");
  });

  it("may be the name of a K&R parameter", () => {
    const text = "typedef int T; char *f(a, b) T a; char *b; { T * c; }";
    expect(printUnit(parseText(text))).toBe("typedef int T;\nchar *f(a, b) T a; char *b; { T *c; }");
  });

  it("declares functions through a function type", () => {
    expect(printUnit(parseText("typedef int F(int); F g; static F *h;"))).toBe(
      "typedef int F(int);\nF g;\nstatic F *h;",
    );
  });
});
