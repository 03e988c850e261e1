/**
 * An incremental reader of JSON for files that do not fit in memory: bytes go in chunk by chunk, events come out. It
 * accepts JSON (RFC 8259) and nothing else, except that it does not look inside texts that nobody wants, and knows the
 * place of every error. Written here rather than taken from a package: skipping, places and constant memory are all that
 * is asked of it, and the packages at hand have at most two of the three.
 */
export type JsonHandler = {
  openObject(): void;
  openArray(): void;
  /** An object or array ends. */
  close(): void;
  key(name: string): void;
  string(text: string): void;
  /** A number as written, or `true`, `false`, `null`. */
  literal(text: string): void;
  /** Whether the next string or literal will be looked at; if not, it is not decoded and not handed out. */
  wanted(): boolean;
};

export type JsonPlace = { readonly offset: number; readonly line: number; readonly column: number };

export type JsonTokenizer = {
  write(chunk: Uint8Array): void;
  /** Fails where the text is not complete. */
  end(): void;
  place(): JsonPlace;
};

/** Keys, strings and numbers longer than this are refused: nothing that a person or tool means is that long. */
const MOST_TOKEN_BYTES = 64 * 1024 * 1024;

/** Size of the table of texts seen before (a power of two), and the longest text in it. */
const KEPT_TEXTS = 2048;
const MOST_KEPT_LENGTH = 64;

/** What the grammar allows next. */
const next = {
  value: 0,
  firstValue: 1,
  key: 2,
  firstKey: 3,
  colon: 4,
  comma: 5,
  done: 6,
} as const;

type Expectation = (typeof next)[keyof typeof next];

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;

/** One closure: the functions of a state machine, which read and move the same position for every byte of the file. */
export function createJsonTokenizer(
  handler: JsonHandler,
  fail: (problem: string, place: JsonPlace) => never,
): JsonTokenizer {
  /** Per open container: true for an object. */
  const open: boolean[] = [];
  let expected: Expectation = next.value;
  let buffer: Buffer = Buffer.alloc(0);
  let position = 0;
  /** Offset of the buffer in the file, and of the first byte of the current line. */
  let base = 0;
  let line = 1;
  let lineStart = 0;
  const texts: (string | undefined)[] = new Array(KEPT_TEXTS).fill(undefined);
  /** Where the search for the end of an unfinished token goes on. */
  let searched = 0;

  return { write, end, place: () => placeAt(position) };

  function placeAt(at: number): JsonPlace {
    const offset = base + at;
    return { offset, line, column: offset - lineStart + 1 };
  }

  function write(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const rest = buffer.subarray(position);
    if (rest.length > MOST_TOKEN_BYTES) fail("a text or number without end", placeAt(position));
    base += position;
    searched = Math.max(0, searched - position);
    buffer = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    position = 0;
    if (base === 0 && buffer.length >= 3 && buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf)
      position = 3;
    scan(false);
  }

  function end(): void {
    scan(true);
    if (expected !== next.done) fail("the file ends too early", placeAt(buffer.length));
  }

  /** Reads tokens until the buffer has no complete one left. */
  function scan(atEnd: boolean): void {
    const bytes = buffer;
    const length = bytes.length;
    for (;;) {
      while (position < length) {
        const c = bytes[position]!;
        if (c === NEWLINE) {
          line++;
          lineStart = base + position + 1;
        } else if (c !== 0x20 && c !== 0x0d && c !== 0x09) break;
        position++;
      }
      if (position >= length) return;
      if (!token(bytes[position]!, atEnd)) return;
    }
  }

  /** Takes one token; false where it is not complete yet. */
  function token(c: number, atEnd: boolean): boolean {
    switch (expected) {
      case next.firstKey:
      case next.key:
        if (c === 0x7d && expected === next.firstKey) return close(true);
        if (c !== QUOTE) return fail("a key in quotation marks is missing", placeAt(position));
        return string(true, atEnd);
      case next.colon:
        if (c !== 0x3a) return fail("':' is missing", placeAt(position));
        position++;
        expected = next.value;
        return true;
      case next.comma: {
        const inObject = open.at(-1)!;
        if (c === 0x2c) {
          position++;
          expected = inObject ? next.key : next.value;
          return true;
        }
        if (c === (inObject ? 0x7d : 0x5d)) return close(inObject);
        return fail(`',' or '${inObject ? "}" : "]"}' is missing`, placeAt(position));
      }
      case next.done:
        return fail("there is text behind the end", placeAt(position));
      default:
        return value(c, atEnd);
    }
  }

  function value(c: number, atEnd: boolean): boolean {
    if (c === QUOTE) return string(false, atEnd);
    if (c === 0x7b || c === 0x5b) {
      position++;
      open.push(c === 0x7b);
      expected = c === 0x7b ? next.firstKey : next.firstValue;
      if (c === 0x7b) handler.openObject();
      else handler.openArray();
      return true;
    }
    if (c === 0x5d && expected === next.firstValue) return close(false);
    return literal(atEnd);
  }

  function close(isObject: boolean): boolean {
    position++;
    if (open.pop() !== isObject) return fail("a bracket does not match", placeAt(position - 1));
    handler.close();
    valueEnded();
    return true;
  }

  function valueEnded(): void {
    expected = open.length === 0 ? next.done : next.comma;
  }

  function string(isKey: boolean, atEnd: boolean): boolean {
    const bytes = buffer;
    let from = Math.max(position + 1, searched);
    let quote: number;
    for (;;) {
      quote = bytes.indexOf(QUOTE, from);
      if (quote < 0) {
        if (atEnd) return fail("a text does not end", placeAt(position));
        searched = bytes.length;
        return false;
      }
      if (!isEscaped(bytes, quote, position)) break;
      from = quote + 1;
    }
    searched = 0;
    if (isKey || handler.wanted()) {
      const text = decode(bytes, position, quote + 1);
      if (isKey) handler.key(text);
      else handler.string(text);
    }
    position = quote + 1;
    if (isKey) expected = next.colon;
    else valueEnded();
    return true;
  }

  /**
   * Most texts are short, ASCII and seen before (keys, kinds of step, file names): those come from a table without a new
   * string being made.
   */
  function decode(bytes: Buffer, start: number, stop: number): string {
    const [first, last] = [start + 1, stop - 1];
    let hash = 0;
    for (let i = first; i < last; i++) {
      const c = bytes[i]!;
      if (c < 0x20 || c === BACKSLASH || c >= 0x80) return decodeAny(bytes, start, stop);
      hash = (Math.imul(hash, 31) + c) | 0;
    }
    if (last - first > MOST_KEPT_LENGTH) return bytes.toString("latin1", first, last);
    const slot = hash & (KEPT_TEXTS - 1);
    const kept = texts[slot];
    if (kept !== undefined && isText(kept, bytes, first, last)) return kept;
    const text = bytes.toString("latin1", first, last);
    texts[slot] = text;
    return text;
  }

  function decodeAny(bytes: Buffer, start: number, stop: number): string {
    try {
      return JSON.parse(bytes.toString("utf8", start, stop)) as string;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return fail("a text has a control character or an unknown escape", placeAt(start));
    }
  }

  function literal(atEnd: boolean): boolean {
    const bytes = buffer;
    let stop = Math.max(position, searched);
    while (stop < bytes.length && isLiteralByte(bytes[stop]!)) stop++;
    if (stop === bytes.length && !atEnd) {
      searched = stop;
      return false;
    }
    searched = 0;
    const text = bytes.toString("latin1", position, stop);
    if (!/^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/.test(text)) {
      return fail(`a value is missing${text === "" ? "" : `, not ${text.slice(0, 20)}`}`, placeAt(position));
    }
    if (handler.wanted()) handler.literal(text);
    position = stop;
    valueEnded();
    return true;
  }
}

function isLiteralByte(c: number): boolean {
  return (
    (c >= 0x30 && c <= 0x39) ||
    (c >= 0x61 && c <= 0x7a) ||
    (c >= 0x41 && c <= 0x5a) ||
    c === 0x2d ||
    c === 0x2b ||
    c === 0x2e
  );
}

/** An odd number of backslashes stands before the quotation mark. */
function isEscaped(bytes: Buffer, quote: number, start: number): boolean {
  let i = quote - 1;
  while (i > start && bytes[i] === BACKSLASH) i--;
  return (quote - 1 - i) % 2 === 1;
}

function isText(text: string, bytes: Buffer, first: number, last: number): boolean {
  if (text.length !== last - first) return false;
  for (let i = first; i < last; i++) if (text.charCodeAt(i - first) !== bytes[i]) return false;
  return true;
}
