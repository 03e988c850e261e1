import type { Annotation } from "../cutpoints/biid.ts";
import { afterRounds } from "../cutpoints/countRounds.ts";
import { type LoopSystem, writtenBy } from "../cutpoints/loopSystem.ts";
import type { Term, Variable } from "../logic/term.ts";
import { freeVariablesOf } from "../logic/traverse.ts";
import type { Activation, Run } from "../run/run.ts";
import { nodeKey } from "../symbolic/inlinedNode.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { type Stretch, stretchOf } from "./stretch.ts";
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
  /** What it says where the loop is entered and where it is left: the same, but for the number of rounds. */
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
  const invariant = annotation.get(nodeKey(system.root))!;
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

/** Where the last arrival at a folded loop's head is, and what comes behind it begins. */
function endOf({ activation, end }: FoldedLoop) {
  return { step: end, location: activation.loop.header, stack: activation.stack };
}

export function foldsOf({ parts }: FoldedRun): readonly FoldedLoop[] {
  return parts.filter((part) => part.kind === "fold");
}
