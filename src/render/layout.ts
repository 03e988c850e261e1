import { lineCount, lineOf } from "../base/sourceFile.ts";
import type { SourceRange } from "../base/sourceRange.ts";

/** Functions that style text; identities without a terminal. */
export type Paint = {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
};

const same = (text: string) => text;
export const plain: Paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

/** The width at which formulas are broken. */
export const WIDTH = 100;

/** Line numbers to the left of quoted lines: `  12 | i = 0`. */
export type Gutter = {
  readonly width: number;
  numbered(line: number, content: string): string;
  /** A less important quoted line: `  12 : i = 0`. */
  aside(line: number, content: string): string;
  blank(content: string): string;
};

export function createGutter(lines: readonly number[], paint: Paint): Gutter {
  const digits = `${lines.reduce((a, b) => Math.max(a, b), 1)}`.length;
  const row = (number: string, content: string, bar = "|") =>
    `  ${paint.dim(`${number.padStart(digits)} ${bar}`)} ${content}`.trimEnd();
  return {
    width: digits + 5,
    numbered: (line, content) => row(`${line}`, content),
    aside: (line, content) => row(`${line}`, paint.dim(content), ":"),
    blank: (content) => row("", content),
  };
}

export function breakConjunction(conjuncts: readonly string[], width: number): string[] {
  const whole = conjuncts.join(" && ");
  if (whole.length <= width) return [whole || "true"];
  const lines: string[] = [];
  for (const part of conjuncts) {
    const last = lines.at(-1);
    const text = lines.length === 0 ? part : `&& ${part}`;
    if (last !== undefined && last.length + 1 + text.length <= width) lines[lines.length - 1] = `${last} ${text}`;
    else lines.push(text);
  }
  return lines;
}

/** Matches a terminal colour. */
const colour = new RegExp(`(${String.fromCharCode(27)}\\[[\\d;]*m)`);

/** Breaks a long line between words; the continuation has the same gutter. */
export function brokenLine(line: string): readonly string[] {
  const parts = line.split(colour);
  const visible = parts.filter((_, i) => i % 2 === 0).join("");
  if (visible.length <= WIDTH) return [line];
  const head = /^ *\d* [|:] +/.exec(visible)?.[0];
  const indent = head === undefined ? "  " : `${head.replace(/\d/g, " ").slice(0, mostIndent)}    `;
  const at = visible.lastIndexOf(" ", WIDTH);
  if (at <= indent.length) return [line];
  let [seen, cut] = [0, 0];
  for (const [i, part] of parts.entries()) {
    const isText = i % 2 === 0;
    if (isText && seen + part.length >= at) {
      cut += at - seen;
      break;
    }
    cut += part.length;
    seen += isText ? part.length : 0;
  }
  return [line.slice(0, cut).trimEnd(), ...brokenLine(`${indent}${line.slice(cut).trimStart()}`)];
}

const mostIndent = 40;

/** The number of lines that are shown of a long range. */
const MOST_LINES = 4;

/**
 * The source lines of a range with what it covers underlined:
 *
 *   15 |   assert(sent == received);
 *      |   ^^^^^^^^^^^^^^^^^^^^^^^^
 */
export function excerpt(text: string, range: SourceRange): string[] {
  const file = { text };
  const last = Math.min(range.endLine, range.line + MOST_LINES - 1, lineCount(file));
  const width = `${last}`.length;
  const result: string[] = [];
  for (let number = range.line; number <= last; number++) {
    const line = lineOf(file, number) ?? "";
    const from = number === range.line ? range.column - 1 : line.length - line.trimStart().length;
    const to = number === range.endLine ? range.endColumn - 1 : line.length;
    result.push(`${`${number}`.padStart(width)} | ${line}`.trimEnd());
    result.push(`${" ".repeat(width)} | ${margin(line, from)}${"^".repeat(Math.max(1, to - from))}`);
  }
  if (result.length > 0 && last < range.endLine) result.push(`${" ".repeat(width)} | …`);
  return result;
}

/** White space of the same width as the start of the line, with its tabs. */
function margin(line: string, columns: number): string {
  return line.slice(0, columns).replaceAll(/[^\t]/g, " ").padEnd(columns);
}

/** Breaks a text between words into lines of the screen's width. */
export function wrapped(text: string, indent: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : " ".repeat(indent) + word);
  }
  return lines;
}

export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`;
}
