import { inState } from "../../cutpoints/instance.ts";
import type { ModelRegion } from "../../cutpoints/programModel.ts";
import { conjuncts, isFalse, type Term } from "../../logic/term.ts";
import { minimiseAssumptions, type ProofSession } from "../../solver/solver.ts";
import { createProver } from "../../symbolic/createProver.ts";
import type { Task } from "./engine.ts";
import { type Instances, itself, joined } from "./houdini.ts";

/**
 * Of inductive invariants those that are needed: what excludes the errors, by unsat cores, then what carries these on, and so
 * forth. What is left is inductive again and as strong as it has to be. Where a question has no answer, all of them.
 */
export function neededConjuncts(
  task: Task,
  given: ReadonlyMap<string, readonly Term[]>,
  instances: Instances = itself,
): Map<string, readonly Term[]> {
  const { model, solver, cancellation } = task;
  const { terms, symbols } = model;
  const all = new Map([...joined(model, given)].map(([key, list]) => [key, list.flatMap(conjuncts)]));
  const needed = new Map<string, Set<Term>>([...all.keys()].map((key) => [key, new Set<Term>()]));
  // What is fixed is part of the encoding of the regions.
  for (const { key, fixed } of model.heads.values()) {
    for (const [place, value] of fixed) needed.get(key)!.add(terms.eq(place, value));
  }
  const prover = createProver(symbols, solver, cancellation);
  const sessions = model.regions.map((region) => ({ region, session: prover.open(region.definitions) }));
  const work: { readonly head: string; readonly formula: Term }[] = [];
  const need = (head: string | null, used: readonly Term[]) => {
    if (head === null) return;
    for (const formula of used) {
      if (needed.get(head)!.has(formula)) continue;
      needed.get(head)!.add(formula);
      work.push({ head, formula });
    }
  };
  /** Which of what holds before a region is needed for the goal; null where that is not known. */
  const usedIn = (region: ModelRegion, session: ProofSession, goal: Term): readonly Term[] | null => {
    const owners = new Map<Term, Term>();
    for (const formula of region.from === null ? [] : all.get(region.from)!) {
      for (const instance of instances(region, formula)) owners.set(instance, owners.get(instance) ?? formula);
    }
    const used = usedFor(session, [...owners.keys()], goal);
    return used === null ? null : [...new Set(used.map((instance) => owners.get(instance)!))];
  };
  try {
    for (const { region, session } of sessions) {
      const errors = terms.any(region.errors.map(({ guard }) => guard));
      if (isFalse(errors)) continue;
      const used = usedIn(region, session, terms.not(errors));
      if (used === null) return all;
      need(region.from, used);
    }
    for (const { key, fixed } of model.heads.values()) {
      for (const [place, value] of fixed) work.push({ head: key, formula: terms.eq(place, value) });
    }
    for (let next = work.pop(); next !== undefined; next = work.pop()) {
      const { head, formula } = next;
      for (const { region, session } of sessions) {
        for (const exit of region.exits) {
          if (exit.to !== head) continue;
          const goal = terms.implies(exit.guard, inState(model, formula, exit.next));
          const used = usedIn(region, session, goal);
          if (used === null) return all;
          need(region.from, used);
        }
      }
    }
    return new Map([...needed].map(([key, list]) => [key, all.get(key)!.filter((formula) => list.has(formula))]));
  } finally {
    for (const { session } of sessions) session.close();
  }
}

/** Cores beyond this size are not made smaller one by one. */
const mostMinimised = 30;

function usedFor(session: ProofSession, assumptions: readonly Term[], goal: Term): readonly Term[] | null {
  const answer = session.implies(assumptions, goal);
  if (answer.kind !== "proved") return null;
  const { used } = answer;
  return used.length > 1 && used.length <= mostMinimised ? minimiseAssumptions(session, used, goal) : used;
}
