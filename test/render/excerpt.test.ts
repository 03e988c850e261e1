import { describe, expect, it } from "vitest";
import { excerpt } from "../../src/render/layout.ts";

const text = "int main(void) {\n\tint x = f(1,\n\t          2);\n}\n";

describe("excerpt", () => {
  it("underlines a range in one line", () => {
    expect(excerpt(text, { file: "a.c", line: 1, column: 5, endLine: 1, endColumn: 9 })).toEqual([
      "1 | int main(void) {",
      "  |     ^^^^",
    ]);
  });

  it("keeps tabs in the margin and covers several lines", () => {
    expect(excerpt(text, { file: "a.c", line: 2, column: 10, endLine: 3, endColumn: 14 })).toEqual([
      "2 | \tint x = f(1,",
      "  | \t        ^^^^",
      "3 | \t          2);",
      "  | \t          ^^",
    ]);
  });

  it("marks an empty range and a range behind the end of the text", () => {
    expect(excerpt(text, { file: "a.c", line: 4, column: 2, endLine: 4, endColumn: 2 }).at(-1)).toBe("  |  ^");
    expect(excerpt(text, { file: "a.c", line: 9, column: 1, endLine: 9, endColumn: 2 })).toEqual([]);
  });
});
