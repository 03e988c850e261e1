import {
  type Budget,
  budgetOf,
  type Cancellation,
  cancelledAfterTurn,
  neverCancelled,
  type WorkClock,
} from "../base/cancellation.ts";
import { nth } from "../base/checked.ts";
import { unlessRefused } from "../base/errors.ts";
import { type InputRequest, type InputSource, type InputValue, mulberry32 } from "../interpreter/inputs.ts";
import type { Outcome } from "../interpreter/outcome.ts";
import { createWarmRecorder } from "../interpreter/rerun/rerun.ts";
import type { RunOptions } from "../interpreter/run.ts";
import { defaultMaxSteps, recordTrace, runTrace, type Trace } from "../interpreter/trace.ts";
import type { Program } from "../ir/program.ts";
import { rangeOfInt } from "../ir/type.ts";
import { runOf } from "../recordedRun/runOf.ts";
import { isFlagged, watchedAt } from "../recordedRun/target.ts";
import {
  distributions,
  drawBetween,
  drawInputs,
  type InterestingNumbers,
  interestingNumbers,
} from "./candidateInputs.ts";

export function isFailure(outcome: Outcome): boolean {
  return (
    outcome.kind === "assertion" ||
    outcome.kind === "error-location" ||
    outcome.kind === "abort" ||
    outcome.kind === "undefined-behaviour" ||
    outcome.kind === "wrong-output" ||
    outcome.kind === "wrong-exit"
  );
}

/** Does the run fail, or record an error on its way to its end, or meet the condition that is watched? */
export function isFailingRun(trace: Trace): boolean {
  const { errorFlag: flag, watched } = trace.program;
  if (watched !== undefined) return watchedAt(runOf(trace), watched)?.holds === true;
  if (isFailure(trace.outcome)) return true;
  // A run that was cut short has recorded what it has recorded.
  if (flag === undefined || (trace.outcome.kind !== "exit" && trace.outcome.kind !== "limit")) return false;
  return isFlagged(runOf(trace), flag);
}

/** Failures that the user wrote come first, then what is wrong for other values too, then the ends of a type's range. */
export function failureRank(outcome: Outcome): number {
  switch (outcome.kind) {
    case "assertion":
    case "error-location":
    case "wrong-output":
    case "wrong-exit":
      return 0;
    case "abort":
      return 1;
    case "undefined-behaviour":
      return outcome.problem === "signed-overflow" ? 3 : 2;
    default:
      return 4;
  }
}

/** The best rank that a failure of the program can have. */
export function bestRank(program: Program): number {
  // Recorded errors and watched conditions have no outcome of their own.
  if (program.errorFlag !== undefined || program.watched !== undefined) return 4;
  const reasons = program.functions.flatMap(({ edges }) =>
    edges.flatMap(({ operation }) => (operation.kind === "fail" ? [operation.reason] : [])),
  );
  if (reasons.some((reason) => reason === "assertion" || reason === "error-location")) return 0;
  return reasons.includes("abort") ? 1 : 2;
}

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

export type SeededRunsOptions = {
  readonly seed: number;
  /** Runs that may be tried. */
  readonly runs: number;
  /** Steps that all runs together may make, but for the deep one. */
  readonly steps: number;
  /** Steps of each of the few deep runs, which the cancellation limits, too; 0 for none. */
  readonly deepSteps: number;
  readonly cancellation?: Cancellation;
  /** Which failures count; by default all. */
  accepts?(outcome: Outcome, trace: Trace): boolean;
  /** Go on until this holds of the failures found; by default until there is one that cannot be bettered (`failureRank`). */
  isEnough?(failures: readonly FailingRun[]): boolean;
};

export type FailingRun = {
  readonly inputs: readonly InputValue[];
  readonly outcome: Outcome;
  readonly steps: number;
  /** How many runs it took to find it. */
  readonly runs: number;
};

export type SeededRuns = {
  /** One for each way to fail: what the user wrote comes first. */
  readonly failures: readonly FailingRun[];
  /** Inputs of runs that came to something new: states to sample. */
  readonly corpus: readonly (readonly InputValue[])[];
  readonly runs: number;
  readonly steps: number;
};

export const quickRuns = { runs: 20_000, steps: 50_000_000, deepSteps: 50_000_000 } as const;

/** Steps of the first runs; a run that needs more is tried again when nothing shorter has failed. */
const shortRun = 10_000;
/** This many runs have distributions of their own; most later runs are variations of successful ones. */
const seededShare = 600;
/** From then on some runs stay between two of the program's numbers. */
const betweenAfter = 48;
/** Deep runs come after so many short ones. */
const deepAfter = [300, 450, 600];
/** A run that reads more is deep in its inputs, not in its work. */
const deepInputs = 100_000;
/** After a failure that could be bettered so many more runs are tried. */
const patience = 2000;
/** Runs that ask for more memory are not worth their time. */
const memoryOfRun = 2 ** 27;

/**
 * Runs before any symbolic work: the same small value everywhere, then one distribution per run, then variations of what
 * led to something new; and a few deep runs, for errors that take a long time to come. `given` comes first, where a run has
 * inputs of its own.
 */
export function seededRuns(
  program: Program,
  run: Omit<RunOptions, "inputs">,
  options: SeededRunsOptions,
  given: (attempt: InputSource) => InputSource = (attempt) => attempt,
): SeededRuns {
  const steps = budgetOf(options.steps, options.cancellation);
  const settings = { ...run, maxMemory: Math.min(run.maxMemory ?? memoryOfRun, memoryOfRun) };
  const recorder = createWarmRecorder(program, settings);
  const numbers = interestingNumbers(program);
  const guide = guidedInputs(options.seed, numbers);
  const failures = new Map<string, FailingRun>();
  const best = bestRank(program);
  const isEnough = (firstAt: number, now: number) =>
    options.isEnough?.([...failures.values()]) ??
    ([...failures.values()].some(({ outcome }) => failureRank(outcome) <= best) || now - firstAt > patience);

  let firstAt = Number.POSITIVE_INFINITY;
  let unfinished: number | null = null;
  let i = 0;
  for (; i < options.runs && !steps.isCancelled(); i++) {
    const source = attempt(i, options.seed, guide, numbers);
    // A value that does not fit its type is no run.
    const trace = unlessRefused(() =>
      recorder.record({ ...settings, inputs: given(source), maxSteps: room(i, run, steps) }),
    );
    if (trace === null) continue;
    // Drawing an input takes longer than a step.
    steps.spend(trace.steps + 30 * trace.inputs.length + 1);
    if (trace.outcome.kind === "limit" && trace.outcome.limit === "steps" && i < seededShare) unfinished = i;
    if (isFailingRun(trace) && options.accepts?.(trace.outcome, trace) !== false) {
      keep(
        failures,
        trace.outcome,
        trace.inputs.map(({ value }) => value),
        trace.steps,
        i + 1,
      );
      firstAt = Math.min(firstAt, i);
    } else if (!isFailure(trace.outcome)) {
      // A run that ends early with a failure that does not count leads no further.
      guide.learn(trace);
    }
    if (failures.size > 0 && isEnough(firstAt, i)) break;
    if (unfinished === null || !deepAfter.includes(i)) continue;
    const { failing: deep } = deepRun(
      program,
      settings,
      options,
      given(attempt(unfinished, options.seed, guide, numbers)),
    );
    if (deep === null) continue;
    keep(failures, deep.outcome, deep.inputs, deep.steps, i + 1);
    firstAt = Math.min(firstAt, i);
    if (isEnough(firstAt, i)) break;
  }
  const ranked = [...failures.values()].sort((a, b) => failureRank(a.outcome) - failureRank(b.outcome));
  return { failures: ranked, corpus: guide.corpus(), runs: i, steps: options.steps - steps.left() };
}

/** Deep runs alone, each for a part of the time that is left; stops at a program that reads nothing. */
export function deepRuns(
  program: Program,
  run: Omit<RunOptions, "inputs">,
  options: Pick<SeededRunsOptions, "seed" | "accepts"> & { readonly milliseconds: number; readonly clock: WorkClock },
): FailingRun | null {
  const numbers = interestingNumbers(program);
  const guide = guidedInputs(options.seed, numbers);
  const { clock } = options;
  const end = clock.now() + options.milliseconds;
  const settings = { ...run, maxMemory: Math.min(run.maxMemory ?? memoryOfRun, memoryOfRun) };
  for (let i = 0; i < mostDeep; i++) {
    const left = end - clock.now();
    if (left < leastDeep) return null;
    const cancellation = cancelledAfterTurn(0.6 * left, clock, run.cancellation ?? neverCancelled);
    const deepSteps = run.maxSteps ?? Number.POSITIVE_INFINITY;
    const deep = deepRun(
      program,
      settings,
      { ...options, cancellation, deepSteps },
      attempt(i, options.seed, guide, numbers),
    );
    if (deep.failing !== null) return { ...deep.failing, runs: i + 1 };
    if (deep.inputs === 0 || run.cancellation?.isCancelled() === true) return null;
  }
  return null;
}

const mostDeep = 12;
const leastDeep = 50;

function room(i: number, run: Omit<RunOptions, "inputs">, steps: Budget): number {
  return Math.min(run.maxSteps ?? steps.left(), steps.left(), shortRun * (1 + (i >> 4)));
}

/** One run that may take long, with the inputs of a short one that did not end. */
function deepRun(
  program: Program,
  settings: Omit<RunOptions, "inputs">,
  options: Pick<SeededRunsOptions, "deepSteps" | "cancellation" | "accepts">,
  inputs: InputSource,
): { readonly failing: Omit<FailingRun, "runs"> | null; readonly inputs: number } {
  if (options.deepSteps === 0) return { failing: null, inputs: 0 };
  const { cancellation } = options;
  const around = { ...settings, ...(cancellation === undefined ? {} : { cancellation }) };
  const some: InputSource = (request) => (request.index < deepInputs ? inputs(request) : null);
  const trace = unlessRefused(() => runTrace(program, { ...around, inputs: some, maxSteps: options.deepSteps }));
  if (trace === null) return { failing: null, inputs: 1 };
  const { outcome, steps } = trace;
  const values = trace.inputs.map(({ value }) => value);
  const isWanted = isFailure(outcome) && options.accepts?.(outcome, trace) !== false;
  const failing = isWanted ? { inputs: values, outcome, steps } : null;
  return { failing, inputs: values.length };
}

function keep(
  failures: Map<string, FailingRun>,
  outcome: Outcome,
  inputs: readonly InputValue[],
  steps: number,
  runs: number,
): void {
  const key = failureKey(outcome);
  const known = failures.get(key);
  if (known === undefined || steps < known.steps) failures.set(key, { inputs, outcome, steps, runs });
}

/** The same for failures of the same kind at the same place. */
export function failureKey(outcome: Outcome): string {
  const at = "at" in outcome && outcome.at !== null ? `${outcome.at.function}:${outcome.at.edge}` : "";
  return `${outcome.kind}:${outcome.kind === "undefined-behaviour" ? outcome.problem : ""}:${at}`;
}

const everywhere = [0n, 1n, -1n, 2n, 7n, 100n];

function attempt(i: number, seed: number, guide: GuidedInputs, numbers: InterestingNumbers): InputSource {
  const isSeeded = i < seededShare ? i % 8 !== 7 : i % 4 === 0;
  if (!isSeeded) return guide.next();
  const own = Math.imul(seed, 0x9e3779b1) + i;
  if (i >= betweenAfter && i % 4 === 0 && i % 8 !== 0) return drawBetween(own, numbers);
  const random = drawInputs(distributions[i % distributions.length]!, own, numbers);
  const same = everywhere[i];
  if (same === undefined) return random;
  return (request) => {
    const { type, within } = request;
    if (type.kind === "pointer") return 0n;
    if (type.kind === "float") return Number(same);
    if (within !== null && (same < within[0] || same > within[1])) return within[0];
    const isPossible = type.kind === "bool" ? same === 0n || same === 1n : same >= 0n || type.signed;
    return isPossible ? same : random(request);
  };
}

export type SearchOptions = Omit<SeededRunsOptions, "isEnough">;

export type SearchResult =
  | {
      readonly kind: "found";
      readonly trace: Trace;
      readonly runs: number;
      /** Other failures that were seen, one of each. */
      readonly others: readonly Outcome[];
    }
  | { readonly kind: "none"; readonly runs: number };

/** Looks for inputs with which the program fails, best with a failure that the user wrote, and records that run. */
export function searchFailure(
  program: Program,
  run: Omit<RunOptions, "inputs">,
  options: SearchOptions,
  given?: (attempt: InputSource) => InputSource,
): SearchResult {
  const { failures, runs } = seededRuns(program, run, options, given);
  const [first, ...others] = failures;
  if (first === undefined) return { kind: "none", runs };
  const maxSteps = Math.max(first.steps + 1, run.maxSteps ?? defaultMaxSteps);
  const trace = recordTrace(program, { ...run, inputs: first.inputs, maxSteps });
  return { kind: "found", trace, runs, others: others.map(({ outcome }) => outcome) };
}
