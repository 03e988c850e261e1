import type { Term, Variable } from "../logic/term.ts";
import { freeVariables } from "../logic/traverse.ts";
import type { TraceFormula, Transition } from "./traceFormula.ts";

/** Which transition defines each version, for walking from what is used to where it comes from. */
export type Support = {
  /** The transitions before `position` that the variables of the roots depend on, in order; branches are not among them. */
  definitions(roots: readonly Term[], position: number): readonly Transition[];
  /** The same with every branch before `position`, and what the branches depend on. */
  everything(roots: readonly Term[], position: number): readonly Transition[];
};

export function supportOf(formula: TraceFormula): Support {
  const definition = new Map<Variable, Transition>();
  for (const transition of formula.transitions) {
    for (const { version } of transition.writes) definition.set(version, transition);
  }
  const branches = formula.transitions.filter(({ writes }) => writes.length === 0);

  const closure = (roots: readonly Term[], start: readonly Transition[], position: number): readonly Transition[] => {
    const needed = new Set<Transition>(start);
    const work: Term[] = [...roots, ...start.map((transition) => transition.formula)];
    for (let root = work.pop(); root !== undefined; root = work.pop()) {
      for (const variable of freeVariables(root)) {
        const transition = definition.get(variable);
        if (transition === undefined || transition.index >= position || needed.has(transition)) continue;
        needed.add(transition);
        work.push(transition.formula);
      }
    }
    return [...needed].sort((a, b) => a.index - b.index);
  };

  return {
    definitions: (roots, position) => closure(roots, [], position),
    everything: (roots, position) =>
      closure(
        roots,
        branches.filter(({ index }) => index < position),
        position,
      ),
  };
}
