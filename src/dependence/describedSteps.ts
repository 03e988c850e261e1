import { Defect } from "../base/errors.ts";
import { type Leaf, leavesOf } from "../interpreter/track/leaves.ts";
import type { DependenceTracker } from "../interpreter/track/tracker.ts";
import type { Edge, Function, Program } from "../ir/program.ts";

/** What a tracker wrote down, with the program's words for it. */
export type DescribedSteps = {
  readonly program: Program;
  readonly tracker: DependenceTracker;
  /** By the numbers that the tracker has for them. */
  readonly edges: readonly Edge[];
  edge(step: number): Edge;
  function(step: number): Function;
  leaves(step: number): readonly Leaf[];
  parent(step: number): number | null;
};

export function describeSteps(program: Program, tracker: DependenceTracker, end: number): DescribedSteps {
  const { from, steps } = tracker;
  const edges = program.functions.flatMap((fn) => fn.edges);
  const functions = program.functions.flatMap((fn) => fn.edges.map(() => fn));
  const leaves: (readonly Leaf[] | undefined)[] = new Array(edges.length).fill(undefined);
  const code = (step: number): number => {
    if (!(step >= from && step < end)) throw new Defect(`step ${step} is not one of those from ${from} to ${end}`);
    return steps.code[step - from]!;
  };
  return {
    program,
    tracker,
    edges,
    edge: (step) => edges[code(step)]!,
    function: (step) => functions[code(step)]!,
    leaves(step) {
      const at = code(step);
      leaves[at] ??= leavesOf(program, edges[at]!.operation);
      return leaves[at];
    },
    parent: (step) => stepOf(steps.parent[step - from]!),
  };
}

/** Trackers store steps with 1 added; nothing and what was there before the run are no step. */
export function stepOf(stored: number): number | null {
  return stored <= 0 ? null : stored - 1;
}
