/** Lexical scanning of C, shared by preprocessor and parser. Works on UTF-16 offsets and keeps no state. */

export const TokenKind = {
  end: 0,
  identifier: 1,
  /** A preprocessing number; it may not be a C number. */
  number: 2,
  character: 3,
  string: 4,
  punctuator: 5,
  /** A character that starts no token, or an unterminated literal up to the end of its line. */
  other: 6,
} as const;
export type TokenKind = (typeof TokenKind)[keyof typeof TokenKind];

const KIND_BASE = 8;

/** Scans the token at `at` (not a space). `kind` and `end` are packed into one number, see `kindOf` and `endOf`. */
export function scanToken(text: string, at: number): number {
  const c = text.charCodeAt(at);
  if (isIdentifierStart(c) || isUniversalName(text, at)) return scanWord(text, at);
  if (isDigit(c) || (c === DOT && isDigit(text.charCodeAt(at + 1))))
    return pack(TokenKind.number, scanNumber(text, at));
  if (c === QUOTE || c === APOSTROPHE) return scanLiteral(text, at);
  const length = punctuatorLength(text, at, c);
  return length > 0 ? pack(TokenKind.punctuator, at + length) : pack(TokenKind.other, at + 1);
}

export function kindOf(packed: number): TokenKind {
  return (packed % KIND_BASE) as TokenKind;
}

export function endOf(packed: number): number {
  return Math.floor(packed / KIND_BASE);
}

/** The offset of the next token (or newline, if `stopAtNewline`). Skips spaces and comments, also unterminated ones. */
export function skipBlank(text: string, from: number, stopAtNewline: boolean): number {
  let at = from;
  for (;;) {
    const c = text.charCodeAt(at);
    if (c === NEWLINE) {
      if (stopAtNewline) return at;
      at++;
    } else if (isSpace(c)) at++;
    else if (c === SLASH && text.charCodeAt(at + 1) === STAR) {
      const close = text.indexOf("*/", at + 2);
      at = close < 0 ? text.length : close + 2;
    } else if (c === SLASH && text.charCodeAt(at + 1) === SLASH) {
      at = endOfLine(text, at);
    } else if (c === BACKSLASH && isSplice(text, at)) at++;
    else return at;
  }
}

/** The offset of the newline that ends this line (spliced lines count as one), or the end of the text. */
function endOfLine(text: string, from: number): number {
  let at = from;
  for (;;) {
    const newline = text.indexOf("\n", at);
    if (newline < 0) return text.length;
    const before = text.charCodeAt(newline - 1) === RETURN ? newline - 2 : newline - 1;
    if (before < from || text.charCodeAt(before) !== BACKSLASH) return newline;
    at = newline + 1;
  }
}

export function isIdentifierStart(c: number): boolean {
  return (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95 || c === 36 || (c >= 0x80 && !isSpace(c));
}

function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}

/** All spaces but the newline: also NBSP, the byte order mark and Unicode spaces. */
function isSpace(c: number): boolean {
  return (
    c === 32 ||
    c === 9 ||
    c === RETURN ||
    c === 11 ||
    c === 12 ||
    c === 0xa0 ||
    c === 0xfeff ||
    (c >= 0x2000 && c <= 0x200b) ||
    c === 0x202f ||
    c === 0x3000
  );
}

const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;
const PERCENT = 37;
const APOSTROPHE = 39;
const STAR = 42;
const DOT = 46;
const SLASH = 47;
const COLON = 58;
const BACKSLASH = 92;

function pack(kind: TokenKind, end: number): number {
  return end * KIND_BASE + kind;
}

function isSplice(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return next === NEWLINE || (next === RETURN && text.charCodeAt(at + 2) === NEWLINE);
}

function isUniversalName(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== BACKSLASH) return false;
  const next = text.charCodeAt(at + 1);
  return next === 117 || next === 85;
}

function scanWord(text: string, at: number): number {
  let end = at;
  for (;;) {
    const c = text.charCodeAt(end);
    if (isIdentifierStart(c) || isDigit(c)) end++;
    else if (isUniversalName(text, end)) end += 2;
    else break;
  }
  const next = text.charCodeAt(end);
  if ((next === QUOTE || next === APOSTROPHE) && isLiteralPrefix(text, at, end)) return scanLiteral(text, end);
  return pack(TokenKind.identifier, end);
}

function isLiteralPrefix(text: string, at: number, end: number): boolean {
  if (end - at > 2) return false;
  const word = text.slice(at, end);
  return word === "L" || word === "u" || word === "U" || word === "u8";
}

function scanNumber(text: string, at: number): number {
  let end = at + 1;
  for (;;) {
    const c = text.charCodeAt(end);
    if (c === 43 || c === 45) {
      // A sign continues the number only after an exponent letter.
      const before = text.charCodeAt(end - 1) | 32;
      if (before !== 101 && before !== 112) return end;
      end++;
    } else if (isIdentifierStart(c) || isDigit(c) || c === DOT) end++;
    else return end;
  }
}

function scanLiteral(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  let end = at + 1;
  for (;;) {
    const c = text.charCodeAt(end);
    if (c === quote) return pack(quote === QUOTE ? TokenKind.string : TokenKind.character, end + 1);
    if (c === BACKSLASH) end += text.charCodeAt(end + 1) === RETURN ? 3 : 2;
    else if (c === NEWLINE || Number.isNaN(c)) return pack(TokenKind.other, Math.min(end, text.length));
    else end++;
  }
}

const PUNCTUATORS = new Set(
  "[ ] ( ) { } . -> ++ -- & * + - ~ ! / % << >> < > <= >= == != ^ | && || ? : ; ... = *= /= %= += -= <<= >>= &= ^= |= , # ##"
    .split(" ")
    .concat(["<:", ":>", "<%", "%>", "%:", "%:%:"]),
);

function punctuatorLength(text: string, at: number, c: number): number {
  // The common single-character punctuators never start a longer one.
  if (c === 40 || c === 41 || c === 59 || c === 44 || c === 123 || c === 125 || c === 91 || c === 93) return 1;
  if ((c === PERCENT || c === COLON) && text.startsWith("%:%:", at)) return 4;
  for (let length = 3; length > 0; length--) {
    if (at + length <= text.length && PUNCTUATORS.has(text.slice(at, at + length))) return length;
  }
  return 0;
}

/** Replaces the six digraphs by their punctuators. */
export function plainPunctuator(text: string): string {
  return DIGRAPHS.get(text) ?? text;
}

const DIGRAPHS = new Map([
  ["<:", "["],
  [":>", "]"],
  ["<%", "{"],
  ["%>", "}"],
  ["%:", "#"],
  ["%:%:", "##"],
]);
