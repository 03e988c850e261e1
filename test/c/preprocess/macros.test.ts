import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { hasTool } from "../../support/tools.ts";
import { preprocessText, tokensOf } from "./preprocessText.ts";

/** Programs about macros. gcc says what each of them becomes. */
const SAMPLES: Readonly<Record<string, string>> = {
  "objects, and names inside their own expansion": `
#define A B
#define B A C
#define C (A)
A B C
#define n n + 1
n n(n)
#define EMPTY
x EMPTY y`,
  "functions and their arguments": `
#define f(a) <a>
#define g(a, b) a|b|a
#define none() ()
f(1) f() f((1, 2)) g(,) g(a,) g((,), f(2)) none() none f f(f)(3)
f
(
 4
)
f(f(f(5))) g(g(1, 2), g(3, 4))`,
  "the example of the standard": `
#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };`,
  "the other example of the standard": `
#define str(s) # s
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \\
 x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\\0d", "abc", '\\4') == 0) str(: @\\n), s);
xstr(INCFILE(2).h)
glue(HIGH, LOW); xglue(HIGH, LOW)
#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
char p[] = join(x, y);`,
  pasting: `
#define t(x,y,z) x ## y ## z
t(1,2,3) t(,4,5) t(6,,7) t(8,9,) t(10,,) t(,11,) t(,,12) t(,,)
#define CAT(a, b) a ## b
#define XCAT(a, b) CAT(a, b)
#define AB ok
CAT(A, B) XCAT(CAT(A, B), 1) CAT(+, +) CAT(L, "x") CAT(.1, e3) CAT(x y, z w) CAT(<, <=)
#define FOO() CAT(FO, O)()
FOO()
#define obj a ## b
obj`,
  stringising: `
#define S(x) #x
#define V(...) #__VA_ARGS__
S(a  /* c */   b) S("a\\"b") S('"') S(\\n) S( ( a , b ) ) S() S("\\\\")
V( a ,  b , "c\\n" ) V() V(,)`,
  "variable arguments": `
#define LOG(fmt, args...) printf(fmt, ## args)
#define LOG2(fmt, ...) printf(fmt, ##__VA_ARGS__)
#define LOG3(...) printf(__VA_ARGS__)
#define L(...) pp(a, ##__VA_ARGS__)
#define O(a, ...) f(a __VA_OPT__(,) __VA_ARGS__) __VA_OPT__([a ## __VA_ARGS__])
LOG("a"); LOG("a", 1, 2); LOG2("b"); LOG2("b",); LOG2("b", x, y); LOG3(); LOG3(1,2); L() L(1) L(,)
O(1) O(1,) O(1,2) O(1,2,3)`,
  "what the standard leaves open": `
#define f(a) a*g
#define g(a) f(a)
f(2)(9)
#define NIL(x) x
#define G_0(arg) NIL(G_1)(arg)
#define G_1(arg) NIL(arg)
G_0(42)
#define f1 f2
#define f2(x) f1
f1(1)(2)(3)`,
  "deferred expansion": `
#define EMPTY()
#define DEFER(id) id EMPTY()
#define EXPAND(...) __VA_ARGS__
#define A() 123
DEFER(A)() EXPAND(DEFER(A)()) EXPAND(EXPAND(DEFER(A)()))
#define REPEAT(n) n DEFER(REPEAT_)()(n)
#define REPEAT_() REPEAT
REPEAT(1) EXPAND(REPEAT(2)) EXPAND(EXPAND(REPEAT(3)))`,
  "invocations over lines and directives": `
#define ID(x) x
ID(1 +
#define INSIDE 7
INSIDE
#undef INSIDE
+ INSIDE)
ID
(2) ID /* comment
*/ (3)`,
  "places and counters": `
__LINE__ __COUNTER__ __COUNTER__
#define HERE __LINE__
HERE
#line 500 "other.c"
__LINE__ __FILE__ HERE
# 7 "third.c"
__LINE__ __FILE__`,
  "digraphs and odd spacing": `
%: define D(x) %:x
#  define   SPACED( a,b )a%:%:b
D(y) SPACED(1,2) a<:0:>
#define NOARGS (a)
NOARGS
#
# pragma nothing
end`,
};

describe.skipIf(!hasTool("gcc"))("macros come out as gcc's", () => {
  it.each(Object.keys(SAMPLES))("%s", (name) => {
    const text = SAMPLES[name]!;
    const { stdout, stderr, status } = spawnSync("gcc", ["-E", "-P", "-w", "-xc", "-"], {
      input: `#line 1 "test.c"\n${text}`,
      encoding: "utf8",
    });
    expect(`${status}${stderr}`).toBe("0");
    const expected = tokensOf(stdout.replace(/^#.*$/gm, ""));
    expect(expected.length).toBeGreaterThan(3);
    expect(preprocessText(text).tokens.texts.slice(0, -1)).toEqual(expected);
  });
});
