import { contentOf, fileContent } from "../c/library/files.ts";
import type { LibraryState } from "../c/library/host.ts";
import type { Stream } from "../c/library/stdio/streams.ts";

/** The expected output, files and exit code; any difference is a failure. Absent fields may be anything. */
export type Expected = {
  readonly stdout?: Uint8Array;
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
      readonly difference: Difference;
    }
  | { readonly kind: "wrong-exit"; readonly code: number; readonly expected: number };

/** Thrown by the call that printed a byte other than the expected one. */
export class WrongOutput extends Error {
  readonly site: number;
  readonly offset: number;

  constructor(site: number, offset: number) {
    super("wrong output");
    this.site = site;
    this.offset = offset;
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
  const offset = firstDifference(expected.stdout.subarray(at, at + bytes.length), bytes);
  if (offset === null) return;
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const error = new WrongOutput(site, at + offset);
  Error.stackTraceLimit = limit;
  throw error;
}

export function outputDiffers(expected: Expected, state: LibraryState, offset: number): Unmet {
  const { stdout } = state.streams;
  const printed = stdout.mode.seeks ? new Uint8Array(0) : contentOf(stdout.content);
  const difference = differenceAt(expected.stdout ?? new Uint8Array(0), printed, offset);
  return { kind: "wrong-output", stream: "stdout", offset, difference };
}

/** What is missing at the end of a run that printed nothing wrong; null if nothing is. */
export function unmetAtEnd(expected: Expected | null, state: LibraryState, code: number): Unmet | null {
  if (expected === null) return null;
  const { stdout } = state.streams;
  const printed = stdout.mode.seeks ? 0 : stdout.position;
  if (expected.stdout !== undefined && printed < expected.stdout.length) {
    return outputDiffers(expected, state, printed);
  }
  for (const { name, content } of expected.files ?? []) {
    const found = fileContent(state.files, name);
    const present = found === null ? new Uint8Array(0) : contentOf(found);
    const offset = firstDifference(content, present) ?? (found === null ? 0 : null);
    if (offset === null) continue;
    return { kind: "wrong-output", stream: name, offset, difference: differenceAt(content, present, offset) };
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
};

/** Characters of a line shown on either side of the difference. */
const longest = 60;

export function differenceAt(expected: Uint8Array, found: Uint8Array, offset: number): Difference {
  const before = expected.subarray(0, offset);
  const start = before.lastIndexOf(10) + 1;
  let line = 1;
  for (const byte of before) if (byte === 10) line++;
  return {
    line,
    column: textOf(expected.subarray(start, offset)).length + 1,
    expected: lineAt(expected, start, offset),
    found: lineAt(found, start, offset),
  };
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
