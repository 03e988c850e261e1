import type { UndefinedBehaviour } from "../ir/operation.ts";
import type { FloatOperator } from "../logic/floatOperator.ts";
import type { Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";

/**
 * What a library function asks of symbolic execution to say what a call does in terms. Addresses are terms. Where the
 * memory at an address is not known well enough, reading gives null and writing gives false and changes nothing; the
 * recorded run, or an unknown, then takes the rule's place.
 */
export type SymbolicCall = {
  readonly terms: Terms;
  /** Bits of the integer that the call gives; null for any other result. */
  readonly resultBits: number | null;
  /** null where an operand is not known, and floating point that is not known is not computed with. */
  float(operator: FloatOperator, operand: Term): Term | null;
  /** A call that violates this is undefined, in this way. */
  require(condition: Term, problem: UndefinedBehaviour): void;
  /** The bytes of a string before its terminating zero. */
  readString(address: Term): readonly number[] | null;
  /** `at(i)` for each `i` below `length`. */
  writeBytes(address: Term, length: number, at: (i: number) => number): boolean;
};

/** Longer blocks are not written byte by byte. */
export const byteLimit = 4096n;

/** A string and its terminating zero. */
export function writeString(call: SymbolicCall, address: Term, string: readonly number[] | null): boolean {
  return string !== null && call.writeBytes(address, string.length + 1, (i) => string[i] ?? 0);
}
