import { assertWanted } from "../../base/assertWanted.ts";
import { isBranch } from "../../ir/branches.ts";
import type { Edge } from "../../ir/program.ts";
import { freeVariables } from "../../logic/freeVariables.ts";
import { mergeConjuncts } from "../../logic/mergeConjuncts.ts";
import { conjuncts, type Term, type Variable } from "../../logic/term.ts";
import { type FoldedLoop, type FoldedRun, foldsOf } from "../../model/foldedRun.ts";
import { encodeStretch } from "../../model/stretch.ts";
import type { Encoding } from "../../run/encodeAt.ts";
import { assumedOnWay, type ExecutedTrace } from "../../run/executeTrace.ts";
import { traceSurroundings } from "../../run/traceSurroundings.ts";
import type { Prover } from "../../solver/prover.ts";
import { inState } from "../../symbolic/inState.ts";
import type { Symbols } from "../../symbolic/symbols.ts";

/**
 * What the inputs must satisfy for the same explanation. Every run that satisfies the formulas and takes the same way
 * through the folded run (any number of iterations where a loop is folded) has the same failure: that is proved
 * stretch by stretch, with the inputs unknown.
 */
export type ConditionOnInputs = {
  /** Over the variables in `inputs`. */
  readonly formulas: readonly Term[];
  /** One for each recorded input; null for those that are read inside of a folded loop, which may have any value. */
  readonly inputs: readonly (Variable | null)[];
  readonly proved: boolean;
  /** The formulas do not settle which way a run takes: it has to be said that it is the same. */
  readonly sameWay: boolean;
  /** Folded loops: that they end, and do nothing undefined, is not shown for other inputs. */
  readonly openLoops: readonly FoldedLoop[];
};

export function conditionOnInputs(symbols: Symbols, prover: Prover, folded: FoldedRun): ConditionOnInputs {
  const { run, parts, target } = folded;
  if (run.inputs.length === 0) return { formulas: [], inputs: [], proved: true, sameWay: false, openLoops: [] };
  const { terms } = symbols;
  const inputs: (Variable | null)[] = run.inputs.map(() => null);
  const formulas = new Set<Term>();
  const recorded = new Map<Variable, Term>();
  // Nothing is known of runs that go round another number of times.
  let proved = foldsOf(folded).every(({ rounds }) => rounds === null);
  let openBranch = false;
  const symbolicInputs = (index: number) => {
    const input = run.inputs[index]!;
    const edge = run.program.functions[input.function]!.edges[input.edge]!;
    if (edge.operation.kind !== "input" || typeof input.value !== "bigint") return null;
    const known = inputs[index];
    if (known !== null && known !== undefined) return known;
    const variable = symbols.fresh(`input${index + 1}`, edge.operation.type);
    inputs[index] = variable;
    recorded.set(variable, terms.eq(variable, terms.int(input.value)));
    return variable;
  };
  const isAboutInputs = (formula: Term) => freeVariables(formula).every((variable) => recorded.has(variable));

  for (const [i, part] of parts.entries()) {
    if (part.kind === "fold") continue;
    assertWanted(prover.cancellation, "looking for a condition on the inputs");
    const [before, after] = [foldAt(parts, i - 1), foldAt(parts, i + 1)];
    const use = (executed: ExecutedTrace, encoding: Encoding) => {
      if (after !== null) return { executed, goal: inState(symbols, executed.state, terms.all(after.entry)) };
      const surroundings = traceSurroundings(symbols, run, { ...encoding, symbolicInputs });
      return { executed, goal: target.formula(symbols, executed, surroundings(target.step)) };
    };
    const { executed, goal } = encodeStretch(symbols, run, part, use, { symbolicInputs }).result;
    const assumptions = assumedOnWay(executed);
    for (const formula of assumptions.flatMap(conjuncts)) if (isAboutInputs(formula)) formulas.add(formula);
    openBranch ||= executed.effects.some(
      ({ edge, guard }) =>
        isBranch(edge) && !conjuncts(guard).every(isAboutInputs) && (before === null || !leavesLoop(before, edge)),
    );
    // What the goal says of the inputs alone is a condition; the rest has to follow.
    const direct = conjuncts(goal).filter(isAboutInputs);
    for (const formula of direct) formulas.add(formula);
    const rest = terms.all(conjuncts(goal).filter((formula) => !isAboutInputs(formula)));
    const session = prover.open([...(before?.exit ?? []), ...assumptions, ...direct]);
    const answer = session.implies([...recorded.values()], rest);
    session.close();
    if (answer.kind !== "proved") proved = false;
    else for (const equality of answer.used) formulas.add(equality);
  }
  const sameWay = openBranch || foldsOf(folded).some(hasSeveralEnds);
  const openLoops = foldsOf(folded);
  return { formulas: mergeConjuncts(terms, irredundant(prover, [...formulas])), inputs, proved, sameWay, openLoops };
}

function foldAt(parts: FoldedRun["parts"], index: number): FoldedLoop | null {
  const part = parts[index];
  return part?.kind === "fold" ? part : null;
}

/** Can the loop be left other than by its test? What was read inside may then decide how it goes on. */
function hasSeveralEnds({ activation }: FoldedLoop): boolean {
  const { function: fn, loop } = activation;
  const inside = new Set<number>(loop.body);
  return fn.edges.some(({ from, to, operation }) => {
    if (!inside.has(from)) return false;
    return operation.kind === "call" || (!inside.has(to) && from !== loop.header);
  });
}

/** Is a step the test that leaves the loop which was folded right before? */
function leavesLoop({ activation: { function: fn, loop } }: FoldedLoop, edge: Edge): boolean {
  return fn.edges[edge.id] === edge && edge.from === loop.header && !loop.body.has(edge.to);
}

/** Leaves out what the others, and the types of the inputs, imply. */
function irredundant(prover: Prover, formulas: readonly Term[]): readonly Term[] {
  const session = prover.open([]);
  let kept = formulas.filter((formula) => formula.kind !== "bool");
  for (const formula of kept.toReversed()) {
    const rest = kept.filter((other) => other !== formula);
    if (session.implies(rest, formula).kind === "proved") kept = rest;
  }
  session.close();
  return kept;
}
