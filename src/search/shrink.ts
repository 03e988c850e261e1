import { budgetOf, type Cancellation } from "../base/cancellation.ts";
import { nth } from "../base/checked.ts";
import { unlessRefused } from "../base/errors.ts";
import type { InputValue } from "../interpreter/inputs.ts";
import type { RecordedInput } from "../interpreter/machine.ts";
import type { Outcome } from "../interpreter/outcome.ts";
import { createWarmRuns } from "../interpreter/rerun/rerun.ts";
import { type RunOptions, runProgram } from "../interpreter/run.ts";
import type { Trace } from "../interpreter/trace.ts";
import { absolute } from "../logic/linear.ts";

/** Inputs with the same failure at the same place, and the confirming run. */
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
    // A run whose inputs do not fit their types is no candidate.
    const given = { ...runOptionsOf(trace), inputs, maxSteps: best.steps + 1000 };
    const result = unlessRefused(() => runProgram(trace.program, given));
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

/** The options of a run without its inputs. */
export function runOptionsOf({ settings }: Trace): RunOptions {
  return {
    args: settings.args,
    stdin: settings.stdin,
    files: settings.files,
    undefinedBehaviour: settings.undefinedBehaviour,
    maxMemory: settings.maxMemory,
    ...(settings.programName === null ? {} : { programName: settings.programName }),
    ...(settings.test === null ? {} : { test: settings.test }),
  };
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
  // An earlier input may count the omitted ones: try a smaller one, too.
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

export type SmallestText = {
  readonly stdin: Uint8Array;
  readonly args: readonly string[];
  readonly steps: number;
  /** They were run once more, from the start, and failed in the same way after as many steps. */
  readonly confirmed: boolean;
};

type Candidate = Omit<SmallestText, "confirmed">;

export const quickTextShrink: Omit<ShrinkOptions, "covers"> = { runs: 1500, steps: 10_000_000 };

/**
 * The shortest text that a run fails with, by leaving out lines, words and characters in ever smaller groups (Zeller and Hildebrandt,
 * "Simplifying and isolating failure-inducing input", TSE 2002), then with smaller numbers. null where the run had no text. What has to be
 * printed goes with the input as it is, so that a wrong output has none.
 */
export function shrinkText(trace: Trace, options = quickTextShrink): SmallestText | null {
  const { settings, outcome } = trace;
  const hasText = settings.stdin.length > 0 || settings.args.length > 0;
  if (!hasText || outcome.kind === "wrong-output" || outcome.kind === "wrong-exit") return null;
  const { undefinedBehaviour, maxMemory } = settings;
  const runs = budgetOf(options.runs, options.cancellation);
  const steps = budgetOf(options.steps, runs);
  const warm = createWarmRuns(trace.program, { undefinedBehaviour, maxMemory });
  const inputs = trace.inputs.map(({ value }) => value);
  let best: Candidate = { stdin: settings.stdin, args: settings.args, steps: trace.steps };
  const attempt = (stdin: Uint8Array, args: readonly string[]): boolean => {
    if (steps.isCancelled()) return false;
    runs.spend();
    const given = { ...runOptionsOf(trace), inputs, stdin, args, maxSteps: 2 * trace.steps + 1000 };
    const result = unlessRefused(() => warm.run(given));
    steps.spend((result?.steps ?? 0) + 200);
    if (result === null || !sameFailure(outcome, result.outcome)) return false;
    best = { stdin, args, steps: result.steps };
    return true;
  };
  const isOver = () => steps.isCancelled();
  for (let before: Candidate | null = null; before !== best && !isOver(); ) {
    before = best;
    shrinkBytes(best.stdin, (stdin) => attempt(stdin, best.args), isOver);
    dropParts(best.args, (args) => attempt(best.stdin, args), isOver);
    for (let i = 0; i < best.args.length; i++) {
      const put = (text: Uint8Array) => best.args.map((arg, k) => (k === i ? Buffer.from(text).toString() : arg));
      shrinkBytes(Buffer.from(nth(best.args, i)), (text) => attempt(best.stdin, put(text)), isOver);
    }
  }
  return { ...best, confirmed: isConfirmed(trace, { ...best, inputs }) };
}

/** Does a run from the start fail in the same way after as many steps? Warm runs are left over from the runs before. */
export function isConfirmed(trace: Trace, { steps, ...given }: SmallestRun & Partial<Candidate>): boolean {
  const options = { ...runOptionsOf(trace), ...given, maxSteps: steps + 1 };
  const again = unlessRefused(() => runProgram(trace.program, options));
  return again !== null && again.steps === steps && sameFailure(trace.outcome, again.outcome);
}

/** Calls `attempt` with ever shorter texts; it says which of them will do. */
function shrinkBytes(text: Uint8Array, attempt: (text: Uint8Array) => boolean, isOver: () => boolean): void {
  let best = text;
  const keep = (parts: readonly Uint8Array[]): boolean => {
    const candidate = Buffer.concat(parts);
    if (!attempt(candidate)) return false;
    best = candidate;
    return true;
  };
  dropParts(split(best, /[^\n]*\n|[^\n]+/g), keep, isOver);
  dropParts(split(best, /\s+|[^\s]+/g), keep, isOver);
  if (best.length <= longestByCharacter) dropParts(split(best, /./gs), keep, isOver);
  simplifyNumbers(split(best, /\d+|\D+/g), keep, isOver);
}

/** Longer texts are not taken apart into characters. */
const longestByCharacter = 400;

function split(text: Uint8Array, pattern: RegExp): readonly Uint8Array[] {
  return (Buffer.from(text).toString("latin1").match(pattern) ?? []).map((part) => Buffer.from(part, "latin1"));
}

/** Leaves out groups of parts, at first half of them, at last one by one. */
function dropParts<Part>(
  parts: readonly Part[],
  keep: (parts: readonly Part[]) => boolean,
  isOver: () => boolean,
): void {
  let best = parts;
  for (let size = Math.max(1, best.length >> 1); ; size >>= 1) {
    for (let at = 0; at < best.length && !isOver(); ) {
      const rest = [...best.slice(0, at), ...best.slice(at + size)];
      if (keep(rest)) best = rest;
      else at += size;
    }
    if (size <= 1 || isOver()) return;
  }
}

/** A number becomes 0, 1, one with fewer digits, a power of ten, or half of it. */
function simplifyNumbers(
  parts: readonly Uint8Array[],
  keep: (parts: readonly Uint8Array[]) => boolean,
  isOver: () => boolean,
): void {
  let best = parts;
  for (let i = 0; i < best.length && !isOver(); i++) {
    const text = Buffer.from(nth(best, i)).toString("latin1");
    if (!/^\d+$/.test(text) || text === "0") continue;
    const round = `1${"0".repeat(text.length - 1)}`;
    const simpler = ["0", "1", "2", text.slice(0, 1), text.slice(0, text.length >> 1), round, `${BigInt(text) / 2n}`];
    for (const number of simpler.filter((each) => each !== "" && BigInt(each) < BigInt(text))) {
      const candidate = best.map((part, k) => (k === i ? Buffer.from(number) : part));
      if (!keep(candidate)) continue;
      best = candidate;
      break;
    }
  }
}
