import { type Entry, inC } from "../entry.ts";

/** `<stdlib.h>`, `<inttypes.h>`: quotient and remainder at once. */
const kinds = [
  ["stdlib.h", "div", "div_t", "int"],
  ["stdlib.h", "ldiv", "ldiv_t", "long"],
  ["stdlib.h", "lldiv", "lldiv_t", "long long"],
  ["inttypes.h", "imaxdiv", "imaxdiv_t", "intmax_t"],
] as const;

export const quotientsSource = `#include <stdlib.h>
#include <inttypes.h>
${kinds
  .map(
    ([, name, result, type]) => `${result} ${name}(${type} numerator, ${type} denominator) {
  ${result} result;
  result.quot = numerator / denominator;
  result.rem = numerator % denominator;
  return result;
}
`,
  )
  .join("")}`;

export const quotients: readonly Entry[] = kinds.map(([header, name, result, type]) =>
  inC(header, `${result} ${name}(${type}, ${type})`),
);
