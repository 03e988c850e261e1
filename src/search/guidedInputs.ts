import { nth } from "../base/checked.ts";
import { type InputRequest, type InputSource, type InputValue, mulberry32 } from "../interpreter/inputs.ts";
import type { Trace } from "../interpreter/trace.ts";
import { rangeOfInt } from "../ir/type.ts";
import type { InterestingNumbers } from "./candidateInputs.ts";

/** Inputs that learn from earlier runs: sequences that reached something new are varied further. */
export type GuidedInputs = {
  next(): InputSource;
  learn(trace: Trace): void;
  /** The sequences that reached something new, in order. */
  corpus(): readonly (readonly InputValue[])[];
};

/** Longer sequences are not kept: what they reach, a shorter one will. */
const longest = 2000;

export function guidedInputs(seed: number, constants: InterestingNumbers): GuidedInputs {
  const next = mulberry32(seed);
  const corpus: (readonly InputValue[])[] = [];
  const covered = new Set<string>();
  return {
    next: () => chooseInputs(next, corpus, constants),
    corpus: () => corpus,
    learn(trace) {
      const before = covered.size;
      for (const [block, times] of executions(trace)) covered.add(`${block}:${magnitude(times)}`);
      if (covered.size > before && trace.inputs.length <= longest) corpus.push(trace.inputs.map(({ value }) => value));
    },
  };
}

/** How often each block was executed. */
function executions(trace: Trace): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const chunk of trace.log) for (const block of chunk) counts.set(block, (counts.get(block) ?? 0) + 1);
  return counts;
}

/** A loop that goes round more often is something new, but not every single round of it. */
function magnitude(times: number): number {
  return times < 4 ? times : 32 - Math.clz32(times);
}

/** An earlier sequence with a few values changed, or a part of it, and random values behind its end. */
function chooseInputs(
  next: () => number,
  corpus: readonly (readonly InputValue[])[],
  constants: InterestingNumbers,
): InputSource {
  // Later sequences are likely to lead further.
  const base =
    corpus.length === 0 || next() < 0.2 ? [] : nth(corpus, Math.floor(Math.max(next(), next()) * corpus.length));
  const values: (InputValue | undefined)[] = [...base];
  if (values.length > 0) {
    if (next() < 0.3) values.length = Math.floor(next() * values.length);
    for (let changes = Math.floor(next() * 4); changes > 0; changes--) {
      values[Math.floor(next() * values.length)] = undefined;
    }
  }
  const random = mulberry32(Math.floor(next() * 2 ** 32));
  return (request) => {
    const value = values[request.index];
    return value !== undefined && fits(value, request) ? value : randomValue(random, request, constants);
  };
}

/** After another decision the value may be asked for by something else. */
function fits(value: InputValue, { type, within }: InputRequest): boolean {
  if (type.kind === "float" || type.kind === "pointer")
    return typeof value === (type.kind === "float" ? "number" : "bigint");
  const [low, high] = within ?? rangeOfInt(type);
  return typeof value === "bigint" && value >= low && value <= high;
}

/** A number that the program compares this input with, or a small one, or another of its numbers. */
function randomValue(next: () => number, request: InputRequest, numbers: InterestingNumbers): InputValue {
  const { type, within } = request;
  if (type.kind === "float") return Math.floor(next() * 17) - 8;
  if (type.kind === "pointer") return 0n;
  const [low, high] = within ?? rangeOfInt(type);
  const clamp = (value: bigint) => (value < low ? low : value > high ? high : value);
  const oneOf = (values: readonly bigint[]) => clamp(nth(values, Math.floor(next() * values.length)));
  const own = numbers.of(request.range);
  if (own.length > 0 && next() < 0.5) return oneOf(own);
  const choice = next();
  if (choice < 0.55) return clamp(BigInt(Math.floor(next() * 3)) - 1n);
  if (choice < 0.75) return clamp(BigInt(Math.floor(next() * 17)) - 8n);
  if (choice < 0.95 && numbers.all.length > 0) return oneOf(numbers.all);
  return next() < 0.5 ? low : high;
}
