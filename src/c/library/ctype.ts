import type { Term } from "../../logic/term.ts";
import { type Entry, type OperationEntry, operations } from "./entry.ts";
import type { SymbolicCall } from "./host.ts";

/** `<ctype.h>` in the "C" locale. Closed intervals of characters define both the concrete and the symbolic meaning. */

const operation = operations("ctype.h");

type Interval = readonly [number, number];

const upper: Interval = [65, 90];
const lower: Interval = [97, 122];
const digit: Interval = [48, 57];
const space: Interval = [32, 32];
const byteOrEnd: Interval = [-128, 255];

const includes = (set: readonly Interval[], c: number): boolean => set.some(([low, high]) => c >= low && c <= high);

function isIn(call: SymbolicCall, character: Term, ...set: readonly Interval[]): Term {
  const { terms } = call;
  return terms.any(
    set.map(([low, high]) => terms.and(terms.ge(character, terms.int(low)), terms.le(character, terms.int(high)))),
  );
}

/** `result` is glibc's: the class's bit of a 16-bit table in network order. */
function test(name: string, result: number, ...passes: readonly Interval[]): OperationEntry {
  const [least, greatest] = byteOrEnd;
  const results = new Uint16Array(greatest - least + 1).map((_, i) => (includes(passes, i + least) ? result : 0));
  return operation({
    prototype: `int ${name}(int character)`,
    run: (host, character: number) =>
      results[character - least] ??
      host.undefined(`${name}(${character}): the argument is neither a character nor EOF`),
    value: (call, character: Term) => {
      call.require(isIn(call, character, byteOrEnd), "library-argument");
      return call.terms.ite(isIn(call, character, ...passes), call.terms.int(result), call.terms.int(0n));
    },
  });
}

function shift(name: string, from: Interval, distance: number): OperationEntry {
  const [first, last] = from;
  return operation({
    prototype: `int ${name}(int character)`,
    run: (_, character: number) => (character >= first && character <= last ? character + distance : character),
    value: (call, character: Term) => {
      const moved = call.terms.add(character, call.terms.int(distance));
      return call.terms.ite(isIn(call, character, from), moved, character);
    },
  });
}

export const ctype: readonly Entry[] = [
  test("isupper", 0x100, upper),
  test("islower", 0x200, lower),
  test("isalpha", 0x400, upper, lower),
  test("isdigit", 0x800, digit),
  test("isxdigit", 0x1000, digit, [65, 70], [97, 102]),
  test("isspace", 0x2000, [9, 13], space),
  test("isprint", 0x4000, [32, 126]),
  test("isgraph", 0x8000, [33, 126]),
  test("isblank", 0x1, [9, 9], space),
  test("iscntrl", 0x2, [0, 31], [127, 127]),
  test("ispunct", 0x4, [33, 47], [58, 64], [91, 96], [123, 126]),
  test("isalnum", 0x8, digit, upper, lower),
  shift("toupper", lower, -32),
  shift("tolower", upper, 32),
  operation({
    prototype: "int isascii(int character)",
    run: (_, character: number) => (character >= 0 && character <= 127 ? 1 : 0),
    value: (call, character: Term) =>
      call.terms.ite(isIn(call, character, [0, 127]), call.terms.int(1n), call.terms.int(0n)),
  }),
  operation({
    prototype: "int toascii(int character)",
    run: (_, character: number) => character & 127,
    value: ({ terms }, character: Term) => terms.mod(character, terms.int(128n)),
  }),
];
