import type { Term } from "../logic/term.ts";
import type { Scope } from "./scope.ts";

type Interval = readonly [number, number];

const upper: Interval = [65, 90];
const lower: Interval = [97, 122];
const digit: Interval = [48, 57];
const punctuation: readonly Interval[] = [
  [33, 47],
  [58, 64],
  [91, 96],
  [123, 126],
];

/** The tests of `<ctype.h>` in the "C" locale: the characters that pass, and what glibc returns for them. */
const tests: Readonly<Record<string, { readonly result: number; readonly passes: readonly Interval[] }>> = {
  isupper: { result: 0x100, passes: [upper] },
  islower: { result: 0x200, passes: [lower] },
  isalpha: { result: 0x400, passes: [upper, lower] },
  isdigit: { result: 0x800, passes: [digit] },
  isxdigit: {
    result: 0x1000,
    passes: [digit, [65, 70], [97, 102]],
  },
  isspace: {
    result: 0x2000,
    passes: [
      [9, 13],
      [32, 32],
    ],
  },
  isprint: { result: 0x4000, passes: [[32, 126]] },
  isgraph: { result: 0x8000, passes: [[33, 126]] },
  isblank: {
    result: 0x1,
    passes: [
      [9, 9],
      [32, 32],
    ],
  },
  iscntrl: {
    result: 0x2,
    passes: [
      [0, 31],
      [127, 127],
    ],
  },
  ispunct: { result: 0x4, passes: punctuation },
  isalnum: { result: 0x8, passes: [digit, upper, lower] },
  isascii: { result: 1, passes: [[0, 127]] },
};

/** The result of a function on characters; null for any other. */
export function characterResult(scope: Scope, name: string, character: Term): Term | null {
  const { terms } = scope.symbols;
  const between = ([low, high]: Interval) =>
    terms.and(terms.ge(character, terms.int(low)), terms.le(character, terms.int(high)));
  if (Object.hasOwn(tests, name)) {
    const { result, passes } = tests[name]!;
    if (name !== "isascii") scope.require(between([-128, 255]), "library-argument");
    return terms.ite(terms.any(passes.map(between)), terms.int(result), terms.int(0n));
  }
  switch (name) {
    case "toupper":
      return terms.ite(between(lower), terms.sub(character, terms.int(32n)), character);
    case "tolower":
      return terms.ite(between(upper), terms.add(character, terms.int(32n)), character);
    case "toascii":
      return terms.mod(character, terms.int(128n));
    default:
      return null;
  }
}
