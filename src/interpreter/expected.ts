import { contentOf, fileContent } from "../c/library/files.ts";
import type { LibraryState } from "../c/library/host.ts";
import type { Stream } from "../c/library/stdio/streams.ts";

/** The expected output, files and exit code; any difference is a failure. Absent fields may be anything. */
export type Expected = {
  readonly stdout?: Uint8Array;
  /** `tokens`: all white space in standard output is the same; by default every byte counts. */
  readonly compares?: "bytes" | "tokens";
  readonly exit?: number;
  readonly files?: readonly ExpectedFile[];
};

export type ExpectedFile = { readonly name: string; readonly content: Uint8Array };

/** How a run that ended on its own differs from the expectation. */
export type Unmet =
  | {
      readonly kind: "wrong-output";
      /** `stdout`, or the name of a file. */
      readonly stream: string;
      /** The first differing byte; the shorter text may end there. */
      readonly offset: number;
      /** The byte to ask about: for `1 solutions` instead of `10 solutions` the 1, not the blank behind it. */
      readonly blamed: number;
      readonly difference: Difference;
    }
  | { readonly kind: "wrong-exit"; readonly code: number; readonly expected: number };

/** Thrown by the call that printed a byte other than the expected one. */
export class WrongOutput extends Error {
  readonly site: number;
  /** The offset of the first wrong byte in the printed text, and in the expected one. */
  readonly printed: number;
  readonly expected: number;

  constructor(site: number, printed: number, expected: number) {
    super("wrong output");
    this.site = site;
    this.printed = printed;
    this.expected = expected;
  }
}

/** Ends the run if a printed byte differs from the expected one. */
export function checkPrinted(
  expected: Expected | null,
  state: LibraryState,
  stream: Stream,
  at: number,
  bytes: Uint8Array,
  site: number,
): void {
  if (expected?.stdout === undefined || stream !== state.streams.stdout || stream.mode.seeks) return;
  const offset =
    expected.compares === "tokens"
      ? firstWrongToken(expected.stdout, state, bytes)
      : firstDifference(expected.stdout.subarray(at, at + bytes.length), bytes);
  if (offset === null) return;
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const error = new WrongOutput(site, at + offset, expected.compares === "tokens" ? state.matched : at + offset);
  Error.stackTraceLimit = limit;
  throw error;
}

export function isBlank(byte: number | undefined): boolean {
  return byte === 32 || (byte !== undefined && byte >= 9 && byte <= 13);
}

/** Compares further printed bytes with the expected text; `state.matched` is the offset of the next expected byte. */
function firstWrongToken(expected: Uint8Array, state: LibraryState, bytes: Uint8Array): number | null {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (isBlank(byte)) {
      const isCut = state.insideToken && state.matched < expected.length && !isBlank(expected[state.matched]);
      if (isCut) return i;
      state.insideToken = false;
      continue;
    }
    if (!state.insideToken) while (isBlank(expected[state.matched])) state.matched++;
    if (expected[state.matched] !== byte) return i;
    state.insideToken = true;
    state.matched++;
  }
  return null;
}

export function outputDiffers(
  expected: Expected,
  state: LibraryState,
  at: { readonly printed: number; readonly expected: number },
): Unmet {
  const { stdout } = state.streams;
  const printed = stdout.mode.seeks ? new Uint8Array(0) : contentOf(stdout.content);
  const wanted = expected.stdout ?? new Uint8Array(0);
  const difference = differenceAt(wanted, printed, at.expected, at.printed);
  const blamed = blamedByte(printed, at.printed, wanted[at.expected]);
  return { kind: "wrong-output", stream: "stdout", offset: at.printed, blamed, difference };
}

/** A word that ends too early is wrong itself; what stands behind it is not. */
function blamedByte(printed: Uint8Array, at: number, wanted: number | undefined): number {
  return isOfWord(printed[at - 1]) && !isOfWord(printed[at]) && isOfWord(wanted) ? at - 1 : at;
}

function isOfWord(byte: number | undefined): boolean {
  return byte !== undefined && /[\w.]/.test(String.fromCharCode(byte));
}

/** The offset of the first expected byte that was not printed; null if nothing is missing. */
function missingOutput({ stdout: text, compares }: Expected, state: LibraryState, printed: number): number | null {
  if (text === undefined) return null;
  if (compares !== "tokens") return printed < text.length ? printed : null;
  let at = state.matched;
  while (isBlank(text[at])) at++;
  return at < text.length ? at : null;
}

/** What is missing at the end of a run that printed nothing wrong; null if nothing is. */
export function unmetAtEnd(expected: Expected | null, state: LibraryState, code: number): Unmet | null {
  if (expected === null) return null;
  const { stdout } = state.streams;
  const printed = stdout.mode.seeks ? 0 : stdout.position;
  const missing = missingOutput(expected, state, printed);
  if (missing !== null) return outputDiffers(expected, state, { printed, expected: missing });
  for (const { name, content } of expected.files ?? []) {
    const found = fileContent(state.files, name);
    const present = found === null ? new Uint8Array(0) : contentOf(found);
    const offset = firstDifference(content, present) ?? (found === null ? 0 : null);
    if (offset === null) continue;
    const blamed = blamedByte(present, offset, content[offset]);
    return { kind: "wrong-output", stream: name, offset, blamed, difference: differenceAt(content, present, offset) };
  }
  if (expected.exit !== undefined && expected.exit !== code) {
    return { kind: "wrong-exit", code, expected: expected.exit };
  }
  return null;
}

export function firstDifference(a: Uint8Array, b: Uint8Array): number | null {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return i;
  return a.length === b.length ? null : length;
}

/** The first difference of two texts, by line. */
export type Difference = {
  /** Position of the first differing byte, from 1; columns count characters. */
  readonly line: number;
  readonly column: number;
  /** The line of either text, quoted; null if the text has ended before. */
  readonly expected: string | null;
  readonly found: string | null;
  /** The words around the first differing bytes; null if there is none. */
  readonly words: { readonly expected: string | null; readonly found: string | null };
};

const numeral = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** True if both words are one number in different forms: `1.000000` and `1`. */
export function isSameNumber(expected: string | null, found: string | null): boolean {
  return [expected, found].every((word) => numeral.test(word ?? "")) && Number(expected) === Number(found);
}

/** Characters of a line shown on either side of the difference. */
const longest = 60;

/** `offset` is in the expected text, `printed` in the found one. */
export function differenceAt(
  expected: Uint8Array,
  found: Uint8Array,
  offset: number,
  printed: number = offset,
): Difference {
  const before = expected.subarray(0, offset);
  const start = before.lastIndexOf(10) + 1;
  let line = 1;
  for (const byte of before) if (byte === 10) line++;
  return {
    line,
    column: textOf(expected.subarray(start, offset)).length + 1,
    expected: lineAt(expected, start, offset),
    found: lineAt(found, printed === offset ? start : found.subarray(0, printed).lastIndexOf(10) + 1, printed),
    words: { expected: wordAt(expected, offset), found: wordAt(found, printed) },
  };
}

/** The word that a byte belongs to, or that ends before it. */
function wordAt(text: Uint8Array, offset: number): string | null {
  let [start, end] = [offset, offset];
  while (start > 0 && !isBlank(text[start - 1])) start--;
  while (end < text.length && !isBlank(text[end])) end++;
  return start === end ? null : textOf(text.subarray(start, end));
}

/** Includes the line end if that is what differs. */
function lineAt(text: Uint8Array, start: number, offset: number): string | null {
  if (start >= text.length) return null;
  const newline = text.indexOf(10, start);
  const isEnd = newline === -1 || newline <= offset;
  const end = newline === -1 ? text.length : isEnd ? newline + 1 : newline;
  const from = Math.max(start, offset - longest);
  const to = Math.min(end, offset + longest);
  return `"${from > start ? "…" : ""}${escaped(textOf(text.subarray(from, to)))}${to < end ? "…" : ""}"`;
}

/** Decodes UTF-8 if valid, else byte by byte. */
function textOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString("utf8");
  return text.includes("\ufffd") ? Buffer.from(bytes).toString("latin1") : text;
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\" };

function escaped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f"\\]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(2, "0");
    return escapes[character] ?? `\\x${code}`;
  });
}
