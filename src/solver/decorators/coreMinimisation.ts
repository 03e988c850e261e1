import type { Term } from "../../logic/term.ts";
import { decorateSolver } from "../assertionStack.ts";
import type { CheckResult, Solver } from "../solver.ts";

/** Makes cores irredundant on request (`minimiseCore`), by questions to the inner solver, which are counted. */
export function minimiseCores(inner: Solver): Solver {
  return decorateSolver(inner, (_stack, assumptions, { minimiseCore: wanted = false, ...options }) => {
    const result = inner.check(assumptions, options);
    if (result.kind !== "unsat" || !wanted) return result;
    const ask = (core: readonly Term[]) => inner.check(core, { ...options, model: false });
    return { kind: "unsat", core: minimise(result.core, ask) };
  });
}

/**
 * By deletion from the last element to the first, using the smaller cores of the checks. `unknown` keeps the element.
 */
function minimise(core: readonly Term[], check: (core: readonly Term[]) => CheckResult): readonly Term[] {
  let current = core;
  const needed = new Set<Term>();
  for (;;) {
    const candidate = current.findLast((term) => !needed.has(term));
    if (candidate === undefined) return current;
    const result = check(current.filter((term) => term !== candidate));
    if (result.kind === "unsat") current = result.core;
    else needed.add(candidate);
  }
}
