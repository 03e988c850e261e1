import { describe, expect, it } from "vitest";
import { TracefoldError } from "../../../src/base/errors.ts";
import { bodyOf, parseText } from "./parseText.ts";

const inFunction = (text: string) => `void f(int x) { ${text} }`;

/** Long but flat: must parse. */
const LONG: Readonly<Record<string, string>> = {
  "else if": inFunction(`${"if (x == 1) x++; else ".repeat(5000)}x--;`),
  "a sum": inFunction(`x = ${"x + ".repeat(10_000)}x;`),
  "mixed operators": inFunction(`x = ${"x * x || ".repeat(5000)}x;`),
  "a comma expression": inFunction(`${"x++, ".repeat(5000)}x;`),
  "conditional expressions": inFunction(`x = ${"x ? 1 : ".repeat(5000)}x;`),
  assignments: inFunction(`${"x = ".repeat(5000)}1;`),
  "case labels": inFunction(`switch (x) { ${Array.from({ length: 5000 }, (_, i) => `case ${i}:`).join(" ")} x++; }`),
  "an initialiser": `int a[] = { ${"1, ".repeat(100_000)} };`,
  "a string": `char *s = ${'"abc" '.repeat(20_000)};`,
  declarators: `int ${"a, ".repeat(20_000)} b;`,
};

describe("a long program", () => {
  it.each(Object.keys(LONG))("%s", (name) => {
    expect(parseText(LONG[name]!).items.length).toBe(1);
  });

  it("keeps the order of a long sum", () => {
    const [item] = bodyOf(parseText(inFunction("x = x - 1 - 2 - 3;")));
    if (item?.kind !== "expressionStatement" || item.expression.kind !== "assignment") throw new Error("no assignment");
    const sum = item.expression.right;
    expect(sum.kind === "binary" && sum.right).toMatchObject({ kind: "number", text: "3" });
  });
});

/** Deep: parses or reaches the limit, and says where. */
const DEEP: Readonly<Record<string, (depth: number) => string>> = {
  parentheses: (n) => inFunction(`x = ${"(".repeat(n)}x${")".repeat(n)};`),
  blocks: (n) => inFunction("{".repeat(n) + "}".repeat(n)),
  calls: (n) => inFunction(`x = ${"f(".repeat(n)}x${")".repeat(n)};`),
  ifs: (n) => inFunction(`${"if (x) ".repeat(n)};`),
  structs: (n) => `${"struct { ".repeat(n)}int x;${" } a;".repeat(n)}`,
  signs: (n) => inFunction(`x = ${"- ".repeat(n)}x;`),
};

describe("a deep program", () => {
  it.each(Object.keys(DEEP))("%s", (name) => {
    expect(parseText(DEEP[name]!(200)).items.length).toBe(1);
    try {
      parseText(DEEP[name]!(30_000));
    } catch (error) {
      expect(error).toBeInstanceOf(TracefoldError);
      expect((error as TracefoldError).code).toBe("TF301");
      expect((error as TracefoldError).range?.file).toBe("test.c");
    }
  });
});
