import { present } from "../base/checked.ts";
import type { Edge } from "../ir/program.ts";
import type { DependenceGraph, Event } from "./dependenceGraph.ts";
import type { DependenceKind } from "./visitDependences.ts";

/** The steps that some events depend on, directly or not: a backward dynamic slice. */
export type Slice = {
  has(step: number): boolean;
  /** The fewest changes of source line on a way of dependences to the step; -1 where it is not in the slice. */
  distance(step: number): number;
  /** In the order of the run. */
  steps(): readonly number[];
  /** The edges of its steps, each with the distance of the nearest. */
  distances(): ReadonlyMap<Edge, number>;
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
  let line = 0;
  const reach = (source: number, sourcePart: number, kind: DependenceKind): void => {
    if (source < first || !wanted(kind)) return;
    (lines[graph.code(source)] === line ? level : next).push(source, sourcePart);
  };
  for (const { step, part } of start) if (step >= first) level.push(step, part);
  for (let distance = 0; level.length > 0; distance++) {
    while (level.length > 0) {
      const part = present(level.pop());
      const step = present(level.pop());
      const index = step - first;
      const bit = part === -1 ? 1 << 30 : part > maxPart ? 1 : 1 << part;
      if ((visited[index]! & bit) !== 0) continue;
      visited[index]! |= bit;
      if (distances[index] === -1) distances[index] = distance;
      line = lines[graph.code(step)]!;
      graph.visitDependences(step, part > maxPart ? 0 : part, reach);
      for (const source of further.get(step) ?? []) if (source >= first) next.push(source, 0);
    }
    [level, next] = [next, level];
  }
  let known: readonly number[] | null = null;
  let nearest: ReadonlyMap<Edge, number> | null = null;
  return {
    has: (step) => step >= first && step < end && distances[step - first] !== -1,
    distance: (step) => (step >= first && step < end ? distances[step - first]! : -1),
    steps() {
      known ??= stepsOf(first, distances);
      return known;
    },
    distances() {
      nearest ??= nearestSteps(graph, distances);
      return nearest;
    },
  };
}

function nearestSteps({ first, code, edges }: DependenceGraph, distances: Int32Array): ReadonlyMap<Edge, number> {
  const nearest = new Int32Array(edges.length).fill(-1);
  for (let i = 0; i < distances.length; i++) {
    const distance = distances[i]!;
    if (distance === -1) continue;
    const at = code(first + i);
    if (nearest[at] === -1 || distance < nearest[at]!) nearest[at] = distance;
  }
  return new Map(edges.flatMap((edge, i) => (nearest[i] === -1 ? [] : [[edge, nearest[i]!] as const])));
}

function stepsOf(first: number, distances: Int32Array): readonly number[] {
  const steps: number[] = [];
  for (let i = 0; i < distances.length; i++) if (distances[i] !== -1) steps.push(first + i);
  return steps;
}

/** By edge: a number for its file and line. */
function lineNumbers({ edges }: DependenceGraph): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from(edges, ({ range: { file, line } }) => {
    const key = `${file}:${line}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}
