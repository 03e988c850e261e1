import { describe, expect, it } from "vitest";
import { TracefoldError } from "../../src/base/errors.ts";
import { readHitCondition } from "../../src/dap/breakpoints.ts";
import { readCondition } from "../../src/dap/condition.ts";

const values: Readonly<Record<string, string>> = {
  i: "3",
  big: "18446744073709551615",
  x: "-2.5",
  c: "'a'",
  name: '"ab\\n"',
  ok: "true",
  "s->items[2]": "7",
  "this.total": "12",
  "list.length": "0",
  p: "NULL",
};

const evaluated = (text: string) => readCondition(text).evaluate((name) => values[name] ?? null);

describe("a condition of a breakpoint", () => {
  it.each([
    ["i == 3", true],
    ["i === 3 && ok", true],
    ["i > 3 || c == 97", true],
    ["s->items[2] * 2 == 14", true],
    ["s -> items[ 2 ] % 4 == 3", true],
    ["this.total - list.length", 12n],
    ["big > 9223372036854775807", true],
    ["x < -2.4", true],
    ['name == "ab\\n"', true],
    ["!p", true],
    ["-(i + 1)", -4n],
    ["c == 'a'", true],
    ["c < 'b'", true],
  ])("%s", (text, value) => {
    expect(evaluated(text)).toEqual(value);
  });

  it("is not known where a value is not, unless the rest decides", () => {
    expect(evaluated("unknown == 3")).toBe(null);
    expect(evaluated("unknown == 3 && i == 4")).toBe(false);
    expect(evaluated("i == 3 || unknown")).toBe(true);
    expect(evaluated("unknown || i == 3")).toBe(true);
    expect(evaluated("i % 0")).toBe(null);
  });

  it.each(["i =", "i = 3", "f(i)", "i / 2", "i ? 1 : 2", "", "a; b", "typeof i"])("refuses %s", (text) => {
    expect(() => readCondition(text)).toThrow(TracefoldError);
  });
});

describe("a hit condition", () => {
  it.each([
    ["5", [5]],
    ["== 2", [2]],
    [">= 5", [5, 6]],
    ["<3", [1, 2]],
    ["% 3", [3, 6]],
  ])("%s", (text, wanted) => {
    expect([1, 2, 3, 4, 5, 6].filter((count) => readHitCondition(text)?.(count))).toEqual(wanted);
  });

  it("is refused if it counts nothing", () => {
    expect([readHitCondition("often"), readHitCondition("% 0"), readHitCondition("")]).toEqual([null, null, null]);
  });
});
