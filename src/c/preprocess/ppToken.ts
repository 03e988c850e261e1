import type { SourceRange } from "../../base/sourceRange.ts";
import { endOf, kindOf, plainPunctuator, scanToken, skipBlank, TokenKind } from "./scanToken.ts";
import type { SplicedFile } from "./splicedFile.ts";

/** The outermost macro invocation that a token comes from. Its end grows when arguments are read behind its name. */
export type MacroInvocation = { readonly source: SplicedFile; readonly start: number; end: number };

/** A preprocessing token with its place. Offsets are those of `source.text`. */
export type PpToken = {
  readonly kind: TokenKind;
  readonly text: string;
  readonly source: SplicedFile;
  readonly start: number;
  readonly end: number;
  /** White space stands in front of it: what `#` and the comparison of macro definitions look at. */
  readonly space: boolean;
  /** The name of a macro that was met inside its own expansion: never expanded again. */
  readonly painted: boolean;
  readonly invocation: MacroInvocation | null;
  /** Spelled in a macro's definition (or made by `#` and `##`), so it has no place of its own in the program. */
  readonly fromBody: boolean;
};

/** The token at `at`, which is not blank. */
export function readPpToken(source: SplicedFile, at: number, space: boolean): PpToken {
  const packed = scanToken(source.text, at);
  const kind = kindOf(packed);
  const end = endOf(packed);
  const spelled = source.text.slice(at, end);
  const text = kind === TokenKind.punctuator ? plainPunctuator(spelled) : spelled;
  return { kind, text, source, start: at, end, space, painted: false, invocation: null, fromBody: false };
}

/** The tokens from `at` to the end of the line, and the offset of that end. */
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

/** The place that the user sees: the token's own, or the invocation of the macro that made it. */
export function rangeOfPpToken(token: PpToken): SourceRange {
  const place = token.fromBody && token.invocation !== null ? token.invocation : token;
  return place.source.rangeOf(place.start, place.end);
}

/** The tokens as they would be written: a single space where there was any. */
export function spell(tokens: readonly PpToken[]): string {
  return tokens.map((token, index) => (token.space && index > 0 ? ` ${token.text}` : token.text)).join("");
}
