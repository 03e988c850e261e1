import type { ExpansionState } from "./expandMacros.ts";
import { isPunctuator, type MacroInvocation, type PpToken } from "./ppToken.ts";
import { TokenKind } from "./scanToken.ts";

/** Macros that depend on their place. Dates are fixed: the same program gives the same text on every day. */
export function expandDynamic(
  state: ExpansionState,
  token: PpToken,
  invocation: MacroInvocation,
  read: () => PpToken | null,
): PpToken[] {
  const make = (kind: TokenKind, text: string): PpToken[] => [{ ...token, kind, text, invocation, fromBody: true }];
  const at: PpToken = { ...token, source: invocation.source, start: invocation.start };
  switch (token.text) {
    case "__LINE__":
      return make(TokenKind.number, `${state.presumedPlace(at).line}`);
    case "__FILE__":
      return make(TokenKind.string, JSON.stringify(state.presumedPlace(at).file));
    case "__COUNTER__":
      return make(TokenKind.number, `${state.counter++}`);
    case "__DATE__":
      return make(TokenKind.string, '"??? ?? ????"');
    case "__TIME__":
      return make(TokenKind.string, '"??:??:??"');
    case "__TIMESTAMP__":
      return make(TokenKind.string, '"??? ??? ?? ??:??:?? ????"');
    default:
      return skipPragma(token, read);
  }
}

/** `_Pragma("...")` says nothing about the meaning of a program. */
function skipPragma(token: PpToken, read: () => PpToken | null): PpToken[] {
  const open = read();
  if (!isPunctuator(open ?? undefined, "(")) return open === null ? [token] : [token, open];
  for (let next = read(); next !== null && !isPunctuator(next, ")"); ) next = read();
  return [];
}
