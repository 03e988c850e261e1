import { TracefoldError } from "../../base/errors.ts";
import { type ExpansionState, expandTokens } from "./expandMacros.ts";
import { isPunctuator, type PpToken, rangeOfPpToken, spell } from "./ppToken.ts";
import { TokenKind } from "./scanToken.ts";

/** `"x.h"` or `<x.h>`. */
export type HeaderName = { readonly name: string; readonly quoted: boolean };

export function headerNameOf(state: ExpansionState, tokens: readonly PpToken[], directive: PpToken): HeaderName {
  const direct = readName(tokens);
  if (direct !== null) return direct;
  const name = readName(expandTokens(state, tokens));
  if (name !== null) return name;
  throw new TracefoldError({
    code: "TF117",
    message: `expected "file" or <file> after #${directive.text}`,
    range: rangeOfPpToken(directive),
  });
}

function readName(tokens: readonly PpToken[]): HeaderName | null {
  const first = tokens[0];
  if (first?.kind === TokenKind.string)
    return { name: first.text.slice(first.text.indexOf('"') + 1, -1), quoted: true };
  if (!isPunctuator(first, "<")) return null;
  // `<sys//x.h>` would be cut short by the comment; nobody writes that.
  const end = tokens.findIndex((token) => isPunctuator(token, ">"));
  return end < 0 ? null : { name: spell(tokens.slice(1, end)), quoted: false };
}
