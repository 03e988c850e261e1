import { type CompressedTrace, compressTrace } from "../../analyses/compress/compressTrace.ts";
import { describeFailure } from "../../analyses/compress/describeNeed.ts";
import { asFoldedLoop } from "../../analyses/compress/fold.ts";
import { cancelledAfterWork } from "../../base/cancellation.ts";
import { formatPlace } from "../../base/sourceRange.ts";
import { loopRange } from "../../ir/loops.ts";
import { printSource } from "../../logic/printSource.ts";
import type { Term } from "../../logic/term.ts";
import { type FoldedLoop, type FoldedRun, foldedRun } from "../../recordedRun/foldedRun.ts";
import type { Run } from "../../recordedRun/run.ts";
import { placeStyle } from "../../symbolic/placeStyle.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { LogicWork } from "../logicWork.ts";
import type { Stage } from "../stage.ts";

export type Folded = {
  readonly compressed: CompressedTrace;
  readonly folds: readonly FoldedLoop[];
  readonly folded: FoldedRun;
};

/** Of the time that is left: a run with its loops as they are is often explained, too. */
const foldingShare = 0.5;

/** Loops in which nothing new happens, replaced by what they keep. */
export const folds: Stage<LogicWork, Folded> = {
  name: "folds",
  make({ symbols, proverFor, cancellation, run, target, options }) {
    options.progress?.("folding");
    const fold = { families: options.candidates ?? "extended", maxAttempts: options.maxAttempts ?? 50 } as const;
    const left = cancellation.workLeft?.();
    const prover = proverFor(
      symbols,
      left === undefined ? cancellation : cancelledAfterWork(foldingShare * left, cancellation),
    );
    const found = compressTrace({ symbols, prover, run, options: fold }, target);
    const compressed = { ...found, interrupted: found.interrupted && cancellation.isCancelled() };
    const folds = compressed.folds.map((each) => asFoldedLoop(symbols, each));
    return { compressed, folds, folded: foldedRun(run, folds, target) };
  },
  problems: ({ folds, symbols, run }) => [
    ...folds.slice(1).flatMap((fold, i) => (folds[i]!.end <= fold.begin ? [] : [`${nameOf(fold)} begins in another`])),
    ...folds.flatMap((fold) => brokenOn(symbols, run, fold)),
  ],
  print: ({ symbols, compressed, folds }) =>
    [
      ...folds.map((fold) => {
        const style = placeStyle(symbols, fold.invariant);
        const facts = fold.invariant.map((fact) => printSource(fact, style)).join(" && ");
        const counted = fold.rounds === null ? "" : `, ${fold.rounds} rounds counted`;
        return `${nameOf(fold)}, steps ${fold.begin + 1} to ${fold.end}: ${facts || "true"}${counted}\n`;
      }),
      ...compressed.failures.map((failure) => `${nameOf(failure)}: not folded: ${describeFailure(symbols, failure)}\n`),
    ].join(""),
};

function nameOf({ activation }: { readonly activation: Pick<FoldedLoop["activation"], "function" | "loop"> }): string {
  return `the loop at ${formatPlace(loopRange(activation.function, activation.loop))}`;
}

/** What an invariant says holds on the recorded run itself, at every arrival that it stands for. */
function brokenOn(symbols: Symbols, run: Run, fold: FoldedLoop): readonly string[] {
  const { activation, system, begin, end, invariant, entry, exit, rounds } = fold;
  const visits = new Set(activation.visits.filter((visit) => visit >= begin && visit <= end));
  const at = (terms: readonly Term[], wanted: (step: number) => boolean) => ({
    node: system.root,
    stack: activation.stack,
    terms,
    wanted,
  });
  const points =
    rounds === null
      ? [at(invariant, (step) => visits.has(step))]
      : [at(entry, (step) => step === begin), at(exit, (step) => step === end)];
  const samples = run.sample(symbols, points, end + 1);
  return samples.flatMap((list, point) =>
    list.flatMap(({ step, values }) =>
      values.flatMap((value, i) => {
        if (value !== false) return [];
        const { terms } = points[point]!;
        return [`${printSource(terms[i]!, placeStyle(symbols, terms))} is false at step ${step} of ${nameOf(fold)}`];
      }),
    ),
  );
}
