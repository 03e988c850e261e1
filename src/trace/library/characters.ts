import type { Machine } from "../machine.ts";
import { badArgument } from "./bytes.ts";

/** `<ctype.h>` in the "C" locale. Results are glibc's: non-zero values are single bits of its table. */

type Test = (machine: Machine, site: number, character: number) => number;

/** glibc gives the class's bit of a 16-bit table, which it stores in network order. */
function test(bit: number, name: string, holds: (c: number) => boolean): Test {
  return (_, site, character) => {
    if (character < -128 || character > 255) {
      badArgument(`${name}(${character}): the argument is neither a character nor EOF`, site);
    }
    return holds(character) ? bit : 0;
  };
}

const isUpper = (c: number) => c >= 65 && c <= 90;
const isLower = (c: number) => c >= 97 && c <= 122;
const isAlpha = (c: number) => isUpper(c) || isLower(c);
const isDigit = (c: number) => c >= 48 && c <= 57;
const isSpace = (c: number) => c === 32 || (c >= 9 && c <= 13);
const isPrint = (c: number) => c >= 32 && c <= 126;

export const characters = {
  isupper: test(0x100, "isupper", isUpper),
  islower: test(0x200, "islower", isLower),
  isalpha: test(0x400, "isalpha", isAlpha),
  isdigit: test(0x800, "isdigit", isDigit),
  isxdigit: test(0x1000, "isxdigit", (c) => isDigit(c) || (c >= 65 && c <= 70) || (c >= 97 && c <= 102)),
  isspace: test(0x2000, "isspace", isSpace),
  isprint: test(0x4000, "isprint", isPrint),
  isgraph: test(0x8000, "isgraph", (c) => isPrint(c) && c !== 32),
  isblank: test(0x1, "isblank", (c) => c === 32 || c === 9),
  iscntrl: test(0x2, "iscntrl", (c) => (c >= 0 && c < 32) || c === 127),
  ispunct: test(0x4, "ispunct", (c) => isPrint(c) && c !== 32 && !isAlpha(c) && !isDigit(c)),
  isalnum: test(0x8, "isalnum", (c) => isAlpha(c) || isDigit(c)),
  isascii: (_: Machine, __: number, c: number) => (c >= 0 && c <= 127 ? 1 : 0),
  toascii: (_: Machine, __: number, c: number) => c & 127,
  toupper: (_: Machine, __: number, c: number) => (isLower(c) ? c - 32 : c),
  tolower: (_: Machine, __: number, c: number) => (isUpper(c) ? c + 32 : c),
};
