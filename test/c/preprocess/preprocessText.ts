import type { SourceRange } from "../../../src/base/sourceRange.ts";
import type { PreprocessedSource, PreprocessOptions } from "../../../src/c/preprocess/options.ts";
import { preprocess } from "../../../src/c/preprocess/preprocess.ts";
import { endOf, plainPunctuator, scanToken, skipBlank } from "../../../src/c/preprocess/scanToken.ts";

/** Preprocesses `test.c` among other files that exist in memory only. */
export function preprocessText(
  text: string,
  options: Partial<PreprocessOptions> = {},
  files: Readonly<Record<string, string>> = {},
): PreprocessedSource {
  return preprocess(
    { path: "test.c", text },
    { dataModel: "LP64", mode: "builtin", readFile: (path) => files[path] ?? null, ...options },
  );
}

export function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (let at = skipBlank(text, 0, false); at < text.length; ) {
    const end = endOf(scanToken(text, at));
    tokens.push(plainPunctuator(text.slice(at, end)));
    at = skipBlank(text, end, false);
  }
  return tokens;
}

/** The tokens of the result, a space between any two. */
export function textOf({ tokens }: PreprocessedSource): string {
  return tokens.texts.slice(0, -1).join(" ");
}

export function expand(text: string, files: Readonly<Record<string, string>> = {}): string {
  return textOf(preprocessText(text, {}, files));
}

/** The place of a stretch of that text. */
export function rangeIn(source: PreprocessedSource, start: number, end: number): SourceRange {
  const { texts, rangeOf } = source.tokens;
  const tokenAt = (offset: number): number => {
    let token = 0;
    for (let at = 0; at + texts[token]!.length < offset; at += texts[token++]!.length + 1);
    return token;
  };
  return rangeOf(tokenAt(start + 1), tokenAt(end));
}
