import fc from "fast-check";
import { expect, it } from "vitest";
import { lineCount, lineOf, offsetOf, rangeBetweenOffsets, textOfRange } from "../../src/base/sourceFile.ts";

const file = { path: "a.c", text: "int x;\r\n\nint yy;" };

it("counts and returns lines without their ends", () => {
  expect(lineCount(file)).toBe(3);
  expect([1, 2, 3, 4].map((line) => lineOf(file, line))).toEqual(["int x;", "", "int yy;", undefined]);
});

it("returns null for a range whose lines the file does not have", () => {
  expect(textOfRange(file, { file: "a.c", line: 3, column: 1, endLine: 4, endColumn: 1 })).toBeNull();
  expect(offsetOf(file, 9, 1)).toBe(file.text.length);
});

it("converts offsets to ranges and back", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "é", "\n", "\r\n", " ") });
  fc.assert(
    fc.property(text, fc.nat(40), fc.nat(40), (written, a, b) => {
      const source = { path: "a.c", text: written };
      const [start, end] = [Math.min(a, b, written.length), Math.min(Math.max(a, b), written.length)];
      const range = rangeBetweenOffsets(source, start, end);
      expect(textOfRange(source, range)).toBe(written.slice(start, end));
      expect(offsetOf(source, range.line, range.column)).toBe(start);
      expect(lineOf(source, range.line)).toBe(written.split(/\r?\n/)[range.line - 1]);
    }),
  );
});
