import { budgetOf, type Cancellation } from "../base/cancellation.ts";
import { TracefoldError } from "../base/errors.ts";
import type { Program } from "../ir/program.ts";
import { watchedAt } from "../model/target.ts";
import { runOf } from "../run/runOf.ts";
import { type InputSource, randomInputs } from "../trace/inputs.ts";
import type { Outcome } from "../trace/outcome.ts";
import type { RunOptions } from "../trace/runOptions.ts";
import { edgeAt, stepCursor } from "../trace/stepCursor.ts";
import { recordTrace, type Trace } from "../trace/trace.ts";
import { type GuidedInputs, guidedInputs } from "./guidedInputs.ts";

export type SearchOptions = {
  readonly seed: number;
  /** Runs that may be tried. */
  readonly runs: number;
  /** Steps that all runs together may make. */
  readonly steps: number;
  readonly cancellation?: Cancellation;
  /** Which failures count; by default all. */
  accepts?(outcome: Outcome, trace: Trace): boolean;
};

/** Every so many runs the inputs are random, however much the others have learned. */
const unguided = 4;

export const quickSearch = { runs: 20_000, steps: 50_000_000 } as const;

export type SearchResult =
  | { readonly kind: "found"; readonly trace: Trace; readonly runs: number }
  | { readonly kind: "none"; readonly runs: number };

/** Steps of the first runs; a run that needs more is tried again when nothing shorter has failed. */
const shortRun = 10_000;

/**
 * Looks for inputs with which the program fails: at first the same small value everywhere, then random values from the
 * seed, and variations of those that led to something new. `given` comes first, where a run has inputs of its own.
 */
export function searchFailure(
  program: Program,
  run: Omit<RunOptions, "inputs">,
  options: SearchOptions,
  given: (attempt: InputSource) => InputSource = (attempt) => attempt,
): SearchResult {
  const steps = budgetOf(options.steps, options.cancellation);
  const guide = guidedInputs(program, options.seed);
  for (let i = 0; i < options.runs; i++) {
    if (steps.isCancelled()) return { kind: "none", runs: i };
    const maxSteps = Math.min(run.maxSteps ?? steps.left(), steps.left(), shortRun * (1 + (i >> 4)));
    const trace = tryRun(program, { ...run, inputs: given(attempt(i, options.seed, guide)), maxSteps });
    if (trace === null) continue;
    steps.spend(trace.steps + 1);
    if (isFailingRun(trace) && options.accepts?.(trace.outcome, trace) !== false) {
      return { kind: "found", trace, runs: i + 1 };
    }
    // What ends early with a failure that does not count leads no further.
    if (!isFailure(trace.outcome)) guide.learn(trace);
  }
  return { kind: "none", runs: options.runs };
}

const everywhere = [0n, 1n, -1n, 2n, 7n, 100n];

function attempt(i: number, seed: number, guide: GuidedInputs): InputSource {
  const same = everywhere[i];
  if (same === undefined && i % unguided !== 0) return guide.next();
  const random = randomInputs(Math.imul(seed, 0x2545f491) + i);
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

/** A value that does not fit its type is no run. */
function tryRun(program: Program, options: RunOptions): Trace | null {
  try {
    return recordTrace(program, options);
  } catch (error) {
    if (error instanceof TracefoldError) return null;
    throw error;
  }
}

export function isFailure(outcome: Outcome): boolean {
  return (
    outcome.kind === "assertion" ||
    outcome.kind === "error-location" ||
    outcome.kind === "abort" ||
    outcome.kind === "undefined-behaviour"
  );
}

/** Does the run fail, or record an error on its way to its end, or meet the condition that is watched? */
export function isFailingRun(trace: Trace): boolean {
  const { errorFlag: flag, watched } = trace.program;
  if (watched !== undefined) return watchedAt(runOf(trace), watched)?.holds === true;
  if (isFailure(trace.outcome)) return true;
  // A run that was cut short has recorded what it has recorded.
  if (flag === undefined || (trace.outcome.kind !== "exit" && trace.outcome.kind !== "limit")) return false;
  const cursor = stepCursor(trace);
  while (cursor.next()) {
    const { operation } = edgeAt(trace.program, cursor);
    if (operation.kind === "assign" && operation.target === flag) return true;
  }
  return false;
}
