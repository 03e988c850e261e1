import { expect, test } from "vitest";
import { body } from "./lowered.ts";

const variables = "int x, int a, int b, int c, int i, int *p";
const lines = (statements: string, before = "") => body(variables, statements, before);

test("makes one edge of one statement unless something forces more", async () => {
  expect(await lines("x = a + b * c;")).toEqual(["x = a + b * c"]);
  expect(await lines("i++; --i; x += a << 2;")).toEqual(["i = i + 1", "i = i - 1", "x = x + (a << 2)"]);
  expect(await lines("p[i] = p[i + 1] - *p;")).toEqual(["p[i] = p[i + 1] - *p"]);
  expect(await lines("a; 3; (void)x; *p;")).toEqual([]);
  expect(await lines("a = b = c;")).toEqual(["b = c", "a = b"]);
  expect(await lines("x = !a; x = ~a; x = -a; x = +a;")).toEqual(["x = a == 0", "x = ~a", "x = -a", "x = a"]);
});

test("lets calls write directly to their variable", async () => {
  const before = "int f2(int n) { return n; } void g(int);";
  expect(await lines("x = f2(a + 1);", before)).toEqual(["x = f2(a + 1)"]);
  expect(await lines("f2(1); long l = f2(2);", before)).toEqual(["f2(1)", "$1 = f2(2)", "l = $1"]);
  expect(await lines("*p = f2(f2(a));", before)).toEqual(["$1 = f2(a)", "$2 = f2($1)", "*p = $2"]);
});

test("saves an operand only if a later side effect can change it", async () => {
  const before = "int g; int f2(int n) { g = n; return n; }";
  expect(await lines("x = a + f2(b);", before)).toEqual(["$1 = f2(b)", "x = a + $1"]);
  expect(await lines("x = g + f2(b);", before)).toEqual(["$2 = g", "$1 = f2(b)", "x = $2 + $1"]);
  expect(await lines("x = *p + f2(b);", before)).toEqual(["$2 = *p", "$1 = f2(b)", "x = $2 + $1"]);
  expect(await lines("x = f2(a) + f2(b);", before)).toEqual(["$1 = f2(a)", "$2 = f2(b)", "x = $1 + $2"]);
  expect(await lines("x = a + (b = c);")).toEqual(["b = c", "x = a + b"]);
  expect(await lines("x = i++;")).toEqual(["$1 = i", "i = i + 1", "x = $1"]);
  expect(await lines("x = ++i;")).toEqual(["i = i + 1", "x = i"]);
  expect(await lines("p[i++] = a;")).toEqual(["$1 = i", "i = i + 1", "p[$1] = a"]);
  expect(await lines("int q[2]; x = *p + (q[0] = 3);")).toEqual(["int q[2]", "$1 = *p", "q[0] = 3", "x = $1 + 3"]);
  expect(await lines("int q[2], r[2]; x = q[0] + (r[0] = 3);")).toEqual([
    "int q[2]",
    "int r[2]",
    "r[0] = 3",
    "x = q[0] + 3",
  ]);
});

test("evaluates the right side of a compound assignment first", async () => {
  const before = "int g; int f2(int n) { g = n; return n; }";
  expect(await lines("g += f2(a);", before)).toEqual(["$1 = f2(a)", "g = g + $1"]);
});

test("turns logical operators into branches", async () => {
  expect(await lines("x = a && b;")).toEqual(["[a]", "[!a]", "[b]", "[!b]", "$1 = 1", "$1 = 0", "x = $1"]);
  expect(await lines("x = a ? b : c;")).toEqual(["[a]", "[!a]", "$1 = b", "$1 = c", "x = $1"]);
  expect(await lines("a && (x = 1);")).toEqual(["[a]", "[!a]", "x = 1"]);
  expect(await lines("a ? (x = 1) : (x = 2);")).toEqual(["[a]", "[!a]", "x = 1", "x = 2"]);
  expect(await lines("x = a ?: b;")).toEqual(["[a]", "[!a]", "$1 = a", "$1 = b", "x = $1"]);
});

test("decides constant conditions without a branch", async () => {
  expect(await lines("x = 1 ? a : b; x = 0 && a; x = 1 || a;")).toEqual(["x = a", "x = 0", "x = 1"]);
  expect(await lines("x = sizeof(int) == 4 ? 2 : 3;")).toEqual(["x = 2"]);
});

test("makes conversions explicit, and shows them only where they were written", async () => {
  expect(await body("char c, unsigned u, long l", "c = c + 1; u = -1; l = u; l = (char)l;")).toEqual([
    "c = c + 1",
    "u = -1",
    "l = u",
    "l = (char)l",
  ]);
});

test("cancels `&*`, and takes arrays as their addresses", async () => {
  expect(await lines("*&x = 1; int v[3]; p = v; p = &v[0]; p = &v[1]; p = &*p;")).toEqual([
    "x = 1",
    "int v[3]",
    "p = v",
    "p = v",
    "p = &v[1]",
  ]);
});
