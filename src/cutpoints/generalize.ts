import type { Cancellation } from "../base/cancellation.ts";
import { present } from "../base/checked.ts";
import { mergeConjuncts } from "../logic/mergeConjuncts.ts";
import { conjuncts, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { freeVariablesOf, postOrder } from "../logic/traverse.ts";
import { type Implication, minimiseAssumptions, type ProofSession, type Prover } from "../solver/solver.ts";
import { nodeKey } from "../symbolic/followEdge.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { type Annotation, type BlockTransition, carried, type Instances } from "./houdini.ts";
import { type LoopSystem, transitionsOf } from "./loopSystem.ts";
import type { Obligation } from "./obligation.ts";

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

/** A loop's invariant has to imply the conclusion; the hypotheses are the code after the loop, up to where it is needed. */
export type ExitObligation = Pick<Obligation, "hypotheses" | "conclusion">;

/**
 * GENERALIZE (000 §V-B) for one loop: a part of an inductive annotation that is still inductive and still implies what
 * is needed after the loop. Begins with what the proofs use and closes it under what keeping it needs, then tries to
 * do without each conjunct, the least readable first, and with a more readable one in its place.
 */
export function generalize(
  symbols: Symbols,
  prover: Prover,
  system: LoopSystem,
  annotation: Annotation,
  obligation: ExitObligation,
): Annotation {
  const { terms } = symbols;
  const exit = prover.open(obligation.hypotheses);
  const sessions = new Map(transitionsOf(symbols, system).map((from) => [from, prover.open(from.background)]));
  try {
    const root = nodeKey(system.root);
    const context = { terms, sessions, exit, root, obligation, cancellation: prover.cancellation };
    const goals = conjuncts(obligation.conclusion).map((goal) => ({
      ...{ session: exit, from: root, goal, transition: null, about: null },
    }));
    const needed = neededConjuncts(terms, sessions, annotation, goals, { unproved: "all" });
    if (needed === null) return annotation;
    return tidy(context, prefer(context, annotation, weaken(context, needed)).annotation);
  } finally {
    exit.close();
    for (const session of sessions.values()) session.close();
  }
}

type Context = {
  readonly terms: Terms;
  readonly sessions: ReadonlyMap<BlockTransition, ProofSession>;
  readonly exit: ProofSession;
  readonly root: string;
  readonly obligation: ExitObligation;
  readonly cancellation: Cancellation;
};

/**
 * An annotation with what shows that it is inductive and sufficient: for every conjunct and every block that ends at its cut
 * point, and for the exit, what was used. After a change of one conjunct only those are shown again that used it.
 */
type Shown = { readonly annotation: Annotation; readonly proofs: readonly Proof[] };

/** The same with another conjunct, or none, in the place of one; null where that is not shown to be inductive and sufficient. */
function withChange(
  context: Context,
  { annotation, proofs }: Shown,
  key: string,
  formula: Term,
  other: Term | null,
): Shown | null {
  const changed = new Map(annotation);
  changed.set(
    key,
    present(annotation.get(key)).flatMap((each) => (each !== formula ? [each] : other === null ? [] : [other])),
  );
  const kept = proofs.filter(({ about }) => about?.cutPoint !== key || about.formula !== formula);
  const isTouched = ({ from, used }: Proof) => from === key && used.has(formula);
  const { terms, sessions } = context;
  const wanted = [...kept.filter(isTouched), ...(other === null ? [] : goalsFor(terms, sessions, key, other))];
  const shown: Proof[] = kept.filter((proof) => !isTouched(proof));
  for (const goal of wanted) {
    const answer = goal.session.implies(goal.from === null ? [] : present(changed.get(goal.from)), goal.goal);
    if (answer.kind !== "proved") return null;
    shown.push({ ...goal, used: new Set(answer.used) });
  }
  return { annotation: changed, proofs: shown };
}

/** Drops conjuncts as long as the rest is inductive and sufficient. */
function weaken(context: Context, all: Shown): Shown {
  let current = all;
  for (const [key, formulas] of all.annotation) {
    for (const formula of formulas.toReversed()) {
      if (context.cancellation.isCancelled()) return current;
      current = withChange(context, current, key, formula, null) ?? current;
    }
  }
  return current;
}

/** Other conjuncts that are tried in the place of one. */
const replacements = 6;

/** An equation says two things; often one of them is enough. Of a remainder that is zero, half says the same, but oddly. */
function slackened(terms: Terms, formula: Term): readonly Term[] {
  if (formula.kind !== "eq" || postOrder([formula.sum]).some(({ kind }) => kind === "mod")) return [];
  const bound = terms.int(formula.bound);
  return [terms.le(formula.sum, bound), terms.ge(formula.sum, bound)];
}

/** Puts weaker conjuncts, and those that come earlier and so are nicer to read, in the place of others. */
function prefer(context: Context, all: Annotation, weakened: Shown): Shown {
  let current = weakened;
  for (const [key, formulas] of weakened.annotation) {
    for (const formula of formulas.toReversed()) {
      const places = new Set(freeVariablesOf([formula]));
      const nicer = present(all.get(key))
        .slice(0, present(all.get(key)).indexOf(formula))
        .filter((other) => freeVariablesOf([other]).every((place) => places.has(place)))
        .filter((other) => !present(current.annotation.get(key)).includes(other))
        .slice(0, replacements);
      for (const other of [...slackened(context.terms, formula), ...nicer]) {
        if (context.cancellation.isCancelled()) return current;
        const changed = withChange(context, current, key, formula, other);
        if (changed === null) continue;
        current = changed;
        break;
      }
    }
  }
  return current;
}

/** The same in fewer conjuncts: `x <= y && x >= y` is `x == y`, `x >= 0 && x != 0` is `x >= 1`. */
function tidy(context: Context, annotation: Annotation): Annotation {
  const { terms } = context;
  const tidied = new Map([...annotation].map(([key, formulas]) => [key, mergeConjuncts(terms, formulas)]));
  const changed = [...annotation].some(([key, formulas]) => present(tidied.get(key)).length !== formulas.length);
  return changed && isSufficient(context, tidied) && isInductive(context, tidied) ? tidied : annotation;
}

function isInductive({ terms, sessions }: Context, annotation: Annotation): boolean {
  return [...sessions].every(([{ from, ends }, session]) => {
    const goals = ends.flatMap((end) => present(annotation.get(end.to)).map((formula) => carried(terms, end, formula)));
    return session.implies(from === null ? [] : present(annotation.get(from)), terms.all(goals)).kind === "proved";
  });
}

function isSufficient(context: Context, annotation: Annotation): boolean {
  return context.exit.implies(present(annotation.get(context.root)), context.obligation.conclusion).kind === "proved";
}

/** How many questions about one loop had no answer. */
export type Patience = { unanswered: number };

/** After so many the loop's questions may cost only a little, and after so many more nothing is asked about it. */
const fullEffort = 2;
const most = 12;

export function isExhausted({ unanswered }: Patience): boolean {
  return unanswered >= most;
}

/** The same for what is only part of a message. */
export function quickProver(prover: Prover, patience: Patience): Prover {
  const patient = patientProver(prover, patience);
  return { ...patient, open: (background) => patient.open(background, "quick") };
}

/**
 * Asks on behalf of one loop. A body that the solver cannot reason about has no answer at the next visit either, so
 * what it may cost is limited by the number of questions without an answer: a count, so that the same run gives the same folds.
 */
export function patientProver(prover: Prover, patience: Patience): Prover {
  return {
    ...prover,
    open(background, effort = "full") {
      const sessions: Partial<Record<"full" | "quick", ProofSession>> = {};
      return {
        implies(assumptions, goal): Implication {
          if (isExhausted(patience)) return { kind: "unknown", reason: "too many questions had no answer" };
          const chosen = patience.unanswered < fullEffort ? effort : "quick";
          sessions[chosen] ??= prover.open(background, chosen);
          const answer = sessions[chosen].implies(assumptions, goal);
          if (answer.kind === "unknown") patience.unanswered++;
          return answer;
        },
        close() {
          sessions.full?.close();
          sessions.quick?.close();
        },
      };
    },
  };
}
