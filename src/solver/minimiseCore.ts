import type { Term } from "../logic/term.ts";
import type { CheckResult } from "./solver.ts";

/**
 * An irredundant subset of a core, by deletion: each element is left out in turn, from the last to the first, and stays
 * out where the rest still contradicts. The smaller cores that the checks give are used. An `unknown` keeps the element.
 */
export function minimiseCore(core: readonly Term[], check: (core: readonly Term[]) => CheckResult): readonly Term[] {
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
