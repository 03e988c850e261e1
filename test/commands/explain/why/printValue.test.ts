import { expect, test } from "vitest";
import { loadCText } from "../../../../src/c/cFrontEnd.ts";
import { literalStyles, printFloat, printString, printValue } from "../../../../src/commands/explain/why/printValue.ts";
import type { ScalarType } from "../../../../src/ir/type.ts";

const int: ScalarType = { kind: "int", bits: 32, signed: true, name: "int" };

test.each([
  [44, { kind: "character" }, "','"],
  [0, { kind: "character" }, "'\\0'"],
  [10, { kind: "character" }, "'\\n'"],
  [-1, { kind: "character" }, "-1"],
  [72, { kind: "hexadecimal" }, "0x48"],
  [8, { kind: "octal" }, "010"],
  [5, { kind: "decimal" }, "5"],
  [2, { kind: "names", enumerators: [{ name: "DONE", value: 2n }] }, "DONE"],
  [3, { kind: "names", enumerators: [{ name: "DONE", value: 2n }] }, "3"],
] as const)("%s is written as a literal of its kind", (value, style, text) => {
  expect(printValue(value, int, style)).toBe(text);
});

test("prints as many digits of a float as its width needs", () => {
  expect(printFloat(Math.fround(0.1), 32)).toBe("0.1");
  expect(printFloat(Math.fround(9.900002), 32)).toBe("9.900002");
  expect(printFloat(1, 32)).toBe("1.0");
  expect(printFloat(0.1 + 0.2, 64)).toBe("0.30000000000000004");
});

test("quotes a string as the source would", () => {
  expect(printString([...Buffer.from('a"b\n')])).toBe('"a\\"b\\n"');
  expect(printString([...Buffer.from("it's")])).toBe(`"it's"`);
  expect(printString([...Buffer.from("größe 日本 🙂")])).toBe('"größe 日本 🙂"');
  expect(printString([0x67, 0xf6, 0xc3])).toBe('"g\\xf6\\xc3"');
  expect(printString(new Array(30).fill(97))).toBe(`"${"a".repeat(23)}…"`);
});

test("the largest of some characters is a number if it is counted, and so are indices", async () => {
  const program = await loadCText(
    "max.c",
    `char text[8]; int max, i, k, c;
int main(void) {
  c = text[0];
  if (c == 'x' || text[1] > max) max = text[1];
  max++;
  k = max;
  for (i = 0; i < k; i++) text[i] = 0;
  return 0;
}
`,
    { preprocess: "builtin" },
  );
  const styles = literalStyles(program);
  const kinds = ["c", "max", "k", "i"].map((name) => {
    const id = program.variables.findIndex((variable) => variable.name === name);
    return styles.ofVariable(id).kind;
  });
  expect(kinds).toEqual(["character", "decimal", "decimal", "decimal"]);
});
