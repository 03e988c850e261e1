import type { Choices } from "./choices.ts";

/** An integer type of C. `narrow` types promote to `int`; arithmetic on them cannot overflow (multiplication of two may). */
export type IntType = {
  readonly name: string;
  readonly signed: boolean;
  readonly narrow: boolean;
  /** The smallest width over the data models. */
  readonly bits: number;
  readonly suffix: string;
  readonly format: string;
};

function type(name: string, bits: number, signed: boolean, suffix: string, format: string): IntType {
  return { name, bits, signed, narrow: bits < 32, suffix, format };
}

export const int = type("int", 32, true, "", "d");
export const unsigned = type("unsigned", 32, false, "u", "u");
export const unsignedLongLong = type("unsigned long long", 64, false, "ull", "llu");
export const longLong = type("long long", 64, true, "ll", "lld");
export const long = type("long", 32, true, "l", "ld");
export const unsignedLong = type("unsigned long", 32, false, "ul", "lu");
export const signedChar = type("signed char", 8, true, "", "hhd");
export const short = type("short", 16, true, "", "hd");
export const bool = type("_Bool", 1, false, "", "d");

export const intTypes: readonly IntType[] = [
  int,
  unsigned,
  type("char", 8, true, "", "d"),
  signedChar,
  type("unsigned char", 8, false, "", "hhu"),
  short,
  type("unsigned short", 16, false, "", "hu"),
  long,
  unsignedLong,
  longLong,
  unsignedLongLong,
  bool,
  // Defined by every generated program: a cast to one of these is what a parser without typedefs misreads.
  type("byte", 8, false, "", "hhu"),
  type("word", 32, false, "u", "u"),
  type("wide", 64, true, "ll", "lld"),
];

export const wideUnsigned: readonly IntType[] = [unsigned, unsignedLong, unsignedLongLong];
export const wideSigned: readonly IntType[] = [int, long, longLong];

/** A constant expression with a value of the type, often at a boundary. */
export function literal(choices: Choices, t: IntType): string {
  if (t.name === "_Bool") return choices.oneOf(["0", "1"]);
  const max = (1n << BigInt(t.bits - (t.signed ? 1 : 0))) - 1n;
  const value = choices.weighted<() => bigint>([
    [6, () => BigInt(choices.pick(10))],
    [1, () => max],
    [1, () => max - 1n],
    [1, () => max / 2n],
    [2, () => BigInt(choices.pick(0x10000)) % (max + 1n)],
    [1, () => (BigInt(choices.pick(0x10000)) * 0x12345678abn) & max],
  ])();
  if (t.signed && choices.chance(30)) {
    if (choices.chance(10)) return t.narrow ? `(-${max} - 1)` : `(-${max}${t.suffix} - 1)`;
    return `(-${value}${t.suffix})`;
  }
  const style = choices.pick(8);
  if (style === 6) return `0x${value.toString(16)}${t.suffix}`;
  if (style === 7 && value < 128n) return characterOrOctal(value, t.suffix);
  return `${value}${t.suffix}`;
}

function characterOrOctal(value: bigint, suffix: string): string {
  const text = String.fromCharCode(Number(value));
  return suffix === "" && /[a-zA-Z0-9 ]/.test(text) ? `'${text}'` : `0${value.toString(8)}${suffix}`;
}
