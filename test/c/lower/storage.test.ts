import { expect, test } from "vitest";
import { printType } from "../../../src/ir/type.ts";
import { body, lower, operations } from "./lowered.ts";

async function storages(text: string): Promise<string[]> {
  const program = await lower(text);
  return program.variables.map(({ name, type, kind, storage }) => `${kind} ${storage} ${printType(type, name)}`);
}

test("keeps scalars whose address is not taken in registers, and everything else in memory", async () => {
  const text = `int g, taken, *p = &taken, v[2];
    int main(void) { int x = 1; int y = 2; static int s; p = &y; return x + g + v[0] + s + *p; }`;
  expect(await storages(text)).toEqual([
    "static register int g",
    "static memory int taken",
    "static register int *p",
    "static memory int v[2]",
    "static register int s",
    "local register int x",
    "local memory int y",
  ]);
});

test("applies the address of a shadowed name to the inner variable only", async () => {
  const text = "int main(void) { int x = 1; { int x = 2; int *p = &x; *p = 3; } return x; }";
  expect(await storages(text)).toEqual(["local register int x", "local memory int x", "local register int *p"]);
});

test("flattens structs of scalars unless their address is taken", async () => {
  const text = `struct in { int a; char b; }; struct s { struct in i; long l; } g;
    struct bits { int a : 3; } bits; union u { int i; } u; struct arr { int v[2]; } arr;
    int main(void) { struct s x = {{1, 2}, 3}, y = x; struct in *p = &y.i; g = x; return p->a + bits.a + u.i + arr.v[0]; }`;
  expect(await storages(text)).toEqual([
    "static register int g.i.a",
    "static register char g.i.b",
    "static register long g.l",
    "static memory struct bits bits",
    "static memory union u u",
    "static memory struct arr arr",
    "local register int x.i.a",
    "local register char x.i.b",
    "local register long x.l",
    "local memory struct s y",
    "local register struct in *p",
  ]);
});

test("lowers struct assignment to one copy in memory, or to one step for each scalar that has a value", async () => {
  const before = "struct p { int x, y; };";
  expect(await body("struct p *a, struct p *b", "*a = *b;", before)).toEqual(["*a = *b"]);
  expect(await body("struct p *a", "struct p s = *a; *a = s;", before)).toEqual(["struct p s", "s = *a", "*a = s"]);
  expect(await body("struct p *a", "struct p s = {1, 2}; *a = s;", before)).toEqual([
    "s.x = 1",
    "s.y = 2",
    "a->x = s.x",
    "a->y = s.y",
  ]);
});

test("passes structs by address, and returns them through a hidden pointer", async () => {
  const text = `struct p { int x, y; }; struct p f(struct p a) { int *q = &a.x; *q = 1; return a; }
    int main(void) { struct p s = {1, 2}; s = f(s); return s.x; }`;
  expect(await operations(text, "f")).toEqual([
    "struct p a",
    "a = *$a",
    "q = &a.x",
    "*q = 1",
    "*$result = a",
    "return",
  ]);
  expect(await operations(text)).toEqual(["struct p s", "s.x = 1", "s.y = 2", "f(&$1, &s)", "s = $1", "return s.x"]);
});

test("passes unnamed arguments in a block", async () => {
  const text =
    "int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); return __builtin_va_arg(l, int); } int main(void) { return f(1, 'a', 2.0f) + f(0); }";
  expect(await operations(text)).toEqual([
    "*$1 = 97",
    "*($1 + 8) = 2.0",
    "$2 = f(1, $1)",
    "$3 = f(0, NULL)",
    "return $2 + $3",
  ]);
});

test("runs reachable initialisers of statics first, in order", async () => {
  const text = `int unused = 5; int a = 3; int *p = &a; char s[4] = "ab"; int t[3] = {1, [2] = 2};
    int main(void) { static int k = 7; return a + *p + s[0] + t[0] + k; }`;
  expect(await operations(text, "$init")).toEqual([
    "a = 3",
    "p = &a",
    '*s = *"ab"',
    "t[0] = 1",
    "t[2] = 2",
    "k = 7",
    "return",
  ]);
});

test("declares locals, then writes them part by part, and clears large ones first", async () => {
  expect(await body("int n", "int a[4] = {n, [2] = 1};")).toEqual([
    "int a[4]",
    "a[0] = n",
    "a[2] = 1",
    "a[1] = 0",
    "a[3] = 0",
  ]);
  expect(await body("int n", "int a[100] = {n};")).toEqual(["int a[100]", "$zero(a, 400)", "a[0] = n"]);
  expect(await body("int n", "int a[n][3]; a[1][2] = 0; n = sizeof a;")).toEqual([
    "$1 = n",
    "int a[$1][3]",
    "a[1][2] = 0",
    "n = $1 * 12",
  ]);
});

test("joins equal string literals into one object", async () => {
  const program = await lower('int main(void) { const char *a = "x", *b = "x", *c = "y"; return a == b && b != c; }');
  expect(program.variables.filter(({ literal }) => literal !== undefined)).toHaveLength(2);
});
