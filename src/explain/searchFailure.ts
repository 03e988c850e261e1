import type { Program } from "../ir/program.ts";
import { type InputSource, type InputValue, randomInputs } from "../trace/inputs.ts";
import type { Outcome } from "../trace/outcome.ts";
import { type RunOptions, type RunResult, runProgram } from "../trace/run.ts";

export type SearchOptions = {
  readonly seed: number;
  /** Runs that may be tried. */
  readonly runs: number;
  /** Steps that all runs together may make. */
  readonly steps: number;
  isInterrupted?(): boolean;
  /** Which failures count; by default all. */
  accepts?(outcome: Outcome): boolean;
};

export const quickSearch = { runs: 20_000, steps: 50_000_000 } as const;

export type SearchResult =
  | { readonly kind: "found"; readonly inputs: readonly InputValue[]; readonly runs: number }
  | { readonly kind: "none"; readonly runs: number };

/** Steps of the first runs; a run that needs more is tried again when nothing shorter has failed. */
const shortRun = 10_000;

/**
 * Looks for inputs with which the program fails: at first the same small value everywhere, then random values from the
 * seed. `given` comes first, where a run has inputs of its own.
 */
export function searchFailure(
  program: Program,
  run: Omit<RunOptions, "inputs">,
  options: SearchOptions,
  given: (attempt: InputSource) => InputSource = (attempt) => attempt,
): SearchResult {
  let steps = options.steps;
  for (let i = 0; i < options.runs && steps > 0; i++) {
    if (options.isInterrupted?.()) return { kind: "none", runs: i };
    const maxSteps = Math.min(run.maxSteps ?? steps, steps, shortRun * (1 + (i >> 4)));
    const result = tryRun(program, { ...run, inputs: given(attempt(i, options.seed)), maxSteps });
    if (result === null) continue;
    steps -= result.steps + 1;
    if (!isFailure(result.outcome) || options.accepts?.(result.outcome) === false) continue;
    return { kind: "found", inputs: result.inputs.map(({ value }) => value), runs: i + 1 };
  }
  return { kind: "none", runs: options.runs };
}

const everywhere = [0n, 1n, -1n, 2n, 7n, 100n];

function attempt(i: number, seed: number): InputSource {
  const same = everywhere[i];
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
function tryRun(program: Program, options: RunOptions): RunResult | null {
  try {
    return runProgram(program, options);
  } catch {
    return null;
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
