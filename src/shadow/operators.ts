import {
  applyBinary as applyToRecorded,
  applyUnary as applyUnaryToRecorded,
  isPrimitive,
  unknown,
} from "../frontend/js/concrete.ts";
import type { Recorded } from "../recorder/recorded.ts";

/** A value that neither the log nor arithmetic on logged values gives. */
export const unknownValue: unique symbol = Symbol("unknown");
export type Concrete = Recorded | typeof unknownValue;

export { isPrimitive };

/** Longer strings are not kept. */
const longestText = 1000;

function known(value: ReturnType<typeof applyToRecorded>): Concrete {
  if (value === unknown) return unknownValue;
  return typeof value === "string" && value.length > longestText ? unknownValue : (value as Concrete);
}

/** The operator on recorded values, as the language defines it; unknown where objects would be converted. */
export function applyBinary(operator: string, left: Concrete, right: Concrete): Concrete {
  return left === unknownValue || right === unknownValue ? unknownValue : known(applyToRecorded(operator, left, right));
}

export function applyUnary(operator: string, operand: Concrete): Concrete {
  return operand === unknownValue ? unknownValue : known(applyUnaryToRecorded(operator, operand));
}

export function truth(value: Recorded): boolean {
  return isPrimitive(value) ? Boolean(value) : true;
}

/** The same value, as far as a contract can tell: NaN is NaN, and -0 is 0. */
export function sameValue(left: Concrete, right: Concrete): boolean {
  return left === right || (Number.isNaN(left) && Number.isNaN(right));
}
