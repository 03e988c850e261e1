import { expect, test } from "vitest";
import { edges, operations } from "./lowered.ts";

const inF = (body: string) =>
  edges(`int f(int a, int b, int n) { ${body} } int main(void) { return f(1, 2, 3); }`, "f");

test("makes two edges of a condition", async () => {
  expect(await inF("if (a < n) b = 1; return b;")).toEqual([
    "0 -> 1: [a < n]",
    "0 -> 2: [a >= n]",
    "1 -> 2: b = 1",
    "2 -> 3: return b",
  ]);
});

test("needs no temporary for short circuits in conditions", async () => {
  expect(await inF("if (!(a && b) || n) return 1; return 0;")).toEqual([
    "0 -> 1: [a]",
    "0 -> 4: [!a]",
    "1 -> 2: [b]",
    "1 -> 4: [!b]",
    "2 -> 4: [n]",
    "2 -> 3: [!n]",
    "3 -> 5: return 0",
    "4 -> 5: return 1",
  ]);
});

test("lowers every kind of loop", async () => {
  expect(
    await inF("for (int i = 0; i < n; i++) { if (i == 3) continue; if (i == 4) break; a += i; } return a;"),
  ).toEqual([
    "0 -> 1: i = 0",
    "1 -> 2: [i < n]",
    "1 -> 6: [i >= n]",
    "2 -> 5: [i == 3]",
    "2 -> 3: [i != 3]",
    "3 -> 6: [i == 4]",
    "3 -> 4: [i != 4]",
    "4 -> 5: a = a + i",
    "5 -> 1: i = i + 1",
    "6 -> 7: return a",
  ]);
  expect(await inF("do a--; while (a > b); return a;")).toEqual([
    "0 -> 1: a = a - 1",
    "1 -> 0: [a > b]",
    "1 -> 2: [a <= b]",
    "2 -> 3: return a",
  ]);
});

test("drops branches on constants and unreachable code", async () => {
  expect(await inF("while (1) { if (0) a = 1; if (a > n) return a; a++; } a = 7;")).toEqual([
    "0 -> 1: [a > n]",
    "0 -> 2: [a <= n]",
    "1 -> 3: return a",
    "2 -> 0: a = a + 1",
  ]);
  expect(await inF("for (;;);")).toEqual(["0 -> 0: skip"]);
});

test("gives a switch one edge for each target", async () => {
  expect(
    await inF(
      "switch (a) { case 1: case 2: b = 1; break; case 3: b = 2; case 9: default: b = 3; case 4 ... 6: n = 0; } return b;",
    ),
  ).toEqual([
    "0 -> 1: [a == 1 ... 2]",
    "0 -> 2: [a == 3]",
    "0 -> 3: [a != 1 ... 6]",
    "0 -> 4: [a == 4 ... 6]",
    "1 -> 5: b = 1",
    "2 -> 3: b = 2",
    "3 -> 4: b = 3",
    "4 -> 5: n = 0",
    "5 -> 6: return b",
  ]);
  expect(
    await inF("switch (a) { default: b = 1; } switch (2) { case 1: b = 2; break; case 2: b = 3; } return b;"),
  ).toEqual(["0 -> 1: b = 1", "1 -> 2: b = 3", "2 -> 3: return b"]);
});

test("finds case labels inside nested blocks", async () => {
  expect(await inF("switch (a) { case 0: do { b++; case 1: b += 2; } while (b < n); } return b;")).toEqual([
    "0 -> 3: [a == 0]",
    "0 -> 1: [a == 1]",
    "0 -> 4: [a != 0 ... 1]",
    "1 -> 2: b = b + 2",
    "2 -> 3: [b < n]",
    "2 -> 4: [b >= n]",
    "3 -> 1: b = b + 1",
    "4 -> 5: return b",
  ]);
});

test("lowers jumps into and out of blocks", async () => {
  expect(await inF("if (a) goto in; { int x; x = 1; in: x = 2; if (b) goto out; n = x; } out: return n;")).toEqual([
    "0 -> 3: [a]",
    "0 -> 1: [!a]",
    "1 -> 2: int x",
    "2 -> 3: x = 1",
    "3 -> 4: x = 2",
    "4 -> 6: [b]",
    "4 -> 5: [!b]",
    "5 -> 6: n = x",
    "6 -> 7: return n",
  ]);
});

test("returns 0 at the end of main, and nothing at the end of other functions", async () => {
  expect(await operations("int main(void) { }")).toEqual(["return 0"]);
  expect(await operations("int f(void) { } int main(void) { return f(); }", "f")).toEqual(["return"]);
});

test("takes uninitialised locals as inputs", async () => {
  const text =
    "struct s { int a; char b; }; int main(void) { int x; int *p; struct s s; int v[2]; float f = 0; return 0; }";
  expect(await operations(text, "main", { uninitialized: "input" })).toEqual([
    "x = x()",
    "p = p()",
    "s.a = s.a()",
    "s.b = s.b()",
    "int v[2]",
    "f = 0.0",
    "return 0",
  ]);
});

test("takes locals whose declaration is jumped over as inputs at the function's entry", async () => {
  const text = "int f(int n) { if (n) goto in; { int x = 1; in: return x; } } int main(void) { return f(1); }";
  expect((await operations(text, "f", { uninitialized: "input" })).filter((line) => line === "x = x()")).toHaveLength(
    1,
  );
  expect(await operations(text, "f")).not.toContain("x = x()");
});
