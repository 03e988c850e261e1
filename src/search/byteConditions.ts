import { budgetOf, type Cancellation } from "../base/cancellation.ts";
import { unlessRefused } from "../base/errors.ts";
import { createWarmRuns } from "../interpreter/rerun/rerun.ts";
import type { Trace } from "../interpreter/trace.ts";
import { runOptionsOf, type SmallestText, sameFailure } from "./shrink.ts";

/**
 * With which values of one byte of the text, and all others as they are, the run fails in the same way. Every value was run, so this holds without a
 * proof; what two bytes may be together it does not say.
 */
export type ByteCondition = {
  /** Counted from 1; null for standard input. */
  readonly argument: number | null;
  /** Counted from 1. */
  readonly byte: number;
  /** From the first to the last of them, in order. */
  readonly values: readonly (readonly [number, number])[];
};

/** Longer texts are not analysed; a byte is reported only if all of its runs finished. */
const longestText = 16;
const mostSteps = 8_000_000;
const startCost = 200;

/** Arguments hold no zero, and are text: of their bytes those of ASCII are tried. */
const argumentValues = { from: 1, to: 127 };
const byteValues = { from: 0, to: 255 };

export function byteConditions(
  trace: Trace,
  { stdin, args, steps }: Pick<SmallestText, "stdin" | "args" | "steps">,
  cancellation?: Cancellation,
): readonly ByteCondition[] {
  const texts = args.map((arg) => Buffer.from(arg));
  const length = stdin.length + texts.reduce((sum, text) => sum + text.length, 0);
  if (length === 0 || length > longestText || texts.some((text) => text.some((byte) => byte > argumentValues.to)))
    return [];
  const { undefinedBehaviour, maxMemory } = trace.settings;
  const warm = createWarmRuns(trace.program, { undefinedBehaviour, maxMemory });
  const inputs = trace.inputs.map(({ value }) => value);
  const budget = budgetOf(mostSteps, cancellation);
  const fails = (text: Uint8Array, arguments_: readonly string[]): boolean => {
    const given = { ...runOptionsOf(trace), inputs, stdin: text, args: arguments_, maxSteps: 2 * steps + 1000 };
    const result = unlessRefused(() => warm.run(given));
    budget.spend((result?.steps ?? 0) + startCost);
    return result !== null && sameFailure(trace.outcome, result.outcome);
  };
  const inStdin = [...stdin.keys()].map((at) => {
    const failing = failingValues(byteValues, (value) => fails(replaced(stdin, at, value), args), budget);
    return { argument: null, byte: at + 1, values: failing };
  });
  const inArguments = texts.flatMap((text, i) =>
    [...text.keys()].map((at) => {
      const put = (value: number) =>
        args.map((arg, k) => (k === i ? Buffer.from(replaced(text, at, value)).toString() : arg));
      const failing = failingValues(argumentValues, (value) => fails(stdin, put(value)), budget);
      return { argument: i + 1, byte: at + 1, values: failing };
    }),
  );
  return [...inStdin, ...inArguments].flatMap(({ values, ...where }) =>
    values === null ? [] : [{ ...where, values: joined(values) }],
  );
}

function replaced(text: Uint8Array, at: number, value: number): Uint8Array {
  const copy = Uint8Array.from(text);
  copy[at] = value;
  return copy;
}

/** null where there was no time for all of them. */
function failingValues(
  { from, to }: { readonly from: number; readonly to: number },
  fails: (value: number) => boolean,
  budget: Cancellation,
): readonly number[] | null {
  const failing: number[] = [];
  for (let value = from; value <= to; value++) {
    if (budget.isCancelled()) return null;
    if (fails(value)) failing.push(value);
  }
  return failing;
}

function joined(values: readonly number[]): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const value of values) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === value - 1) last[1] = value;
    else ranges.push([value, value]);
  }
  return ranges;
}
