import type { Cancellation } from "../base/cancellation.ts";
import { present } from "../base/checked.ts";
import { mergeConjuncts } from "../logic/mergeConjuncts.ts";
import { conjuncts, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { freeVariablesOf, postOrder } from "../logic/traverse.ts";
import type { Implication, ProofSession, Prover } from "../solver/solver.ts";
import { nodeKey } from "../symbolic/followEdge.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { type Annotation, type BlockTransition, carried } from "./houdini.ts";
import { type LoopSystem, transitionsOf } from "./loopSystem.ts";
import { goalsFor, neededConjuncts, type Proof } from "./neededConjuncts.ts";
import type { Obligation } from "./obligation.ts";

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
