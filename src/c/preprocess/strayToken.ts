import { TracefoldError } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";

/** A token of kind `other` where C is expected: a character that C has no use for, or a literal that does not end. */
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
