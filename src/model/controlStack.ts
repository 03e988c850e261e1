import { postDominatorsOf } from "../ir/dominators.ts";
import type { LocationId } from "../ir/program.ts";
import type { Term, Variable } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { LiveFrame, TraceStep } from "../run/run.ts";

/** The branches that the run is under the control of, at each call depth: those whose ways have not met again. */
export type ControlStack = {
  /** That the branches which control a location of a live frame went the run's way. */
  guardAt(frame: LiveFrame, depth: number, location: LocationId | null): Term;
  /** A branch was taken: the condition that says so, which the branch has to define. */
  branch(frame: LiveFrame, depth: number, traced: TraceStep): Variable;
  isTaken(variable: Variable): boolean;
};

/** Control dependence by post-dominators: a branch controls what comes before the place where its ways meet. */
export function controlStack(terms: Terms): ControlStack {
  type Entry = { readonly join: number; readonly taken: Variable };
  const levels: { readonly frame: number; readonly entries: Entry[] }[] = [];
  const known = new Set<Variable>();

  const levelOf = (frame: LiveFrame, depth: number) => {
    levels.length = Math.min(levels.length, depth + 1);
    while (levels.length <= depth) levels.push({ frame: -1, entries: [] });
    if (levels[depth]!.frame !== frame.frame) levels[depth] = { frame: frame.frame, entries: [] };
    return levels[depth]!;
  };

  return {
    guardAt(frame, depth, location) {
      const { entries } = levelOf(frame, depth);
      while (entries.length > 0 && entries[entries.length - 1]!.join === location) entries.pop();
      // Each condition includes those around it.
      for (let at = depth; at >= 0; at--) {
        const innermost = levels[at]?.entries.at(-1);
        if (innermost !== undefined) return innermost.taken;
      }
      return terms.bool(true);
    },
    branch(frame, depth, traced) {
      const taken = terms.variable(`taken#${traced.step}`, "Bool");
      known.add(taken);
      const join = postDominatorsOf(frame.function).immediate[traced.edge.from]!;
      levelOf(frame, depth).entries.push({ join, taken });
      return taken;
    },
    isTaken: (variable) => known.has(variable),
  };
}
