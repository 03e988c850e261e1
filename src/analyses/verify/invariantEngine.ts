import { present } from "../../base/checked.ts";
import { certificateOf } from "../../cutpoints/certificate.ts";
import { neededConjuncts, type ProofGoal } from "../../cutpoints/generalize.ts";
import { type Annotation, houdini, type Instances } from "../../cutpoints/houdini.ts";
import { inState } from "../../cutpoints/instance.ts";
import type { ModelRegion, ProgramModel } from "../../cutpoints/programModel.ts";
import { conjuncts, isFalse, type Term } from "../../logic/term.ts";
import { sizeOf } from "../../logic/traverse.ts";
import { createProver } from "../../symbolic/createProver.ts";
import { cellCandidates } from "./cellCandidates.ts";
import {
  type Candidates,
  type Finding,
  type RegionTransition,
  type Task,
  unknownFinding,
  type VerifyEngine,
} from "./engine.ts";
import { guardedCandidates, polynomialCandidates } from "./guardedCandidates.ts";
import { headCandidates } from "./headCandidates.ts";

/** Candidates of one kind, or the reason why there are none. */
type Family = (task: Task) => Candidates | string;

/** First the simple bounds and the entry constraints of the paper; then relations, equations and congruences. */
export const houdiniEngine = invariantEngine("houdini", [headCandidates("simple"), headCandidates("extended")]);
export const guardedEngine = invariantEngine("guarded", [polynomialCandidates, guardedCandidates]);
export const cellsEngine = invariantEngine("cells", [cellCandidates]);

/** Houdini over families of candidates from runs and code, each only if the earlier ones do not suffice. */
function invariantEngine(name: VerifyEngine["name"], families: readonly Family[]): VerifyEngine {
  return {
    name,
    decide(task) {
      let last: Finding = unknownFinding("no loop");
      for (const family of families) {
        if (task.cancellation.isCancelled()) return last;
        const candidates = family(task);
        last = typeof candidates === "string" ? unknownFinding(candidates) : proveWith(task, candidates);
        if (last.kind === "safe") return last;
      }
      return last;
    },
  };
}

/** Proves candidates, shares the proved ones, and says whether they suffice. */
function proveWith(task: Task, { at, ghost }: Candidates): Finding {
  const { model, knowledge } = task;
  const invariants = joined(model, knowledge.invariants, inductiveSubset(task, at, ghost?.instances));
  if (ghost === undefined) for (const [key, list] of invariants) knowledge.invariants.set(key, list);
  if (!excludesErrors(task, invariants, ghost?.instances)) {
    return unknownFinding("the invariants that were found are too weak");
  }
  const needed = neededInvariants(task, invariants, ghost?.instances);
  const closed = [...needed].map(
    ([key, list]) => [key, list.map((formula) => ghost?.forAll(formula) ?? formula)] as const,
  );
  return { kind: "safe", certificate: certificateOf(model, new Map(closed)) };
}

function transitionsOf(model: ProgramModel): readonly RegionTransition[] {
  return model.regions.map((region) => ({
    region,
    from: region.from,
    background: region.definitions,
    ends: region.exits.map(({ to, guard, next }) => ({ to, guard, after: (formula) => inState(model, formula, next) })),
  }));
}

/** The largest inductive subset of the candidates at all heads, given the known invariants. */
export function inductiveSubset(
  { model, solver, knowledge, cancellation }: Task,
  candidates: Annotation,
  instances?: Instances<RegionTransition>,
): Map<string, readonly Term[]> {
  const prover = createProver(model.symbols, solver, cancellation);
  return houdini(model.terms, prover, transitionsOf(model), candidates, {
    known: (head) => knowledge.invariants.get(head) ?? [],
    ...(instances === undefined ? {} : { instances }),
  });
}

export function joined(model: ProgramModel, ...all: readonly Annotation[]): Map<string, readonly Term[]> {
  return new Map(
    [...model.heads.keys()].map((key) => [key, [...new Set(all.flatMap((invariants) => invariants.get(key) ?? []))]]),
  );
}

/** True if the invariants exclude all errors. */
export function excludesErrors(
  { model, solver, cancellation }: Task,
  invariants: Annotation,
  instances: Instances<RegionTransition> = (_, formula) => [formula],
): boolean {
  const prover = createProver(model.symbols, solver, cancellation);
  return transitionsOf(model).every((transition) => {
    const goal = withoutError(model, transition.region);
    if (goal === null) return true;
    const before = transition.from === null ? [] : present(invariants.get(transition.from));
    const known = before.flatMap((formula) => instances(transition, formula));
    const session = prover.open([...transition.background, ...known]);
    const answer = session.implies([], goal);
    session.close();
    return answer.kind === "proved";
  });
}

/** The condition that a region reaches no error; null if it has none. */
function withoutError({ terms }: ProgramModel, { errors }: ModelRegion): Term | null {
  const reached = terms.any(errors.map(({ guard }) => guard));
  return isFalse(reached) ? null : terms.not(reached);
}

/** The inductive invariants that are needed to exclude the errors; all of them if a query has no answer. */
export function neededInvariants(
  { model, solver, cancellation }: Task,
  given: Annotation,
  instances?: Instances<RegionTransition>,
): Annotation {
  const { terms } = model;
  // Among equivalent formulas the shortest is kept.
  const inOrder = (list: readonly Term[]) => list.flatMap(conjuncts).toSorted((a, b) => sizeOf(a) - sizeOf(b));
  const all = new Map([...joined(model, given)].map(([key, list]) => [key, inOrder(list)]));
  const prover = createProver(model.symbols, solver, cancellation);
  const sessions = new Map(transitionsOf(model).map((from) => [from, prover.open(from.background)]));
  const goals = [...sessions].flatMap(([transition, session]): ProofGoal<RegionTransition>[] => {
    const goal = withoutError(model, transition.region);
    return goal === null ? [] : [{ session, from: transition.from, goal, transition, about: null }];
  });
  // Fixed values are part of the regions' encoding.
  const fixed = [...model.heads.values()].map(
    (head) => [head.key, [...head.fixed].map(([place, value]) => terms.eq(place, value))] as const,
  );
  try {
    const options = {
      always: new Map(fixed),
      unproved: "giveUp",
      ...(instances === undefined ? {} : { instances }),
    } as const;
    return neededConjuncts(terms, sessions, all, goals, options)?.annotation ?? all;
  } finally {
    for (const session of sessions.values()) session.close();
  }
}
