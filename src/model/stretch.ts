import { type Encoding, encodeAt } from "../run/encodeAt.ts";
import { type ExecutedTrace, executeTrace } from "../run/executeTrace.ts";
import type { LiveFrame, Run, RunPoint, TraceStep } from "../run/run.ts";
import { type SurroundingsOptions, traceSurroundings } from "../run/traceSurroundings.ts";
import type { Approximation } from "../symbolic/bodySurroundings.ts";
import { startOfProgram } from "../symbolic/startOfProgram.ts";
import { originState } from "../symbolic/symbolicState.ts";
import type { Symbols } from "../symbolic/symbols.ts";

/** Single steps of a recorded run, from the start of the program or the last arrival at a folded loop's head to some later step. */
export type Stretch = {
  readonly kind: "stretch";
  /** Where it begins; null at the start of the program. */
  readonly start: RunPoint | null;
  /** The step before which it ends. */
  readonly to: number;
  /** The frames that are live at its start. */
  readonly stack: readonly LiveFrame[];
  readonly steps: readonly TraceStep[];
};

export function stretchOf(run: Run, start: RunPoint | null, to: number): Stretch {
  const { steps, stack } = run.between(start?.step ?? 0, to);
  return { kind: "stretch", start, to, stack: start?.stack ?? stack, steps };
}

/** How a stretch is followed, beyond what its encoding knows. */
export type StretchOptions = Pick<SurroundingsOptions, "symbolicInputs">;

/**
 * Follows a stretch symbolically: over the values at the folded loop's head where it begins behind one, over nothing but
 * unknowns and inputs where it begins with the program.
 */
export function executeStretch(
  symbols: Symbols,
  run: Run,
  stretch: Stretch,
  encoding: Encoding,
  options: StretchOptions = {},
): ExecutedTrace {
  const isWholeRun = stretch.start === null;
  const state = isWholeRun ? startOfProgram(symbols) : originState;
  const surroundings = traceSurroundings(symbols, run, { isWholeRun, ...encoding, ...options });
  return executeTrace(symbols, stretch.steps, { state, stack: stretch.stack }, surroundings);
}

/** The same with what pointers pointed to at the start looked up, and what `use` makes of it; and what was not exact. */
export function encodeStretch<Result>(
  symbols: Symbols,
  run: Run,
  stretch: Stretch,
  use: (executed: ExecutedTrace, encoding: Encoding) => Result,
  options: StretchOptions = {},
): { readonly result: Result; readonly notes: readonly Approximation[] } {
  return encodeAt(
    symbols,
    run,
    stretch.start,
  )((encoding) => use(executeStretch(symbols, run, stretch, encoding, options), encoding));
}
