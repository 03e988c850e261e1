import { TracefoldError } from "../../base/errors.ts";
import { lastAtOrBefore, rangeBetweenOffsets } from "../../base/sourceFile.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { endOf, kindOf, plainPunctuator, scanToken, skipBlank, TokenKind } from "./scanToken.ts";

/** The author of a file: the user, the compiler's authors, or Tracefold. */
export type FileOrigin = "user" | "compiler" | "builtin";

/** A file as the preprocessor reads it: a line ending in a backslash is joined with the next one. */
export type SplicedFile = {
  /** As printed in messages; `<stdio.h>` for a built-in header. */
  readonly path: string;
  readonly origin: FileOrigin;
  readonly text: string;
  /** The range in the file of `text.slice(start, end)`. */
  readonly rangeOf: (start: number, end: number) => SourceRange;
};

const SPLICE = /\\[ \t]*\r?\n/g;

export function spliceFile(path: string, text: string, origin: FileOrigin = "user"): SplicedFile {
  const file = { path, text };
  if (!text.includes("\\")) {
    return { path, origin, text, rangeOf: (start, end) => rangeBetweenOffsets(file, start, end) };
  }
  // Offsets in the joined text where something was removed, and the total removed up to there.
  const breaks: number[] = [];
  const removed: number[] = [];
  let total = 0;
  const spliced = text.replace(SPLICE, (splice, at: number) => {
    breaks.push(at - total);
    total += splice.length;
    removed.push(total);
    return "";
  });
  const toFile = (offset: number): number => offset + (removed[lastAtOrBefore(breaks, offset)] ?? 0);
  const rangeOf = (start: number, end: number): SourceRange => {
    const from = toFile(start);
    return rangeBetweenOffsets(file, from, end > start ? toFile(end - 1) + 1 : from);
  };
  return { path, origin, text: spliced, rangeOf };
}

/** The outermost macro invocation that a token comes from. Its end grows as arguments are read. */
export type MacroInvocation = { readonly source: SplicedFile; readonly start: number; end: number };

/** A preprocessing token. Offsets refer to `source.text`. */
export type PpToken = {
  readonly kind: TokenKind;
  readonly text: string;
  readonly source: SplicedFile;
  readonly start: number;
  readonly end: number;
  /** White space precedes it: `#` and the comparison of macro definitions need this. */
  readonly space: boolean;
  /** The name of a macro met inside its own expansion: never expanded again. */
  readonly painted: boolean;
  readonly invocation: MacroInvocation | null;
  /** Comes from a macro's definition (or from `#` and `##`), so it has no place of its own in the program. */
  readonly fromBody: boolean;
};

export function readPpToken(source: SplicedFile, at: number, space: boolean): PpToken {
  const packed = scanToken(source.text, at);
  const kind = kindOf(packed);
  const end = endOf(packed);
  const spelled = source.text.slice(at, end);
  const text = kind === TokenKind.punctuator ? plainPunctuator(spelled) : spelled;
  return { kind, text, source, start: at, end, space, painted: false, invocation: null, fromBody: false };
}

/** The tokens from `at` to the end of the line, and its offset. */
export function readLine(source: SplicedFile, at: number): { tokens: PpToken[]; end: number } {
  const { text } = source;
  const tokens: PpToken[] = [];
  let from = at;
  for (;;) {
    const start = skipBlank(text, from, true);
    if (start >= text.length || text.charCodeAt(start) === 10) return { tokens, end: Math.min(start, text.length) };
    const token = readPpToken(source, start, start > from);
    tokens.push(token);
    from = token.end;
  }
}

export function isPunctuator(token: PpToken | undefined, text: string): boolean {
  return token !== undefined && token.kind === TokenKind.punctuator && token.text === text;
}

export function isIdentifier(token: PpToken | undefined): token is PpToken {
  return token !== undefined && token.kind === TokenKind.identifier;
}

/** The range that the user sees: the token's own, or that of the macro invocation that made it. */
export function rangeOfPpToken(token: PpToken): SourceRange {
  const place = token.fromBody && token.invocation !== null ? token.invocation : token;
  return place.source.rangeOf(place.start, place.end);
}

/** The tokens as text, with single spaces. */
export function spell(tokens: readonly PpToken[]): string {
  return tokens.map((token, index) => (token.space && index > 0 ? ` ${token.text}` : token.text)).join("");
}

/** The tokens of a translation unit after preprocessing. The last token is the end of the file. */
export type Tokens = {
  readonly kinds: readonly TokenKind[];
  readonly texts: readonly string[];
  /** The user's range of the tokens from `first` to `last`. A macro's own tokens have the range of its invocation. */
  readonly rangeOf: (first: number, last: number) => SourceRange;
};

/** Collects the expanded tokens with their ranges. */
export type TokenList = { readonly add: (token: PpToken) => void; readonly finish: () => Tokens };

type Place = {
  readonly source: SplicedFile;
  readonly start: number;
  readonly end: number;
  readonly invocation: MacroInvocation | null;
  /** The number of tokens up to this one that come from macro bodies. */
  readonly bodies: number;
  readonly fromBody: boolean;
};

/** `path` is the file of an empty list. A stray token is an error. */
export function createTokenList(path: string): TokenList {
  const kinds: TokenKind[] = [];
  const texts: string[] = [];
  const places: Place[] = [];
  let bodies = 0;

  const add = (token: PpToken): void => {
    if (token.kind === TokenKind.other) throw strayToken(token.text, rangeOfPpToken(token));
    const { invocation, fromBody } = token;
    const { source, start, end } = fromBody && invocation !== null ? invocation : token;
    if (fromBody) bodies++;
    kinds.push(token.kind);
    texts.push(token.text);
    places.push({ source, start, end, invocation, bodies, fromBody });
  };

  const rangeOf = (first: number, last: number): SourceRange => {
    const from = places[first];
    const to = places[Math.max(first, last)] ?? places[places.length - 1];
    if (to === undefined) return { file: path, line: 1, column: 1, endLine: 1, endColumn: 1 };
    if (from !== undefined) return rangeBetweenPlaces(from, to);
    const { source, start, end } = to;
    const { file, endLine, endColumn } = source.rangeOf(start, end);
    return { file, line: endLine, column: endColumn, endLine, endColumn };
  };

  const finish = (): Tokens => ({ kinds: [...kinds, TokenKind.end], texts: [...texts, ""], rangeOf });

  return { add, finish };
}

/** Tokens that a macro takes from the user have their own ranges; otherwise the whole invocation counts. */
function rangeBetweenPlaces(first: Place, last: Place): SourceRange {
  if (first === last) return first.source.rangeOf(first.start, first.end);
  const isWritten = first.bodies === last.bodies && !first.fromBody && first.invocation === last.invocation;
  const from = isWritten ? first : (first.invocation ?? first);
  const to = isWritten ? last : (last.invocation ?? last);
  const end = from.source !== to.source || to.end <= from.start ? from.end : to.end;
  return from.source.rangeOf(from.start, end);
}

/** A token of kind `other`: a character that C does not use, or an unterminated literal. */
export function strayToken(text: string, range: SourceRange): TracefoldError {
  const word = text.trimEnd();
  const literal = /^(?:u8|[LuU])?["']/.test(word);
  const message = literal ? `the literal ${shorten(word)} is not closed on its line` : `${show(word)} is not part of C`;
  return new TracefoldError({ code: "TF102", message, range });
}

/** Long literals make unreadable messages. */
export function shorten(word: string): string {
  return word.length > 40 ? `${word.slice(0, 37)}...` : word;
}

function show(character: string): string {
  const code = character.charCodeAt(0);
  return code > 32 && code < 127 ? `'${character}'` : `the character U+${code.toString(16).padStart(4, "0")}`;
}
