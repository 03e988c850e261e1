import { present } from "../base/checked.ts";
import type { Annotation } from "../cutpoints/houdini.ts";
import { afterRounds, type LoopSystem, writtenBy } from "../cutpoints/loopSystem.ts";
import type { Term, Variable } from "../logic/term.ts";
import { freeVariablesOf } from "../logic/traverse.ts";
import { nodeKey } from "../symbolic/followEdge.ts";
import type { Approximation } from "../symbolic/stepEnvironment.ts";
import { originState, startOfProgram } from "../symbolic/symbolicState.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import {
  type EnvironmentOptions,
  type ExecutedTrace,
  encodeAt,
  executeTrace,
  type RunEncoding,
  traceEnvironment,
} from "./executeTrace.ts";
import type { Activation, LiveFrame, Run, RunPoint, TraceStep } from "./run.ts";
import type { Target } from "./target.ts";

/**
 * A recorded run with some of its loops folded: a stretch of single steps, a folded loop, a stretch, …, the last stretch, and
 * the target behind it. It stands for every run that takes these stretches, with any number of rounds where a loop is folded
 * (or with as many, where its rounds are counted).
 */
export type FoldedRun = {
  readonly run: Run;
  readonly parts: readonly (Stretch | FoldedLoop)[];
  readonly target: Target;
};

/** The arrivals at a loop's head from the step `begin` to the step `end`, replaced by formulas at the loop's cut points. */
export type FoldedLoop = {
  readonly kind: "fold";
  readonly activation: Activation;
  /** The steps that come right after the first and the last arrival. */
  readonly begin: number;
  readonly end: number;
  readonly system: LoopSystem;
  readonly annotation: Annotation;
  /** The annotation at the loop's own head. */
  readonly invariant: readonly Term[];
  /** The invariant at the entry and at the exit of the loop: the same but for the number of rounds. */
  readonly entry: readonly Term[];
  readonly exit: readonly Term[];
  /** How often the loop goes round between `begin` and `end` on the run, where the annotation speaks of it; else null. */
  readonly rounds: number | null;
  /** Places that the loop may write; and whether it may write memory that no place names. */
  readonly written: readonly Variable[];
  readonly writesAnyMemory: boolean;
};

export function foldedLoop(
  symbols: Symbols,
  activation: Activation,
  { begin, end }: Pick<FoldedLoop, "begin" | "end">,
  { system, annotation }: Pick<FoldedLoop, "system" | "annotation">,
): FoldedLoop {
  const { places, anyMemory } = writtenBy(system);
  const invariant = present(annotation.get(nodeKey(system.root)));
  const counter = symbols.rounds(system.root);
  const rounds = activation.visits.indexOf(end) - activation.visits.indexOf(begin);
  const isCounted = freeVariablesOf([...annotation.values()].flat()).includes(counter);
  return {
    kind: "fold",
    activation,
    begin,
    end,
    system,
    annotation,
    invariant,
    entry: afterRounds(symbols, counter, 0, invariant),
    exit: afterRounds(symbols, counter, rounds, invariant),
    rounds: isCounted ? rounds : null,
    written: places.filter((place) => place !== counter),
    writesAnyMemory: anyMemory,
  };
}

/** The folds are in the order of the run and end before its target. */
export function foldedRun(run: Run, folds: readonly FoldedLoop[], target: Target): FoldedRun {
  const parts: (Stretch | FoldedLoop)[] = [];
  let before: FoldedLoop | null = null;
  for (const fold of folds) {
    parts.push(stretchOf(run, before === null ? null : endOf(before), fold.begin), fold);
    before = fold;
  }
  parts.push(stretchOf(run, before === null ? null : endOf(before), target.step));
  return { run, parts, target };
}

/** The last arrival at a folded loop's head: the rest of the run begins there. */
function endOf({ activation, end }: FoldedLoop) {
  return { step: end, location: activation.loop.header, stack: activation.stack };
}

export function foldsOf({ parts }: FoldedRun): readonly FoldedLoop[] {
  return parts.filter((part) => part.kind === "fold");
}

/** Single steps of a recorded run, from the start of the program or the last arrival at a folded loop's head to some later step. */
export type Stretch = {
  readonly kind: "stretch";
  /** The first point; null at the start of the program. */
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
export type StretchOptions = Pick<EnvironmentOptions, "symbolicInputs">;

/**
 * Follows a stretch symbolically: over the values at the folded loop's head where it begins behind one, over nothing but
 * unknowns and inputs where it begins with the program.
 */
export function executeStretch(
  symbols: Symbols,
  run: Run,
  stretch: Stretch,
  encoding: RunEncoding,
  options: StretchOptions = {},
): ExecutedTrace {
  const isWholeRun = stretch.start === null;
  const state = isWholeRun ? startOfProgram(symbols) : originState;
  const environment = traceEnvironment(symbols, run, { isWholeRun, ...encoding, ...options });
  return executeTrace(symbols, stretch.steps, { state, stack: stretch.stack }, environment);
}

/** The same with what pointers pointed to at the start looked up, and what `use` makes of it; and what was not exact. */
export function encodeStretch<Result>(
  symbols: Symbols,
  run: Run,
  stretch: Stretch,
  use: (executed: ExecutedTrace, encoding: RunEncoding) => Result,
  options: StretchOptions = {},
): { readonly result: Result; readonly notes: readonly Approximation[] } {
  return encodeAt(
    symbols,
    run,
    stretch.start,
  )((encoding) => use(executeStretch(symbols, run, stretch, encoding, options), encoding));
}
