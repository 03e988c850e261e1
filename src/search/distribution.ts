import { assertNever } from "../base/errors.ts";
import { type InputRequest, type InputSource, type InputValue, mulberry32 } from "../interpreter/inputs.ts";
import { rangeOfInt } from "../ir/type.ts";
import { greater, lesser } from "../logic/numbers.ts";
import type { InterestingNumbers } from "./interestingNumbers.ts";

/**
 * What the inputs of one run are drawn from. One distribution for all inputs of a run finds more than a mixture for each
 * of them: a loop that ends at a tiny number ends early, and bits that are all tiny drive a state machine far.
 */
export type Distribution = (typeof distributions)[number];

export const distributions = ["tiny", "small", "constants", "bits", "full", "mixed"] as const;

export function drawInputs(distribution: Distribution, seed: number, numbers: InterestingNumbers): InputSource {
  const next = generator(seed);
  return (request) => drawValue(distribution, request, next, numbers);
}

/** Wider stretches between two of the program's numbers are no class of values. */
const widest = 256n;

/** All inputs between two of the program's numbers, such as `'0'` and `'9'`: only a run of nothing else gets to the end of a number. */
export function drawBetween(seed: number, numbers: InterestingNumbers): InputSource {
  const next = generator(seed);
  const one = () => numbers.all[Math.floor(next() * numbers.all.length)] ?? 0n;
  const [a, b] = [one(), one()];
  const [low, high] = a < b ? [a, b] : [b, a];
  if (high - low > widest) return drawInputs("mixed", seed, numbers);
  return (request) => {
    const { type, within } = request;
    if (type.kind === "pointer" || type.kind === "float") return drawValue("small", request, next, numbers);
    const [least, most] = within ?? rangeOfInt(type);
    const value = uniform(low, high, next);
    return lesser(greater(value, least), most);
  };
}

function generator(seed: number): () => number {
  return mulberry32(Math.imul(seed, 0x2545f491) ^ 0x5bd1e995);
}

function drawValue(
  distribution: Distribution,
  request: InputRequest,
  next: () => number,
  numbers: InterestingNumbers,
): InputValue {
  const { type, within } = request;
  if (type.kind === "pointer") return 0n;
  if (type.kind === "float") return drawFloat(distribution, type.bits, next);
  const [low, high] = within ?? rangeOfInt(type);
  const clamp = (value: bigint) => (value < low ? low : value > high ? high : value);
  const upTo = (count: number) => BigInt(Math.floor(next() * count));
  switch (distribution) {
    case "tiny":
      return clamp(upTo(4) - (low < 0n ? 1n : 0n));
    case "small":
      return clamp(low < 0n ? upTo(33) - 16n : upTo(33));
    case "bits":
      return clamp(upTo(2));
    case "full":
      return next() < 0.2 ? (next() < 0.5 ? low : high) : uniform(low, high, next);
    case "constants": {
      // What the program compares this very input with, more often than its other numbers.
      const own = numbers.of(request.range);
      const from = own.length > 0 && next() < 0.7 ? own : numbers.all;
      return from.length === 0 ? clamp(upTo(4)) : clamp(from[Math.floor(next() * from.length)]!);
    }
    case "mixed": {
      const one = distributions[Math.floor(next() * (distributions.length - 1))]!;
      return drawValue(one, request, next, numbers);
    }
    default:
      return assertNever(distribution, "distribution");
  }
}

function drawFloat(distribution: Distribution, bits: 32 | 64, next: () => number): number {
  const whole = Math.floor(next() * 17) - 8;
  const value = distribution === "full" ? (next() - 0.5) * 2 ** Math.floor(next() * 60) : whole;
  return bits === 32 ? Math.fround(value) : value;
}

function uniform(low: bigint, high: bigint, next: () => number): bigint {
  let bits = 0n;
  for (let i = 0; i < 5; i++) bits = (bits << 32n) | BigInt(Math.floor(next() * 4294967296));
  return low + (bits % (high - low + 1n));
}
