import { type Budget, budgetOf } from "../../base/cancellation.ts";
import { type Assignment, evaluate } from "../../logic/evaluate.ts";
import type { Variable } from "../../logic/term.ts";
import { freeVariables, postOrder } from "../../logic/traverse.ts";
import { supportOf, type TraceFormula, type Transition } from "../../recordedRun/traceFormula.ts";
import type { Prover } from "../../solver/solver.ts";
import type { Reasoner } from "./reasoner.ts";

export type KeptStatements =
  /** `minimal`: each of them is necessary for the target. */
  | { readonly kind: "kept"; readonly transitions: readonly Transition[]; readonly minimal: boolean }
  | { readonly kind: "failed"; readonly reason: string };

/** The number of statements that are tried one by one; for a longer run the rest is sufficient but not minimal. */
const questionLimit = 5_000;
/** The total size of all queries, in transitions, which limits the queries on long runs. */
const readingLimit = 60_000;

/** After a cancellation the current, still sufficient set is the result. */
type Effort = { readonly questions: Budget; readonly reading: Budget };

/**
 * A small set of transitions that imply the target. Everything between two of them is irrelevant, because its versions
 * occur in no fact (003 §4, Theorem 2). Starts with the definitions that the target depends on, adds branches only if
 * necessary, and then deletes superfluous ones, branches and early statements first.
 */
export function keepStatements(reasoner: Reasoner, prover: Prover, formula: TraceFormula): KeptStatements {
  const effort: Effort = {
    questions: budgetOf(questionLimit, prover.cancellation),
    reading: budgetOf(readingLimit, prover.cancellation),
  };
  const support = supportOf(formula);
  const end = formula.transitions.length;
  const definitions = support.definitions([formula.target], end);
  if (reasoner.follows(definitions, [], formula.target)) return smallest(reasoner, formula, definitions, effort);
  const everything = support.everything([formula.target], end);
  const core = unsatisfiableCore(prover, everything, formula);
  return core.kind === "failed" ? core : smallest(reasoner, formula, core.transitions, effort);
}

/** The part that a solver's proof used. */
function unsatisfiableCore(prover: Prover, transitions: readonly Transition[], formula: TraceFormula): KeptStatements {
  const session = prover.open([]);
  const answer = session.implies(
    transitions.map((transition) => transition.formula),
    formula.target,
  );
  session.close();
  if (answer.kind === "unknown") return { kind: "failed", reason: answer.reason };
  if (answer.kind === "refuted")
    return { kind: "failed", reason: "the failure does not follow from what the logic computes of the run" };
  const used = new Set(answer.used);
  // A condition that was tested twice is one formula: keep its last occurrence.
  const kept = transitions.toReversed().filter((transition) => used.delete(transition.formula));
  return { kind: "kept", transitions: kept.reverse(), minimal: false };
}

/** Deletes in two orders; returns the smaller result. */
function smallest(
  reasoner: Reasoner,
  formula: TraceFormula,
  transitions: readonly Transition[],
  effort: Effort,
): KeptStatements {
  const branchesFirst = transitions.toSorted((a, b) => branchRank(a) - branchRank(b) || a.index - b.index);
  const first = deleteInOrder(reasoner, formula, transitions, branchesFirst, effort);
  // If nothing could be deleted, another order finds nothing either.
  if (first.minimal && first.transitions.length === transitions.length) return { kind: "kept", ...first };
  const second = deleteInOrder(reasoner, formula, transitions, branchesFirst.toReversed(), effort);
  const best = second.transitions.length < first.transitions.length ? second : first;
  return { kind: "kept", ...best };
}

/** Branches are deleted first, because statements are more informative. */
function branchRank({ writes }: Transition): number {
  return writes.length === 0 ? 0 : 1;
}

function deleteInOrder(
  reasoner: Reasoner,
  formula: TraceFormula,
  transitions: readonly Transition[],
  order: readonly Transition[],
  { questions, reading }: Effort,
): { transitions: readonly Transition[]; minimal: boolean } {
  let kept = transitions;
  let minimal = true;
  for (const candidate of order) {
    if (!kept.includes(candidate)) continue;
    if (questions.isCancelled() || reading.isCancelled()) return { transitions: kept, minimal: false };
    questions.spend();
    const rest = kept.filter((other) => other !== candidate);
    const before = reasoner.questions();
    const answer = reasoner.decide(rest, [], formula.target, "quick");
    if (reasoner.questions() > before) reading.spend(rest.length);
    if (answer === "follows") kept = rest;
    if (answer === "unknown") minimal = false;
  }
  return { transitions: kept, minimal };
}

/**
 * Finds stores at a fixed index that nothing relevant reads. Each store makes a version of the whole array, so the
 * trace formula needs them all, but a reader does not. A store at a computed index could have hit a cell that is read.
 */
export function storesElsewhere(
  formula: TraceFormula,
  relevant: readonly Transition[],
  values: Assignment,
): (transition: Transition) => boolean {
  const placeOf = (version: Variable) => formula.placeOf.get(version) ?? version;
  const read = new Map<Variable, Set<bigint | null>>();
  for (const term of postOrder([...relevant.map((transition) => transition.formula), formula.target])) {
    if (term.kind !== "select") continue;
    const index = evaluate(term.index, values);
    for (const version of freeVariables(term.array).filter(({ sort }) => sort === "Array")) {
      const indices = read.get(placeOf(version)) ?? new Set();
      read.set(placeOf(version), indices.add(typeof index === "bigint" ? index : null));
    }
  }
  return ({ formula: body, writes }) => {
    const [write] = writes;
    if (writes.length !== 1 || write!.place.sort !== "Array") return false;
    const indices = read.get(write!.place) ?? new Set();
    const stores = postOrder([body]).filter((term) => term.kind === "store");
    return (
      stores.length > 0 &&
      !indices.has(null) &&
      stores.every(({ index }) => index.kind === "int" && !indices.has(index.value))
    );
  };
}
