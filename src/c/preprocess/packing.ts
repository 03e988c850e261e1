import { isPunctuator, type PpToken, rangeOfPpToken } from "./ppToken.ts";
import type { PreprocessNote } from "./preprocessedSource.ts";
import { TokenKind } from "./scanToken.ts";

/** `#pragma pack`: the one pragma that changes what a program means. */
export type Packing = {
  readonly pragma: (tokens: readonly PpToken[]) => void;
  /** Passes a token on; behind `struct` and `union` it adds the attribute that is in force. */
  readonly add: (token: PpToken, to: (token: PpToken) => void) => void;
};

const ATTRIBUTE = ["__attribute__", "(", "(", "packed", ")", ")"];

export function createPacking(notes: PreprocessNote[]): Packing {
  let current: number | null = null;
  const saved: (number | null)[] = [];

  const pragma = (tokens: readonly PpToken[]): void => {
    if (tokens[0]?.text !== "pack" || !isPunctuator(tokens[1], "(")) return;
    const close = tokens.findIndex((token) => isPunctuator(token, ")"));
    const words = tokens.slice(2, close).filter((token) => !isPunctuator(token, ","));
    if (words[0]?.text === "push") saved.push(current);
    else if (words[0]?.text === "pop") current = saved.pop() ?? null;
    else if (words.length === 0) current = null;
    const size = words.find((token) => token.kind === TokenKind.number);
    if (size === undefined) return;
    current = Number(size.text);
    if (current > 1) {
      const message = `#pragma pack(${size.text}) is ignored: structs keep their usual layout`;
      notes.push({ message, range: rangeOfPpToken(size) });
    }
  };

  const add = (token: PpToken, to: (token: PpToken) => void): void => {
    to(token);
    const isRecord = token.kind === TokenKind.identifier && (token.text === "struct" || token.text === "union");
    if (current !== 1 || !isRecord) return;
    for (const text of ATTRIBUTE) {
      to({ ...token, text, kind: /^\w/.test(text) ? TokenKind.identifier : TokenKind.punctuator });
    }
  };

  return { pragma, add };
}
