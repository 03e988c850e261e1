import type { Cancellation } from "../../base/cancellation.ts";
import { isFalse, type Term, type Variable } from "../../logic/term.ts";
import { freeVariablesOf } from "../../logic/traverse.ts";
import type { Model } from "../../solver/answers.ts";
import type { Solver } from "../../solver/solver.ts";
import { axiomsFor } from "../../symbolic/createProver.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import { itemsOf, type Trail } from "./trail.ts";

/** `satisfiable` of 004 §3.1. */
export type Feasible =
  | { readonly kind: "feasible"; readonly model: Model }
  | { readonly kind: "infeasible" }
  | { readonly kind: "unknown"; readonly reason: string };

export type FeasibilityCheck = {
  /** Is there a run that satisfies the path condition and the extra formulas? */
  check(path: Trail<Term>, extra?: readonly Term[], effort?: "full" | "quick"): Feasible;
};

/** What a question may cost, in the solver's own steps; about a million take a second. */
const efforts = { full: 4_000_000, quick: 300_000 };

/** Keeps the path of the last question on the solver's stack: the next one shares most of it. */
export function feasibilityCheck(symbols: Symbols, solver: Solver, cancellation: Cancellation): FeasibilityCheck {
  const levels: { readonly item: NonNullable<Trail<Term>>; readonly added: readonly Variable[] }[] = [];
  const known = new Set<Variable>();
  const pop = (count: number) => {
    if (count === 0) return;
    solver.pop(count);
    for (const { added } of levels.splice(levels.length - count)) for (const v of added) known.delete(v);
  };
  const assertWithAxioms = (formulas: readonly Term[]): readonly Variable[] => {
    const added = freeVariablesOf(formulas).filter((variable) => !known.has(variable));
    solver.assert(...axiomsFor(symbols, formulas, known), ...formulas);
    return added;
  };
  const align = (path: Trail<Term>) => {
    const wanted: NonNullable<Trail<Term>>[] = [];
    for (let at = path; at !== null; at = at.before) wanted[at.length - 1] = at;
    let same = 0;
    while (same < levels.length && levels[same]!.item === wanted[same]) same++;
    pop(levels.length - same);
    for (const item of wanted.slice(same)) {
      solver.push();
      levels.push({ item, added: assertWithAxioms([item.item]) });
    }
  };
  return {
    check(path, extra = [], effort = "full") {
      if (extra.some(isFalse) || (path !== null && itemsOf(path).some(isFalse))) return { kind: "infeasible" };
      if (cancellation.isCancelled()) return { kind: "unknown", reason: "interrupted" };
      align(path);
      solver.push();
      const added = assertWithAxioms(extra);
      try {
        const limits = solver.name.startsWith("cvc5") ? {} : { limits: { resources: efforts[effort] } };
        const first = solver.check([], limits);
        // A process that stopped at its limit may be of no further use; the next one starts afresh.
        const result = first.kind === "unknown" && first.reason === "failure" ? solver.check([], limits) : first;
        if (result.kind === "sat") return { kind: "feasible", model: result.model };
        return result.kind === "unsat" ? { kind: "infeasible" } : { kind: "unknown", reason: result.message };
      } finally {
        solver.pop();
        for (const variable of added) known.delete(variable);
      }
    },
  };
}
