/** Where two texts begin to differ, by lines. */
export type Difference = {
  /** Of the first byte that differs; both count from 1, columns in characters. */
  readonly line: number;
  readonly column: number;
  /** The line of either text, quoted; null where it has ended before. */
  readonly expected: string | null;
  readonly found: string | null;
};

/** What is shown of a line on either side of the difference. */
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

/** With its end, where that is what differs. */
function lineAt(text: Uint8Array, start: number, offset: number): string | null {
  if (start >= text.length) return null;
  const newline = text.indexOf(10, start);
  const isEnd = newline === -1 || newline <= offset;
  const end = newline === -1 ? text.length : isEnd ? newline + 1 : newline;
  const from = Math.max(start, offset - longest);
  const to = Math.min(end, offset + longest);
  return `"${from > start ? "…" : ""}${escaped(textOf(text.subarray(from, to)))}${to < end ? "…" : ""}"`;
}

/** UTF-8 where it is that, else byte by byte. */
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
