import { type InputValue, mulberry32 } from "../../../src/interpreter/inputs.ts";
import { rangeOfInt, type ScalarType } from "../../../src/ir/type.ts";
import { partsOf } from "./formula.ts";
import { type Claim, satisfies } from "./readClaim.ts";

/** An input that the recorded run read, and what other values it may have. */
export type SampledInput = { readonly value: InputValue; readonly type: ScalarType | null };

/** One value for each recorded input. */
export type Sample = readonly InputValue[];

/** Values from here to `lastSmall` are tried one by one. */
const firstSmall = -3n;
const lastSmall = 40n;

/**
 * Inputs in a claim's condition, the recorded ones first: the given corners, each input at small and at extreme values and
 * beside the numbers of the condition, those that do not matter all at once, and random ones.
 */
export function sampleInputs(
  claim: Claim,
  recorded: readonly SampledInput[],
  options: { readonly seed: number; readonly random: number; readonly corners: readonly Sample[] },
): readonly Sample[] {
  const found = new Map<string, Sample>();
  const own = recorded.map(({ value }) => value);
  const ranges = recorded.map(({ type }) => rangeOf(type));
  const offer = (sample: Sample) => {
    const key = sample.join();
    if (found.has(key) || !sample.every((value, i) => fits(value, ranges[i]!, own[i]!))) return;
    if (satisfies(claim, (index) => sample[index] ?? null) === true) found.set(key, sample);
  };
  offer(own);
  for (const corner of options.corners) offer(corner);
  const next = mulberry32(options.seed);
  const special = recorded.map((_, i) => specialValues(claim, own[i]!, ranges[i]!));
  for (const [i, values] of special.entries()) for (const value of values) offer(own.with(i, value));
  for (let k = 0; k < options.random; k++) {
    offer(own.map((value, i) => (claim.irrelevant.has(i) || k % 2 === 0 ? pick(special[i]!, next, value) : value)));
    offer(own.map((value, i) => (next() < 0.5 ? value : sized(ranges[i]!, next, value))));
  }
  for (let value = firstSmall; value <= lastSmall; value++) {
    for (let i = 0; i < own.length; i++) offer(own.with(i, value));
  }
  return [...found.values()];
}

type Range = readonly [bigint, bigint] | null;

/** Null for what is not an integer: it keeps its value. */
function rangeOf(type: ScalarType | null): Range {
  return type === null || type.kind === "float" || type.kind === "pointer" ? null : rangeOfInt(type);
}

function fits(value: InputValue, range: Range, recorded: InputValue): boolean {
  if (range === null) return Object.is(value, recorded);
  return typeof value === "bigint" && range[0] <= value && value <= range[1];
}

function specialValues(claim: Claim, own: InputValue, range: Range): readonly bigint[] {
  if (range === null || typeof own !== "bigint") return [];
  const [low, high] = range;
  const numbers = claim.condition.flatMap(partsOf).flatMap((part) => (part.kind === "number" ? [part.value] : []));
  const near = [own, 0n, low, high, ...numbers, ...numbers.map((n) => -n)].flatMap((n) => [n, n - 1n, n + 1n]);
  const powers = [7n, 8n, 15n, 16n, 31n, 32n, 63n].map((bits) => 1n << bits);
  return [...new Set([...near, ...powers, high / 2n, low / 2n, 5n, 10n, 20n, 33n, 100n, 1000n])];
}

function pick(values: readonly bigint[], next: () => number, otherwise: InputValue): InputValue {
  return values[Math.floor(next() * values.length)] ?? otherwise;
}

/** A value from a few bits to all bits of the range, so that each size is as likely. */
function sized(range: Range, next: () => number, otherwise: InputValue): InputValue {
  if (range === null) return otherwise;
  const bits = 1 + Math.floor(next() * (range[1] - range[0]).toString(2).length);
  const size = BigInt(Math.floor(next() * 2 ** Math.min(bits, 52))) << BigInt(Math.max(0, bits - 52));
  return next() < 0.25 ? -size : size;
}
