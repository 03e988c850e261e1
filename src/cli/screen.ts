import { stripVTControlCharacters } from "node:util";
import { openOutput } from "../commands/output.ts";

/** A text on the terminal that is replaced when more is known. Lines before the first difference are not written again. */
export type TerminalScreen = {
  /** Shows as much of the text as can be replaced later. */
  preview(text: string): void;
  finish(text: string): void;
};

type Size = { readonly rows: number; readonly columns: number };

export function createScreen(
  write: (text: string) => void = openOutput(1).write,
  size: () => Size = () => ({ rows: process.stdout.rows || 24, columns: process.stdout.columns || 80 }),
): TerminalScreen {
  let shown: readonly string[] = [];
  const height = (line: string) =>
    Math.max(1, Math.ceil(stripVTControlCharacters(line).length / Math.max(1, size().columns)));
  const replace = (lines: readonly string[]) => {
    const different = lines.findIndex((line, i) => line !== shown[i]);
    const same = different === -1 ? lines.length : different;
    const up = shown.slice(same).reduce((sum, line) => sum + height(line), 0);
    const rest = lines.slice(same).map((line) => `${line}\n`);
    write(`${up === 0 ? "" : `\x1b[${up}A\x1b[J`}${rest.join("")}`);
    shown = lines;
  };
  return {
    preview(text) {
      // The terminal cannot go back above its first row. Two rows are left for the progress.
      let left = size().rows - 2;
      const lines = linesOf(text);
      const end = lines.findIndex((line) => {
        left -= height(line);
        return left < 0;
      });
      replace(end === -1 ? lines : lines.slice(0, end));
    },
    finish: (text) => replace(linesOf(text)),
  };
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, "").split("\n");
}
