import { digit } from "../stdlib/scanNumber.ts";
import type { CharacterSource } from "./characterSource.ts";

/**
 * The longest input that is, or begins, a number, at most `limit` characters. What was consumed stays consumed even when
 * it turns out to be no number: C allows one character to be put back, no more.
 */
export function collectInteger(source: CharacterSource, base: number, limit: number): Uint8Array {
  const token: number[] = [];
  const take = takeInto(token, source, limit);
  take((c) => c === 43 || c === 45);
  let radix = base === 0 ? 10 : base;
  if (take((c) => c === 48)) {
    if ((base === 0 || base === 16) && take((c) => c === 120 || c === 88)) radix = 16;
    else if (base === 0) radix = 8;
  }
  while (take((c) => digit(c) < radix));
  return Uint8Array.from(token);
}

export function collectFloat(source: CharacterSource, limit: number): Uint8Array {
  const token: number[] = [];
  const take = takeInto(token, source, limit);
  const word = (text: string) => [...text].every((letter) => take((c) => (c | 32) === letter.charCodeAt(0)));
  take((c) => c === 43 || c === 45);
  if (take((c) => (c | 32) === 105)) {
    if (word("nf") && take((c) => (c | 32) === 105)) word("nity");
    return Uint8Array.from(token);
  }
  if (take((c) => (c | 32) === 110)) {
    word("an");
    return Uint8Array.from(token);
  }
  let radix = 10;
  let exponent = 101;
  if (take((c) => c === 48) && take((c) => (c | 32) === 120)) {
    radix = 16;
    exponent = 112;
  }
  while (take((c) => digit(c) < radix));
  if (take((c) => c === 46)) while (take((c) => digit(c) < radix));
  if (token.some((c) => digit(c) < radix) && take((c) => (c | 32) === exponent)) {
    take((c) => c === 43 || c === 45);
    while (take((c) => digit(c) < 10));
  }
  return Uint8Array.from(token);
}

function takeInto(
  token: number[],
  source: CharacterSource,
  limit: number,
): (accepts: (c: number) => boolean) => boolean {
  return (accepts) => {
    if (token.length >= limit) return false;
    const c = source.next();
    if (c !== -1 && accepts(c)) {
      token.push(c);
      return true;
    }
    source.back(c);
    return false;
  };
}
