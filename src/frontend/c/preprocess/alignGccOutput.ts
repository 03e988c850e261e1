import { lastAtOrBefore, offsetOf, rangeBetweenOffsets } from "../../../base/sourceFile.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import { endOf, kindOf, scanToken, skipBlank, TokenKind } from "./scanToken.ts";

type LineMap = (start: number, end: number) => SourceRange;

/** Tokens of the output with the place of each, as parallel arrays. */
type Aligned = { readonly starts: number[]; readonly places: { map: LineMap; start: number; end: number }[] };

type Span = { readonly text: string; readonly start: number; readonly end: number };

/** The text between two line markers: some lines of one file. */
type Section = { readonly file: string; readonly line: number; readonly start: number; readonly end: number };

const MARKER = /^# (\d+) "((?:[^"\\]|\\.)*)"[ 0-9]*$/gm;

/**
 * gcc says from which line a stretch of its output comes, not from which column. Within each line the tokens that are
 * equal from the front and from the back are matched; what is left in the middle comes from the macros in the middle.
 */
export function alignGccOutput(
  output: string,
  read: (path: string) => string | null,
): { text: string; rangeOf: (start: number, end: number) => SourceRange } {
  const aligned: Aligned = { starts: [], places: [] };
  const files = new Map<string, { map: LineMap; text: string } | null>();
  const open = (path: string) => {
    const known = files.get(path);
    if (known !== undefined) return known;
    const content = path.startsWith("<") || path.startsWith("/usr/") ? null : read(path);
    const source = content === null ? null : { path, text: content };
    const file =
      source === null
        ? null
        : { ...source, map: (start: number, end: number) => rangeBetweenOffsets(source, start, end) };
    files.set(path, file);
    return file;
  };
  for (const section of sections(output)) {
    const file = open(section.file);
    const outputLines = splitLines(output, section);
    outputLines.forEach((span, index) => {
      const tokens = tokensOf(output, span.start, span.end);
      if (tokens.length === 0) return;
      const line = section.line + index;
      if (file === null) {
        const range = { file: section.file, line, column: 1, endLine: line, endColumn: 1 };
        for (const token of tokens) {
          aligned.starts.push(token.start);
          aligned.places.push({ map: () => range, start: 0, end: 0 });
        }
        return;
      }
      // A macro call over several lines comes out on its first line, and empty lines follow.
      let last = index + 1;
      while (last < outputLines.length && output.slice(outputLines[last]!.start, outputLines[last]!.end).trim() === "")
        last++;
      const from = offsetOf(file, line, 1);
      const to = offsetOf(file, section.line + last, 1);
      const source = tokensOf(file.text, from, to);
      align(tokens, source, from).forEach(({ start, end }, position) => {
        aligned.starts.push(tokens[position]!.start);
        aligned.places.push({ map: file.map, start, end });
      });
    });
  }
  const text = output.replace(/^#[^\n]*/gm, (line) => " ".repeat(line.length));
  return { text, rangeOf: (start, end) => rangeOf(aligned, start, end) };
}

function sections(output: string): Section[] {
  const found: Section[] = [];
  let open: { file: string; line: number; start: number } | null = null;
  for (const match of output.matchAll(MARKER)) {
    if (open !== null) found.push({ ...open, end: match.index });
    open = {
      line: Number(match[1]),
      file: match[2]!.replace(/\\(.)/g, "$1"),
      start: match.index + match[0].length + 1,
    };
  }
  if (open !== null) found.push({ ...open, end: output.length });
  return found;
}

function splitLines(text: string, section: Section): { start: number; end: number }[] {
  const lines: { start: number; end: number }[] = [];
  for (let start = section.start; start < section.end; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 || newline > section.end ? section.end : newline;
    lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

function tokensOf(text: string, from: number, to: number): Span[] {
  const tokens: Span[] = [];
  for (let at = skipBlank(text, from, false); at < to; ) {
    const packed = scanToken(text, at);
    const end = endOf(packed);
    if (kindOf(packed) !== TokenKind.end) tokens.push({ text: text.slice(at, end), start: at, end });
    at = skipBlank(text, end, false);
  }
  return tokens;
}

function align(tokens: readonly Span[], source: readonly Span[], fallback: number): { start: number; end: number }[] {
  const shorter = Math.min(tokens.length, source.length);
  let front = 0;
  while (front < shorter && tokens[front]!.text === source[front]!.text) front++;
  let back = 0;
  while (back < shorter - front && tokens[tokens.length - 1 - back]!.text === source[source.length - 1 - back]!.text)
    back++;
  const first = source[front];
  const last = source[source.length - 1 - back];
  const middle =
    first !== undefined && last !== undefined && last.end >= first.start
      ? { start: first.start, end: last.end }
      : { start: last?.end ?? first?.start ?? fallback, end: last?.end ?? first?.start ?? fallback };
  return tokens.map((_, index) => {
    if (index < front) return source[index]!;
    const fromEnd = tokens.length - index;
    return fromEnd <= back ? source[source.length - fromEnd]! : middle;
  });
}

function rangeOf(aligned: Aligned, start: number, end: number): SourceRange {
  const first = findToken(aligned.starts, start);
  const place = aligned.places[first];
  if (place === undefined) return { file: "", line: 1, column: 1, endLine: 1, endColumn: 1 };
  if (end <= start) {
    const at = start <= aligned.starts[first]! ? place.start : place.end;
    return place.map(at, at);
  }
  const last = aligned.places[Math.max(first, findToken(aligned.starts, end - 1))]!;
  if (last.map !== place.map || last.end < place.start) return place.map(place.start, place.end);
  return place.map(place.start, Math.max(last.end, place.end));
}

/** The token at an offset; the first one for what stands before it. */
function findToken(starts: readonly number[], offset: number): number {
  return Math.max(0, lastAtOrBefore(starts, offset));
}
