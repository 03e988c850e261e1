import type { SourceRange } from "../../base/sourceRange.ts";
import { type MacroInvocation, type PpToken, rangeOfPpToken } from "./ppToken.ts";
import { TokenKind } from "./scanToken.ts";
import type { SplicedFile } from "./splicedFile.ts";
import { strayToken } from "./strayToken.ts";

/** The tokens of a translation unit: C without directives and macros. The last token is the end of the file. */
export type Tokens = {
  readonly kinds: readonly TokenKind[];
  readonly texts: readonly string[];
  /** The place in the user's files of the tokens from `first` to `last`. A macro's own tokens are at its invocation. */
  readonly rangeOf: (first: number, last: number) => SourceRange;
};

/** Collects the expanded tokens and remembers the place of each. */
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

/** `path` is the file of an empty list. A stray token cannot be part of C: it is an error. */
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

/** The tokens that one use of a macro takes from the user have their own places; otherwise the whole use counts. */
function rangeBetweenPlaces(first: Place, last: Place): SourceRange {
  if (first === last) return first.source.rangeOf(first.start, first.end);
  const isWritten = first.bodies === last.bodies && !first.fromBody && first.invocation === last.invocation;
  const from = isWritten ? first : (first.invocation ?? first);
  const to = isWritten ? last : (last.invocation ?? last);
  const end = from.source !== to.source || to.end <= from.start ? from.end : to.end;
  return from.source.rangeOf(from.start, end);
}
