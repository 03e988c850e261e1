import { assertNever } from "../base/errors.ts";
import type { Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { Model } from "./model.ts";
import type { CheckOptions, Solver, Unknown } from "./solver.ts";

/** Whether the conclusion holds wherever the premises hold. A refutation is a model of the premises without it. */
export type Entailment = { readonly kind: "valid" } | { readonly kind: "refuted"; readonly model: Model } | Unknown;

/** Asks on top of the solver's assertions, which are premises too, and leaves them as they are. */
export function entails(
  terms: Terms,
  solver: Solver,
  premises: readonly Term[],
  conclusion: Term,
  options?: CheckOptions,
): Entailment {
  solver.push();
  try {
    solver.assert(...premises, terms.not(conclusion));
    const result = solver.check([], options);
    switch (result.kind) {
      case "unsat":
        return { kind: "valid" };
      case "sat":
        return { kind: "refuted", model: result.model };
      case "unknown":
        return result;
      default:
        return assertNever(result);
    }
  } finally {
    solver.pop();
  }
}
