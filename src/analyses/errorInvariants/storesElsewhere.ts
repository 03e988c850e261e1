import { type Assignment, evaluate } from "../../logic/evaluate.ts";
import type { Variable } from "../../logic/term.ts";
import { freeVariables, postOrder } from "../../logic/traverse.ts";
import type { TraceFormula, Transition } from "../../recordedRun/traceFormula.ts";

/**
 * Tells the stores at a fixed index that nothing relevant reads: each store makes a version of the whole array, so the
 * trace formula needs them all, but a reader does not. One at a computed index could have met a cell that is read.
 */
export function storesElsewhere(
  formula: TraceFormula,
  relevant: readonly Transition[],
  values: Assignment,
): (transition: Transition) => boolean {
  const placeOf = (version: Variable) => formula.placeOf.get(version) ?? version;
  const read = new Map<Variable, Set<bigint | null>>();
  for (const term of postOrder([...relevant.map((transition) => transition.formula), formula.target])) {
    if (term.kind !== "select") continue;
    const index = evaluate(term.index, values);
    for (const version of freeVariables(term.array).filter(({ sort }) => sort === "Array")) {
      const indices = read.get(placeOf(version)) ?? new Set();
      read.set(placeOf(version), indices.add(typeof index === "bigint" ? index : null));
    }
  }
  return ({ formula: body, writes }) => {
    const [write] = writes;
    if (writes.length !== 1 || write!.place.sort !== "Array") return false;
    const indices = read.get(write!.place) ?? new Set();
    const stores = postOrder([body]).filter((term) => term.kind === "store");
    return (
      stores.length > 0 &&
      !indices.has(null) &&
      stores.every(({ index }) => index.kind === "int" && !indices.has(index.value))
    );
  };
}
