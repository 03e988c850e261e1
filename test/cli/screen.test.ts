import { describe, expect, it } from "vitest";
import { createScreen } from "../../src/cli/screen.ts";

/** The rows of a terminal after the written text; it knows line feeds, "up" and "clear to the end". */
function terminal(rows: number, columns: number) {
  const lines: string[] = [""];
  let row = 0;
  const writes: string[] = [];
  const write = (text: string) => {
    writes.push(text);
    for (const [part, up] of text.replaceAll("\x1b", "^").matchAll(/\^\[(\d+)A|\^\[J|\n|[^\n^]/g)) {
      if (up !== undefined) row = row - Number(up);
      else if (part === "^[J") lines.splice(row, lines.length, "");
      else if (part === "\n") lines[++row] ??= "";
      else {
        if (lines[row]!.length === columns) lines[++row] = "";
        lines[row] += part;
      }
      if (row < 0 || row < lines.length - rows) throw new Error("above the first row");
    }
  };
  return { screen: createScreen(write, () => ({ rows, columns })), lines, writes };
}

describe("the screen of an explanation", () => {
  it("writes only from the first different line on", () => {
    const { screen, lines, writes } = terminal(24, 80);
    screen.preview("error\nwhy\nnot proved yet\n");
    screen.finish("error\nwhy\nproved\n");
    expect(lines).toEqual(["error", "why", "proved", ""]);
    expect(writes[1]).toBe("\x1b[1A\x1b[Jproved\n");
  });

  it("replaces lines that the terminal wraps", () => {
    const { screen, lines } = terminal(24, 4);
    screen.preview("a\n123456789\n");
    screen.finish("b\nc\n");
    expect(lines).toEqual(["b", "c", ""]);
  });

  it("removes lines that are gone, and adds nothing to an equal text", () => {
    const { screen, lines, writes } = terminal(24, 80);
    screen.preview("a\nb\nc\n");
    screen.preview("a\nb\nc\n");
    screen.finish("a\n");
    expect(lines).toEqual(["a", ""]);
    expect(writes[1]).toBe("");
  });

  it("previews only what it can replace, and prints all at the end", () => {
    const { screen, lines } = terminal(5, 80);
    screen.preview("1\n2\n3\n4\n5\n6\n");
    expect(lines).toEqual(["1", "2", "3", ""]);
    screen.finish("0\n2\n3\n4\n5\n6\n");
    expect(lines).toEqual(["0", "2", "3", "4", "5", "6", ""]);
  });
});
