import {
  endOf,
  endOfLine,
  kindOf,
  plainPunctuator,
  scanToken,
  skipBlank,
  TokenKind,
} from "../../frontend/c/preprocess/scanToken.ts";

export type CToken = { readonly text: string; readonly start: number; readonly isName: boolean };

/** The tokens of a C file as written: macros are not expanded, lines of directives are left out. */
export function cTokens(text: string): CToken[] {
  const tokens: CToken[] = [];
  let at = skipBlank(text, 0, false);
  while (at < text.length) {
    const packed = scanToken(text, at);
    const end = endOf(packed);
    const spelled = text.slice(at, end);
    if (spelled === "#" && isFirstOnLine(text, at)) {
      at = skipBlank(text, endOfLine(text, at), false);
      continue;
    }
    const kind = kindOf(packed);
    tokens.push({
      text: kind === TokenKind.punctuator ? plainPunctuator(spelled) : spelled,
      start: at,
      isName: kind === TokenKind.identifier,
    });
    at = skipBlank(text, end, false);
  }
  return tokens;
}

function isFirstOnLine(text: string, at: number): boolean {
  return text.slice(text.lastIndexOf("\n", at) + 1, at).trim() === "";
}
