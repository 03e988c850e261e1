import { describe, expect, it } from "vitest";
import { toCExpression, variablesOf } from "../../../src/formats/witness/cExpression.ts";

describe("toCExpression", () => {
  it.each([
    ["j >= i"],
    ["x == 1 && b == -2"],
    ["a[i] == 0 || s.next->value != 3"],
    ["!(x < 0)"],
    ["(unsigned char)x == 7"],
    ["(x & 3) == 1"],
    ["x > 0 ? y == 1 : y == 2"],
    ["*p == 3"],
  ])("%s is C as it stands", (formula) => expect(toCExpression(formula)).toBe(formula));

  it.each([
    ["j == 2 * i", "(long long)j == 2 * (long long)i"],
    ["a[i + 1] - 1 < n", "(long long)a[(long long)i + 1] - 1 < (long long)n"],
    ["x + s.y <= 10", "(long long)x + (long long)s.y <= 10"],
    ["*p + 1 == -q", "(long long)*p + 1 == -(long long)q"],
  ])("%s is widened where it computes", (formula, expected) => expect(toCExpression(formula)).toBe(expected));

  it.each([
    ["forall k: a[k] == 0"],
    ["mod(x, 3) == 1"],
    ["store(a, i, v) == b"],
    ["input 1 (n) >= 0"],
    ["…"],
    ["x == 1; y"],
    ["$t3 == 0"],
    ["x = 1"],
    ["x++ > 0"],
    ['"a" == x'],
    ["x == 1.5"],
    [""],
  ])("%s is not an expression that C evaluates without effect", (formula) => expect(toCExpression(formula)).toBeNull());

  it("has no truth values of its own", () => expect(toCExpression("true")).toBe("1"));

  it("knows the variables", () => {
    expect(variablesOf("(long long)a[i] + s.x <= p->x && (unsigned char)i == 1")).toEqual(["a", "i", "s", "p"]);
  });
});
