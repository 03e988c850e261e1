import { type CompressedTrace, compressTrace } from "../../../analyses/compress/compressTrace.ts";
import { asFoldedLoop, describeFailure } from "../../../analyses/compress/fold.ts";
import {
  type AbstractErrorTrace,
  type AbstractionResult,
  abstractErrorTrace,
} from "../../../analyses/errorInvariants/abstractErrorTrace.ts";
import { cancelledAfterWork, unlessCancelled } from "../../../base/cancellation.ts";
import { nth } from "../../../base/checked.ts";
import { formatPlace } from "../../../base/sourceRange.ts";
import { loopRange } from "../../../ir/loops.ts";
import { printOperation } from "../../../ir/printOperation.ts";
import { evaluate } from "../../../logic/evaluate.ts";
import { printSource } from "../../../logic/printSource.ts";
import type { Term } from "../../../logic/term.ts";
import { type FoldedLoop, type FoldedRun, foldedRun } from "../../../recordedRun/foldedRun.ts";
import type { Run } from "../../../recordedRun/run.ts";
import type { Transition } from "../../../recordedRun/traceFormula.ts";
import { placeStyle } from "../../../symbolic/placeStyle.ts";
import type { Symbols } from "../../../symbolic/symbols.ts";
import type { LogicWork } from "../proveExplanation.ts";
import { wayConditions } from "../wayConditions.ts";
import type { Stage } from "./stage.ts";

export type Folded = {
  readonly compressed: CompressedTrace;
  readonly folds: readonly FoldedLoop[];
  readonly folded: FoldedRun;
};

/** The part of the remaining time for folding; an unfolded run can often be explained, too. */
const foldingShare = 0.5;

/** Replaces loops by their invariants. */
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
    ...folds
      .slice(1)
      .flatMap((fold, i) => (nth(folds, i).end <= fold.begin ? [] : [`${nameOf(fold)} begins in another`])),
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

/** Checks an invariant against the recorded run, at every arrival at the loop head that it replaces. */
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
        const { terms } = nth(points, point);
        return [
          `${printSource(nth(terms, i), placeStyle(symbols, terms))} is false at step ${step} of ${nameOf(fold)}`,
        ];
      }),
    ),
  );
}

export type Abstracted = {
  /** null if the work was cancelled. */
  readonly result: AbstractionResult | null;
  readonly abstraction: AbstractErrorTrace | null;
  readonly way: readonly Transition[];
};

type Given = LogicWork & Folded;

/** Finds the statements that imply the failure, and the facts between them. */
export const facts: Stage<Given, Abstracted> = {
  name: "facts",
  make({ symbols, prover, run, target, folded, options }) {
    options.progress?.("explaining");
    const flowSensitive = options.flowSensitive ?? false;
    const result = unlessCancelled(() => abstractErrorTrace(symbols, prover, folded, { flowSensitive }), null);
    const abstraction = result?.kind === "abstracted" ? result.trace : null;
    const way = abstraction === null || flowSensitive ? [] : wayConditions(symbols, run, abstraction, target);
    return { result, abstraction, way };
  },
  problems: (made) => (made.abstraction === null ? [] : [...misplaced(made.abstraction), ...brokenFacts(made)]),
  print({ symbols, trace, result, abstraction }) {
    if (abstraction === null) return `none: ${result?.kind === "failed" ? result.reason : "cancelled"}\n`;
    const lines = abstraction.stretches.flatMap(({ fact, kept, within }) => {
      const style = placeStyle(symbols, fact);
      const text = fact.map((atom) => printSource(atom, style)).join(" && ");
      const statement = (transition: Transition) => `  ${describe(transition, trace.program)}`;
      return [
        `-- ${text || "true"}`,
        ...within.map((each) => `${statement(each)}  (in between)`),
        ...(kept === null ? [] : [statement(kept)]),
      ];
    });
    return `${lines.join("\n")}\n`;
  },
};

function describe({ origin }: Transition, program: Given["trace"]["program"]): string {
  switch (origin.kind) {
    case "step":
      return `${origin.step + 1}: ${origin.function.name}: ${printOperation(program, origin.edge.operation)}`;
    case "fold":
      return `${origin.fold.begin + 1}: ${origin.function.name}: a folded loop`;
    case "initial":
      return `start: ${origin.place.name}`;
  }
}

/** Checks that stretches have no gaps and that relevant transitions are in order. */
function misplaced({ stretches, relevant, formula }: AbstractErrorTrace): readonly string[] {
  const problems: string[] = [];
  let next = 0;
  for (const { from, to, kept } of stretches) {
    if (from !== next || to < from) problems.push(`the fact of ${from} to ${to} does not begin at ${next}`);
    if (kept !== null && kept.index !== to)
      problems.push(`transition ${kept.index} does not end the fact of ${from} to ${to}`);
    next = to + 1;
  }
  if (next !== formula.transitions.length + 1) problems.push("the facts do not reach the target");
  if (relevant.some(({ index }, i) => i > 0 && nth(relevant, i - 1).index >= index))
    problems.push("statements are not in order");
  return problems;
}

/** The number of facts that are checked on the run; each one needs another run up to its place. */
const mostFacts = 40;

/** Checks each fact against the recorded values at the start of its stretch. */
function brokenFacts({ symbols, run, abstraction }: Given & Abstracted): readonly string[] {
  const { stretches, formula } = abstraction!;
  return stretches.slice(-mostFacts).flatMap(({ from, fact }) => {
    const origin = formula.transitions[from]?.origin;
    if (origin?.kind !== "step" || fact.length === 0) return [];
    const point = { step: origin.step, location: origin.edge.from, stack: origin.stack };
    const values = run.valuesAt(symbols, point, (assignment) => fact.map((atom) => evaluate(atom, assignment)));
    const style = placeStyle(symbols, fact);
    return fact.flatMap((atom, i) =>
      values?.[i] === false ? [`${printSource(atom, style)} is false before step ${origin.step + 1}`] : [],
    );
  });
}
