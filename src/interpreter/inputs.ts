import { TracefoldError } from "../base/errors.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import { printType, rangeOfInt, type ScalarType } from "../ir/type.ts";

/** Integers and pointers are `bigint`, floats are `number`. */
export type InputValue = bigint | number;

/** One nondeterministic read. */
export type InputRequest = {
  /** The number of inputs read before. */
  readonly index: number;
  readonly type: ScalarType;
  /** `__VERIFIER_nondet_int`, the name of an undefined function, or of a variable. */
  readonly source: string;
  /** As in the operation. */
  readonly plan?: number;
  readonly within: readonly [bigint, bigint] | null;
  readonly range: SourceRange;
  readonly memory?: InputPlace;
};

/** Bytes of an object: its variable or allocating edge, and the offset of the first byte. */
export type InputPlace = {
  readonly object: number;
  readonly variable: number | null;
  readonly allocation: { readonly function: number; readonly edge: number } | null;
  readonly offset: number;
};

/** Returns the next input, or null if there is none: the run then ends with `needs-input`. */
export type InputSource = (request: InputRequest) => InputValue | null;

export function listedInputs(values: readonly InputValue[]): InputSource {
  return ({ index }) => values[index] ?? null;
}

/** The values of `time` and `clock` that no list gives: a clock that advances with every input. null for other inputs. */
export function clockInput({ source, index }: InputRequest): InputValue | null {
  if (source === "time") return 1_700_000_000n + BigInt(index);
  return source === "clock" ? 1000n * BigInt(index + 1) : null;
}

/**
 * Reproducible values: half are small (-8 to 8), an eighth at the ends of the range, the rest uniform. Pointers are
 * null. A value depends only on the seed and its index, so one source serves many runs.
 */
export function randomInputs(seed: number): InputSource {
  return ({ type, within, index }) => {
    const next = mulberry32(Math.imul(seed ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b));
    if (type.kind === "float")
      return round(type.bits, next() < 0.5 ? Math.floor(next() * 17) - 8 : (next() - 0.5) * 2e6);
    if (type.kind === "pointer") return 0n;
    const [low, high] = within ?? rangeOfInt(type);
    const clamp = (value: bigint) => (value < low ? low : value > high ? high : value);
    const choice = next();
    if (choice < 0.5) return clamp(BigInt(Math.floor(next() * 17)) - 8n);
    if (choice < 0.625) return next() < 0.5 ? low : high;
    const span = high - low + 1n;
    let bits = 0n;
    for (let i = 0n; i < 5n; i++) bits = (bits << 32n) | BigInt(Math.floor(next() * 4294967296));
    return low + (bits % span);
  };
}

function round(bits: 32 | 64, value: number): number {
  return bits === 32 ? Math.fround(value) : value;
}

/** A generator with 32 bits of state (T. Ettinger's mulberry32); uniform in [0, 1). */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The value as the program sees it; throws, naming its position (from 1), if the type cannot hold it. */
export function checkInput(value: InputValue, request: InputRequest): InputValue {
  const { type, within } = request;
  if (type.kind === "float") return round(type.bits, Number(value));
  if (typeof value === "number" && !Number.isInteger(value)) throw unfit(value, request, "a whole number is needed");
  const integer = BigInt(value);
  if (type.kind === "pointer") return integer;
  const [low, high] = within ?? rangeOfInt(type);
  if (integer < low || integer > high) throw unfit(value, request, `it must be from ${low} to ${high}`);
  return integer;
}

function unfit(value: InputValue, { type, index, range, source }: InputRequest, problem: string): TracefoldError {
  return new TracefoldError({
    code: "TF141",
    message: `input ${index + 1} is ${value}, but ${source} reads ${printType(type)}: ${problem}`,
    range,
    help: "Change that value in the list of inputs.",
  });
}

/** Parses a list such as `3, 0, -7, 0x1F, 2.5`, separated by commas, spaces or line ends. */
export function parseInputs(text: string): InputValue[] {
  return text
    .split(/[\s,]+/)
    .filter((word) => word !== "")
    .map((word, i) => {
      if (/^[+-]?(0[xX][0-9a-fA-F]+|\d+)$/.test(word)) {
        const magnitude = BigInt(word.replace(/^[+-]/, ""));
        return word.startsWith("-") ? -magnitude : magnitude;
      }
      const value = Number(word);
      if (/^[+-]?(\d|\.\d|Infinity$|NaN$)/.test(word) && (!Number.isNaN(value) || word === "NaN")) return value;
      throw new TracefoldError({
        code: "TF142",
        message: `input ${i + 1} is not a number: ${word}`,
        help: "Inputs are separated by commas: 3,0,-7",
      });
    });
}
