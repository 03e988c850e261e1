import type { DependenceGraph, Event } from "./dependenceGraph.ts";
import type { DependenceKind } from "./visitDependences.ts";

/** The steps that some events depend on, directly or not: a backward dynamic slice. */
export type Slice = {
  has(step: number): boolean;
  /** The fewest changes of source line on a way of dependences to the step; -1 where it is not in the slice. */
  distance(step: number): number;
  /** In the order of the run. */
  steps(): readonly number[];
};

/** Parts beyond this are not told apart: the whole step is taken. */
const maxPart = 29;

/**
 * Backwards over the dependences of the given kinds (all, unless told), line by line: steps on the line at hand come before
 * those one line further away. Linear in what it visits. Steps before the graph's window are not in it. `further` has steps on
 * which others depend in a way that the graph does not know.
 */
export function backwardSlice(
  graph: DependenceGraph,
  start: readonly Event[],
  kinds: readonly DependenceKind[] = ["data", "address", "control"],
  further: ReadonlyMap<number, readonly number[]> = new Map(),
): Slice {
  const { first, end } = graph;
  const distances = new Int32Array(end - first).fill(-1);
  const lines = lineNumbers(graph);
  // By step: which parts of it were visited; bit 30 is part -1.
  const visited = new Int32Array(end - first);
  const [data, address, control] = [kinds.includes("data"), kinds.includes("address"), kinds.includes("control")];
  const wanted = (kind: DependenceKind) => (kind === "data" ? data : kind === "address" ? address : control);
  let level: number[] = [];
  let next: number[] = [];
  for (const { step, part } of start) if (step >= first) level.push(step, part);
  for (let distance = 0; level.length > 0; distance++) {
    while (level.length > 0) {
      const part = level.pop()!;
      const step = level.pop()!;
      const index = step - first;
      const bit = part === -1 ? 1 << 30 : part > maxPart ? 1 : 1 << part;
      if ((visited[index]! & bit) !== 0) continue;
      visited[index]! |= bit;
      if (distances[index] === -1) distances[index] = distance;
      const line = lines[index];
      graph.visitDependences(step, part > maxPart ? 0 : part, (source, sourcePart, kind) => {
        if (source < first || !wanted(kind)) return;
        (lines[source - first] === line ? level : next).push(source, sourcePart);
      });
      for (const source of further.get(step) ?? []) if (source >= first) next.push(source, 0);
    }
    [level, next] = [next, level];
  }
  let known: readonly number[] | null = null;
  return {
    has: (step) => step >= first && step < end && distances[step - first] !== -1,
    distance: (step) => (step >= first && step < end ? distances[step - first]! : -1),
    steps() {
      known ??= stepsOf(first, distances);
      return known;
    },
  };
}

function stepsOf(first: number, distances: Int32Array): readonly number[] {
  const steps: number[] = [];
  for (let i = 0; i < distances.length; i++) if (distances[i] !== -1) steps.push(first + i);
  return steps;
}

/** By step: a number for its file and line. */
function lineNumbers(graph: DependenceGraph): Int32Array {
  const numbers = new Map<string, number>();
  const byEdge = new Map<object, number>();
  const result = new Int32Array(graph.end - graph.first);
  for (let step = graph.first; step < graph.end; step++) {
    const edge = graph.edge(step);
    let number = byEdge.get(edge);
    if (number === undefined) {
      const key = `${edge.range.file}:${edge.range.line}`;
      number = numbers.get(key) ?? numbers.size;
      numbers.set(key, number);
      byEdge.set(edge, number);
    }
    result[step - graph.first] = number;
  }
  return result;
}
