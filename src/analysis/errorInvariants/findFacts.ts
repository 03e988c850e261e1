import { freeVariablesOf } from "../../logic/freeVariables.ts";
import { conjuncts, type Term, type Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { sizeOf } from "../../logic/traverse.ts";
import { interpolate } from "../../solver/interpolation/interpolate.ts";
import type { Solver } from "../../solver/solver.ts";
import { minimiseAssumptions, type ProofSession, type Prover } from "../../symbolic/prover.ts";
import type { Transition } from "./traceFormula.ts";

/** An error invariant (003, Definition 1): it holds after the kept transition, and with the rest implies the target. */
export type Fact = { readonly after: Transition; readonly formulas: readonly Term[] };

/**
 * A fact between each two kept transitions. Where the run fixes the values of all variables that matter, the fact is
 * those values; otherwise an interpolant, or what is simpler: fewest variables first, then the shorter formula. Every
 * fact has been checked both ways. Positions for which none was found are left out.
 */
export function findFacts(
  terms: Terms,
  prover: Prover,
  solver: Solver,
  kept: readonly Transition[],
  target: Term,
): readonly Fact[] {
  const sequence = interpolants(terms, solver, kept, target);
  const facts: Fact[] = [];
  kept.forEach((transition, i) => {
    const before = kept.slice(0, i + 1).map(({ formula }) => formula);
    const after = kept.slice(i + 1).map(({ formula }) => formula);
    const shared = sharedVariables(before, [...after, target]);
    const suffix = prover.open(after);
    const options: (readonly Term[])[] = [];
    const values = valueFacts(terms, prover, before, shared, suffix, target);
    if (values !== null) options.push(values);
    const interpolant = sequence?.[i];
    if (interpolant !== undefined) options.push(conjuncts(interpolant));
    suffix.close();
    const valid = options.filter((formulas) => isErrorInvariant(terms, prover, before, after, target, formulas));
    const best = valid.toSorted((a, b) => weight(a) - weight(b))[0];
    if (best !== undefined) facts.push({ after: transition, formulas: best });
  });
  return facts;
}

/** Both directions of the definition. */
export function isErrorInvariant(
  terms: Terms,
  prover: Prover,
  before: readonly Term[],
  after: readonly Term[],
  target: Term,
  formulas: readonly Term[],
): boolean {
  const prefix = prover.open(before);
  const holds = prefix.implies([], terms.all(formulas)).kind === "proved";
  prefix.close();
  if (!holds) return false;
  const suffix = prover.open(after);
  const suffices = suffix.implies(formulas, target).kind === "proved";
  suffix.close();
  return suffices;
}

/** `v == value` for the shared variables, as many as the rest needs; null where they do not suffice. */
function valueFacts(
  terms: Terms,
  prover: Prover,
  before: readonly Term[],
  shared: readonly Variable[],
  suffix: ProofSession,
  target: Term,
): readonly Term[] | null {
  const prefix = prover.open(before);
  try {
    const some = prefix.implies([], terms.bool(false));
    if (some.kind !== "refuted") return null;
    const equalities: Term[] = [];
    for (const variable of shared) {
      if (variable.sort !== "Int") continue;
      const value = some.model(variable);
      if (typeof value !== "bigint") continue;
      const equality = terms.eq(variable, terms.int(value));
      if (prefix.implies([], equality).kind === "proved") equalities.push(equality);
    }
    // Relations that the kept transitions state about shared variables only.
    const known = new Set(shared);
    const relations = before
      .flatMap(conjuncts)
      .filter((formula) => freeVariablesOf([formula]).every((v) => known.has(v)));
    const candidates = [...equalities, ...relations.filter((formula) => !equalities.includes(formula))];
    if (suffix.implies(candidates, target).kind !== "proved") return null;
    return minimiseAssumptions(suffix, candidates, target);
  } finally {
    prefix.close();
  }
}

/** Sequence interpolants of the kept transitions and the negated target: one formula after each transition. */
function interpolants(terms: Terms, solver: Solver, kept: readonly Transition[], target: Term): readonly Term[] | null {
  const steps = [...kept.map(({ formula }) => conjuncts(formula)), [terms.not(target)]];
  const result = interpolate({ terms, solver, steps });
  return result.kind === "interpolants" ? result.sequence : null;
}

function sharedVariables(before: readonly Term[], after: readonly Term[]): readonly Variable[] {
  const later = new Set(freeVariablesOf(after));
  return freeVariablesOf(before).filter((variable) => later.has(variable));
}

/** Few variables, then little text; equalities with values read better than sums. */
function weight(formulas: readonly Term[]): number {
  const size = formulas.reduce((sum, formula) => sum + sizeOf(formula), 0);
  return freeVariablesOf(formulas).length * 1000 + size + (formulas.some((f) => f.kind !== "eq") ? 20 : 0);
}
