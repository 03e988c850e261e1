import { budgetOf, type Cancellation } from "../base/cancellation.ts";
import { TracefoldError } from "../base/errors.ts";
import type { InputValue } from "../interpreter/inputs.ts";
import type { RecordedInput } from "../interpreter/machine.ts";
import type { Outcome } from "../interpreter/outcome.ts";
import { type RunOptions, type RunResult, runProgram } from "../interpreter/run.ts";
import type { Trace } from "../interpreter/trace.ts";
import { absolute } from "../logic/numbers.ts";

/** Inputs with the same failure at the same place, and the run that confirmed it. */
export type SmallestRun = { readonly inputs: readonly InputValue[]; readonly steps: number };

export type ShrinkOptions = {
  /** Runs that may be tried. */
  readonly runs: number;
  /** Steps that all tries together may make. */
  readonly steps: number;
  /** Is a failing run with these inputs one that the explanation is about? */
  covers?(inputs: readonly RecordedInput[]): boolean;
  readonly cancellation?: Cancellation;
};

export const quickShrink: ShrinkOptions = { runs: 1500, steps: 20_000_000 };

/**
 * The fewest steps, so the fewest loop iterations, then the smallest values: first by leaving inputs out in ever smaller
 * groups, then by bringing each value nearer to zero, until neither helps. What is returned has been run.
 */
export function shrinkRun(trace: Trace, options: ShrinkOptions = quickShrink): SmallestRun {
  const original: SmallestRun = { inputs: trace.inputs.map(({ value }) => value), steps: trace.steps };
  let best = original;
  const runs = budgetOf(options.runs, options.cancellation);
  const steps = budgetOf(options.steps, runs);

  const attempt = (inputs: readonly InputValue[]): boolean => {
    if (steps.isCancelled()) return false;
    runs.spend();
    const result = tryRun(trace, { ...runOptionsOf(trace), inputs, maxSteps: best.steps + 1000 });
    if (result === null) return false;
    steps.spend(result.steps);
    if (!sameFailure(trace.outcome, result.outcome) || options.covers?.(result.inputs) === false) return false;
    const candidate = { inputs: result.inputs.map(({ value }) => value), steps: result.steps };
    if (!isSmaller(candidate, best)) return false;
    best = candidate;
    return true;
  };

  for (let before: SmallestRun | null = null; before !== best && !steps.isCancelled(); ) {
    before = best;
    leaveOut(() => best.inputs, attempt, steps);
    for (let i = 0; i < best.inputs.length && !steps.isCancelled(); i++) reduceValue(() => best.inputs, i, attempt);
  }
  return best;
}

/** What a run was made with, but for its inputs. */
export function runOptionsOf({ settings }: Trace): RunOptions {
  return {
    args: settings.args,
    stdin: settings.stdin,
    files: settings.files,
    undefinedBehaviour: settings.undefinedBehaviour,
    maxMemory: settings.maxMemory,
    ...(settings.programName === null ? {} : { programName: settings.programName }),
  };
}

/** A run whose inputs do not fit their types is no candidate. */
export function tryRun(
  { program }: Trace,
  options: RunOptions,
  run: (options: RunOptions) => RunResult = (given) => runProgram(program, given),
): RunResult | null {
  try {
    return run(options);
  } catch (error) {
    if (error instanceof TracefoldError) return null;
    throw error;
  }
}

export function sameFailure(a: Outcome, b: Outcome): boolean {
  if (a.kind !== b.kind || !("at" in a) || !("at" in b) || a.at === null || b.at === null) return false;
  if (a.kind === "undefined-behaviour" && b.kind === "undefined-behaviour" && a.problem !== b.problem) return false;
  return a.at.function === b.at.function && a.at.edge === b.at.edge;
}

function isSmaller(a: SmallestRun, b: SmallestRun): boolean {
  if (a.steps !== b.steps) return a.steps < b.steps;
  if (a.inputs.length !== b.inputs.length) return a.inputs.length < b.inputs.length;
  return weight(a.inputs) < weight(b.inputs);
}

/** Sum of magnitudes, negative values a little heavier than positive ones. */
function weight(inputs: readonly InputValue[]): number {
  return inputs.reduce<number>((sum, value) => sum + Math.abs(Number(value)) * 2 + (value < 0 ? 1 : 0), 0);
}

function leaveOut(
  current: () => readonly InputValue[],
  attempt: (inputs: readonly InputValue[]) => boolean,
  effort: Cancellation,
): void {
  for (let size = Math.max(1, current().length >> 1); size >= 1; size >>= 1) {
    for (let from = 0; from < current().length && !effort.isCancelled(); ) {
      const inputs = current();
      // Rounds may read an even number of inputs, or an odd one.
      if (![size, size + 1].some((count) => attemptWithout(inputs, from, count, attempt))) from += size;
    }
  }
}

function attemptWithout(
  inputs: readonly InputValue[],
  from: number,
  count: number,
  attempt: (inputs: readonly InputValue[]) => boolean,
): boolean {
  const without = [...inputs.slice(0, from), ...inputs.slice(from + count)];
  // What was left out may have counted something that an earlier input announces: try that one smaller too.
  return attempt(without) || attempt(withCountReduced(without, count));
}

function withCountReduced(inputs: readonly InputValue[], by: number): readonly InputValue[] {
  const [first, ...rest] = inputs;
  return typeof first === "bigint" && first > BigInt(by) ? [first - BigInt(by), ...rest] : inputs;
}

function reduceValue(
  current: () => readonly InputValue[],
  index: number,
  attempt: (inputs: readonly InputValue[]) => boolean,
): void {
  const replace = (value: InputValue) => attempt(current().map((old, i) => (i === index ? value : old)));
  const value = current()[index];
  if (typeof value === "number") {
    for (const simple of [0, 1, Math.trunc(value)]) if (simple !== value && replace(simple)) return;
    return;
  }
  if (value === undefined || value === 0n) return;
  for (const simple of [0n, 1n, -1n, 2n]) {
    if (simple !== value && absolute(simple) <= absolute(value) && replace(simple)) return;
  }
  // Halve the distance to zero while that works, then step by ever smaller differences.
  for (let distance = value / 2n; distance !== 0n; ) {
    const now = current()[index];
    if (typeof now !== "bigint" || !replace(now - distance)) distance /= 2n;
  }
}
