import type { OperationEntry } from "../entry.ts";
import type { ErrnoName } from "../errno.ts";

/** When a function of `<math.h>` sets `errno`, as in glibc. `y` is 0 for functions of one argument. */
export type MathErrors = {
  readonly errno: OperationEntry["errno"];
  find(result: number, x: number, y: number): ErrnoName | null;
};

const { isFinite, isNaN } = Number;
const isInfinite = (x: number) => !isFinite(x) && !isNaN(x);

function domainError(when: string, isOutside: (x: number, y: number) => boolean): MathErrors {
  return { errno: { EDOM: when }, find: (_, x, y) => (isOutside(x, y) ? "EDOM" : null) };
}

function rangeError(when: string, isOut: (result: number, x: number, y: number) => boolean): MathErrors {
  return { errno: { ERANGE: when }, find: (result, x, y) => (isOut(result, x, y) ? "ERANGE" : null) };
}

export const noErrors: MathErrors = { errno: {}, find: () => null };
export const ofNegative = domainError("the number is negative", (x) => x < 0);
export const ofInfinite = domainError("the number is infinite", isInfinite);
export const beyondOne = domainError("the number is not between -1 and 1", (x) => Math.abs(x) > 1);
export const ofDivision = domainError(
  "the dividend is infinite or the divisor is zero",
  (x, y) => (isInfinite(x) && !isNaN(y)) || (y === 0 && !isNaN(x)),
);

const overflows = (result: number, x: number, y: number) => isInfinite(result) && isFinite(x) && isFinite(y);

export const onOverflow = rangeError("the result is too large", overflows);
export const onExponent = rangeError(
  "the result is too large, or too small",
  (result, x, y) => overflows(result, x, y) || (result === 0 && isFinite(x)),
);
export const onScaling = rangeError(
  "the result is too large, or too small",
  (result, x, y) => overflows(result, x, y) || (result === 0 && x !== 0),
);
export const onVanishing = rangeError(
  "the result is too small",
  (result, x, y) => result === 0 && x !== 0 && isFinite(y),
);

export const ofLogarithm: MathErrors = {
  errno: { EDOM: "the number is negative", ERANGE: "the number is zero" },
  find: (_, x) => (x < 0 ? "EDOM" : x === 0 ? "ERANGE" : null),
};

export const ofPower: MathErrors = {
  errno: {
    EDOM: "a negative number is raised to a fraction",
    ERANGE: "the result is too large, or too small, or zero is raised to a negative number",
  },
  find(result, x, y) {
    if (!isFinite(x) || !isFinite(y)) return null;
    if (isNaN(result)) return "EDOM";
    return isInfinite(result) || (result === 0 && x !== 0) ? "ERANGE" : null;
  },
};

export const belowOne = domainError("the number is below 1", (x) => x < 1);

export const ofAreaTangent: MathErrors = {
  errno: { EDOM: "the number is not between -1 and 1", ERANGE: "the number is 1 or -1" },
  find: (_, x) => (Math.abs(x) > 1 ? "EDOM" : Math.abs(x) === 1 ? "ERANGE" : null),
};

export const ofLogarithmPlusOne: MathErrors = {
  errno: { EDOM: "the number is below -1", ERANGE: "the number is -1" },
  find: (_, x) => (x < -1 ? "EDOM" : x === -1 ? "ERANGE" : null),
};
