import type { Cancellation } from "../base/cancellation.ts";
import { mergeConjuncts } from "../logic/mergeConjuncts.ts";
import { conjuncts, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { freeVariablesOf, postOrder } from "../logic/traverse.ts";
import { minimiseAssumptions, type ProofSession, type Prover } from "../solver/solver.ts";
import { nodeKey } from "../symbolic/followEdge.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import type { Annotation } from "./biid.ts";
import { afterBlock, type LoopSystem } from "./loopSystem.ts";

/** What has to follow from a loop's invariant: `hypotheses` is the code after the loop, up to where `conclusion` is needed. */
export type Obligation = { readonly hypotheses: readonly Term[]; readonly conclusion: Term };

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
  obligation: Obligation,
): Annotation {
  const exit = prover.open(obligation.hypotheses);
  const sessions = new Map<string, ProofSession>();
  for (const [key, block] of system.blocks) sessions.set(key, prover.open(block.background));
  try {
    const root = nodeKey(system.root);
    const context = { symbols, system, sessions, exit, root, obligation, cancellation: prover.cancellation };
    return tidy(context, prefer(context, annotation, weaken(context, close(context, annotation))).annotation);
  } finally {
    exit.close();
    for (const session of sessions.values()) session.close();
  }
}

type Context = {
  readonly symbols: Symbols;
  readonly system: LoopSystem;
  readonly sessions: ReadonlyMap<string, ProofSession>;
  readonly exit: ProofSession;
  readonly root: string;
  readonly obligation: Obligation;
  readonly cancellation: Cancellation;
};

/**
 * An annotation with what shows that it is inductive and sufficient: for every conjunct and every block that ends at its cut point, and
 * for the exit, what was used. A change of one conjunct has only those shown again that used it.
 */
type Shown = { readonly annotation: Annotation; readonly proofs: readonly Proof[] };

type Proof = {
  readonly session: ProofSession;
  /** The cut point whose formulas are assumed. */
  readonly from: string;
  readonly used: ReadonlySet<Term>;
  readonly goal: Term;
  /** The conjunct that is carried there; null for the exit. */
  readonly about: { readonly cutPoint: string; readonly formula: Term } | null;
};

/** What the exit uses, what keeping that uses, and so on: an inductive part of the annotation. */
function close(context: Context, annotation: Annotation): Shown {
  const { exit, root, obligation } = context;
  const needed = new Map([...annotation.keys()].map((key) => [key, new Set<Term>()]));
  const proofs: Proof[] = [];
  const work: { cutPoint: string; formula: Term }[] = [];
  const need = (cutPoint: string, formulas: readonly Term[]) => {
    for (const formula of formulas) {
      if (needed.get(cutPoint)!.has(formula)) continue;
      needed.get(cutPoint)!.add(formula);
      work.push({ cutPoint, formula });
    }
  };
  const show = (wanted: Omit<Proof, "used">, assumptions: readonly Term[]) => {
    const used = minimiseAssumptions(wanted.session, assumptions, wanted.goal);
    proofs.push({ ...wanted, used: new Set(used) });
    need(wanted.from, used);
  };
  for (const goal of conjuncts(obligation.conclusion)) {
    show({ session: exit, from: root, goal, about: null }, annotation.get(root)!);
  }
  while (work.length > 0) {
    const { cutPoint, formula } = work.pop()!;
    for (const wanted of goalsFor(context, cutPoint, formula)) {
      const own = annotation.get(wanted.from)!;
      const already = own.filter((candidate) => needed.get(wanted.from)!.has(candidate));
      const others = own.filter((candidate) => !needed.get(wanted.from)!.has(candidate));
      // What is needed anyway comes first, so that it is used rather than something new.
      show(wanted, [...already, ...others]);
    }
  }
  return { annotation: inOrder(annotation, needed), proofs };
}

/** For each block that ends at the cut point: that it carries the formula there. */
function goalsFor(context: Context, cutPoint: string, formula: Term): Omit<Proof, "used">[] {
  const { symbols, system, sessions } = context;
  const about = { cutPoint, formula };
  const goals: Omit<Proof, "used">[] = [];
  for (const [from, block] of system.blocks) {
    for (const end of block.ends) {
      if (nodeKey(end.node) !== cutPoint) continue;
      const goal = symbols.terms.implies(end.guard, afterBlock(symbols, block, end, formula));
      goals.push({ session: sessions.get(from)!, from, goal, about });
    }
  }
  return goals;
}

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
    annotation.get(key)!.flatMap((each) => (each !== formula ? [each] : other === null ? [] : [other])),
  );
  const kept = proofs.filter(({ about }) => about?.cutPoint !== key || about.formula !== formula);
  const isTouched = ({ from, used }: Proof) => from === key && used.has(formula);
  const wanted = [...kept.filter(isTouched), ...(other === null ? [] : goalsFor(context, key, other))];
  const shown: Proof[] = kept.filter((proof) => !isTouched(proof));
  for (const { session, from, goal, about } of wanted) {
    const answer = session.implies(changed.get(from)!, goal);
    if (answer.kind !== "proved") return null;
    shown.push({ session, from, goal, about, used: new Set(answer.used) });
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
      const nicer = all
        .get(key)!
        .slice(0, all.get(key)!.indexOf(formula))
        .filter((other) => freeVariablesOf([other]).every((place) => places.has(place)))
        .filter((other) => !current.annotation.get(key)!.includes(other))
        .slice(0, replacements);
      for (const other of [...slackened(context.symbols.terms, formula), ...nicer]) {
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
  const { terms } = context.symbols;
  const tidied = new Map([...annotation].map(([key, formulas]) => [key, mergeConjuncts(terms, formulas)]));
  const changed = [...annotation].some(([key, formulas]) => tidied.get(key)!.length !== formulas.length);
  return changed && isSufficient(context, tidied) && isInductive(context, tidied) ? tidied : annotation;
}

function isInductive(context: Context, annotation: Annotation): boolean {
  const { symbols, system, sessions } = context;
  const { terms } = symbols;
  for (const [from, block] of system.blocks) {
    const goals = block.ends.flatMap((end) =>
      annotation
        .get(nodeKey(end.node))!
        .map((formula) => terms.implies(end.guard, afterBlock(symbols, block, end, formula))),
    );
    if (sessions.get(from)!.implies(annotation.get(from)!, terms.all(goals)).kind !== "proved") return false;
  }
  return true;
}

function isSufficient(context: Context, annotation: Annotation): boolean {
  return context.exit.implies(annotation.get(context.root)!, context.obligation.conclusion).kind === "proved";
}

function inOrder(annotation: Annotation, needed: ReadonlyMap<string, ReadonlySet<Term>>): Annotation {
  return new Map([...annotation].map(([key, formulas]) => [key, formulas.filter((f) => needed.get(key)!.has(f))]));
}
