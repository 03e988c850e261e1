import type { PreprocessedSource } from "../preprocess/preprocessedSource.ts";
import { endOf, kindOf, plainPunctuator, scanToken, skipBlank, TokenKind } from "../preprocess/scanToken.ts";
import { strayToken } from "../preprocess/strayToken.ts";

/** The tokens of one translation unit, in parallel arrays; the last one is the end of the text. */
export type Tokens = {
  readonly count: number;
  readonly kinds: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly texts: readonly string[];
};

export function tokenize(source: PreprocessedSource): Tokens {
  const { text } = source;
  let capacity = Math.max(64, text.length >> 2);
  let kinds = new Uint8Array(capacity);
  let starts = new Int32Array(capacity);
  let ends = new Int32Array(capacity);
  const texts: string[] = [];
  let count = 0;
  const push = (kind: TokenKind, start: number, end: number, word: string): void => {
    if (count === capacity) {
      capacity *= 2;
      kinds = grow(kinds, new Uint8Array(capacity));
      starts = grow(starts, new Int32Array(capacity));
      ends = grow(ends, new Int32Array(capacity));
    }
    kinds[count] = kind;
    starts[count] = start;
    ends[count] = end;
    texts.push(word);
    count++;
  };
  for (let at = skipBlank(text, 0, false); at < text.length; ) {
    const packed = scanToken(text, at);
    const kind = kindOf(packed);
    const end = endOf(packed);
    const word = text.slice(at, end);
    if (kind === TokenKind.other) throw strayToken(word, source.rangeOf(at, end));
    push(kind, at, end, kind === TokenKind.punctuator ? plainPunctuator(word) : word);
    at = skipBlank(text, end, false);
  }
  push(TokenKind.end, text.length, text.length, "");
  return { count, kinds, starts, ends, texts };
}

function grow<T extends Uint8Array | Int32Array>(from: T, into: T): T {
  into.set(from as never);
  return into;
}
