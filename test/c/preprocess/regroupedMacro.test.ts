import { expect, test } from "vitest";
import { macrosIn, regroupedMacro } from "../../../src/c/preprocess/regroupedMacro.ts";

test.each([
  ["SQ(x) x*x", "return SQ(n+1);", "SQ(n+1) is n+1*n+1"],
  ["TWICE(x) (x)+(x)", "int y = 2 * TWICE(n);", "2*TWICE(n) is 2*(n)+(n)"],
  ["MIN(a, b) a < b ? a : b", "f(1 + MIN(x, y), 2);", "1+MIN(x,y) is 1+x<y?x:y"],
  ["NEAR(a, b) abs(a - b) < \\\n  2", "if (!NEAR(p, q))", "!NEAR(p,q) is !abs(p-q)<2"],
  ["N 13+1 // all", "if (left == N - 2)", "left==N-2 is left==13+1-2"],
])("%s in %s", (definition, text, expected) => {
  const found = regroupedMacro(macrosIn([`#define ${definition}\n`]), text);
  expect(`${found?.use} is ${found?.text}`).toBe(expected);
});

test.each([
  ["SQ(x) ((x)*(x))", "return SQ(n+1);"],
  ["SQ(x) x*x", "return SQ(n);"],
  ["MAX(a, b) ((a) > (b) ? (a) : (b))", "m = 1 + MAX(f(x, 1), y + 1);"],
  ["TEXT(x) #x", "puts(TEXT(a + b));"],
  ["OTHER(x) x*x", "return SQ(n+1);"],
  ["SWAP(a, b) do { int t = a; a = b; b = t; } while (0)", "SWAP(p + 1, q);"],
  ["N (13+1)", "if (left == 2 * N)"],
  ["N 13+1", "for (i = 0; i < n; i++) a[N] = 0;"],
])("nothing for %s in %s", (definition, text) => {
  expect(regroupedMacro(macrosIn([`#define ${definition}\n`]), text)).toBeNull();
});
