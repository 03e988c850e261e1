import {
  type AbstractErrorTrace,
  type AbstractionResult,
  abstractErrorTrace,
} from "../../analyses/errorInvariants/abstractErrorTrace.ts";
import { unlessCancelled } from "../../base/cancellation.ts";
import { printOperation } from "../../ir/printOperation.ts";
import { evaluate } from "../../logic/evaluate.ts";
import { printSource } from "../../logic/printSource.ts";
import type { Transition } from "../../recordedRun/traceFormula.ts";
import { placeStyle } from "../../symbolic/placeStyle.ts";
import type { LogicWork } from "../logicWork.ts";
import type { Stage } from "../stage.ts";
import { wayConditions } from "../wayConditions.ts";
import type { Folded } from "./folds.ts";

export type Abstracted = {
  /** null where the work was cancelled. */
  readonly result: AbstractionResult | null;
  readonly abstraction: AbstractErrorTrace | null;
  /** Conditions that led to the statements of the explanation, or past others. */
  readonly way: readonly Transition[];
};

type Given = LogicWork & Folded;

/** The statements that the failure follows from, and the facts between them. */
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

/** Stretches follow each other without a gap, and relevant transitions are in order. */
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
  if (relevant.some(({ index }, i) => i > 0 && relevant[i - 1]!.index >= index))
    problems.push("statements are not in order");
  return problems;
}

/** So many facts are looked up on the run: each is another run up to its place. */
const mostFacts = 40;

/** A fact is over places: it holds of their values on the recorded run, at the place where its stretch begins. */
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
