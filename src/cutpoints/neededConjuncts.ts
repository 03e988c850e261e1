import { present } from "../base/checked.ts";
import type { Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { minimiseAssumptions, type ProofSession } from "../solver/solver.ts";
import { type Annotation, type BlockTransition, carried, type Instances } from "./houdini.ts";

/** The formulas at a cut point (`from`; null: none) and the background of the session have to imply the goal. */
export type ProofGoal<From extends BlockTransition = BlockTransition> = {
  readonly session: ProofSession;
  readonly from: string | null;
  readonly goal: Term;
  /** The transition that the goal is about; null: code that is none. */
  readonly transition: From | null;
  /** The conjunct that is carried to a cut point; null for what is wanted in the first place. */
  readonly about: { readonly cutPoint: string; readonly formula: Term } | null;
};

/** A goal that was shown, and the formulas at its cut point that were used. */
export type Proof<From extends BlockTransition = BlockTransition> = ProofGoal<From> & {
  readonly used: ReadonlySet<Term>;
};

/** For each transition that ends at the cut point: that it carries the formula there. */
export function goalsFor<From extends BlockTransition>(
  terms: Terms,
  sessions: ReadonlyMap<From, ProofSession>,
  cutPoint: string,
  formula: Term,
): ProofGoal<From>[] {
  const about = { cutPoint, formula };
  return [...sessions].flatMap(([transition, session]) =>
    transition.ends
      .filter(({ to }) => to === cutPoint)
      .map((end) => ({ session, from: transition.from, goal: carried(terms, end, formula), transition, about })),
  );
}

export type NeededOptions<From extends BlockTransition> = {
  /** Formulas that stay in any case. */
  readonly always?: Annotation;
  readonly instances?: Instances<From>;
  /** If a goal is not proved: `all` takes everything as needed for it. */
  readonly unproved: "all" | "giveUp";
};

/**
 * The part of an inductive annotation that is needed: what the goals use, by minimal unsat cores, what carrying that on uses,
 * and so on. The part is inductive again. Null if it gave up.
 */
export function neededConjuncts<From extends BlockTransition>(
  terms: Terms,
  sessions: ReadonlyMap<From, ProofSession>,
  annotation: Annotation,
  goals: readonly ProofGoal<From>[],
  options: NeededOptions<From>,
): { readonly annotation: Annotation; readonly proofs: readonly Proof<From>[] } | null {
  const { instances = (_, formula) => [formula] } = options;
  const needed = new Map([...annotation.keys()].map((key) => [key, new Set<Term>()]));
  const proofs: Proof<From>[] = [];
  const work: { readonly cutPoint: string; readonly formula: Term }[] = [];
  const need = (cutPoint: string, formulas: readonly Term[]) => {
    for (const formula of formulas) {
      if (present(needed.get(cutPoint)).has(formula)) continue;
      present(needed.get(cutPoint)).add(formula);
      work.push({ cutPoint, formula });
    }
  };
  const show = (goal: ProofGoal<From>): boolean => {
    const { from, transition } = goal;
    const own = from === null ? [] : present(annotation.get(from));
    const isNeeded = (formula: Term) => from !== null && present(needed.get(from)).has(formula);
    // Formulas that are needed anyway come first, so that they are used rather than new ones.
    const inOrder = [...own.filter(isNeeded), ...own.filter((formula) => !isNeeded(formula))];
    const owners = new Map<Term, Term>();
    for (const formula of inOrder) {
      for (const instance of transition === null ? [formula] : instances(transition, formula)) {
        if (!owners.has(instance)) owners.set(instance, formula);
      }
    }
    const core = minimiseAssumptions(goal.session, [...owners.keys()], goal.goal);
    if (core === null && options.unproved === "giveUp") return false;
    const used = core === null ? own : [...new Set(core.map((instance) => present(owners.get(instance))))];
    proofs.push({ ...goal, used: new Set(used) });
    if (from !== null) need(from, used);
    return true;
  };
  for (const goal of goals) if (!show(goal)) return null;
  for (const [key, formulas] of options.always ?? []) need(key, formulas);
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    for (const goal of goalsFor(terms, sessions, next.cutPoint, next.formula)) if (!show(goal)) return null;
  }
  const part = [...annotation].map(
    ([key, list]) => [key, list.filter((f) => present(needed.get(key)).has(f))] as const,
  );
  return { annotation: new Map(part), proofs };
}
