import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { Edge } from "../../ir/program.ts";
import type { InstanceLog } from "../../trace/vary/variation.ts";

/** One visit of a place of the run: its number for a re-run, its step, and how many visits of the place came before. */
export type Instance = { readonly number: number; readonly step: number; readonly visit: number };

/** The visits that a log has of each place, in order; of a long run only those in its last part, and the very first. */
export function instancesByPlace(log: InstanceLog): ReadonlyMap<number, readonly Instance[]> {
  const result = new Map<number, Instance[]>();
  const visits = log.count.slice();
  for (let i = 0; i < log.used; i++) visits[log.place[i]!]!--;
  for (let i = 0; i < log.used; i++) {
    const place = log.place[i]!;
    const instance = { number: log.offset + i, step: log.step[i]!, visit: visits[place]!++ };
    const known = result.get(place);
    if (known === undefined) result.set(place, [instance]);
    else known.push(instance);
  }
  for (const [place, instances] of result) {
    const number = log.firstNumber[place]!;
    if (instances[0]!.number !== number) instances.unshift({ number, step: log.firstStep[place]!, visit: 0 });
  }
  return result;
}

/** Of many visits the first, the last two and the two whose comparison was closest; in the order of the run. */
export function chosenInstances(
  graph: DependenceGraph,
  instances: readonly Instance[],
  max: number,
): readonly Instance[] {
  if (instances.length <= Math.max(max, 5)) return instances;
  const chosen = new Set([instances[0]!, ...instances.slice(-2)]);
  const close = instances
    .slice(-1000)
    .map((instance) => ({ instance, distance: closeness(graph, instance.step) }))
    .sort((a, b) => a.distance - b.distance);
  for (const { instance } of close.slice(0, 2)) chosen.add(instance);
  // What is left is spread evenly.
  for (let i = 1; chosen.size < max; i++) chosen.add(instances[Math.floor((i * (instances.length - 1)) / max)]!);
  return [...chosen].sort((a, b) => a.number - b.number);
}

/** How far the sides of the step's comparison were apart; infinite for what is no comparison of numbers. */
export function closeness(graph: DependenceGraph, step: number): number {
  if (step < graph.first || step >= graph.end) return Number.POSITIVE_INFINITY;
  const sides = comparedSides(graph.edge(step));
  if (sides === null) return Number.POSITIVE_INFINITY;
  const [left, right] = sides.map((side) => graph.valueOf(step, side));
  if (left === undefined || right === undefined) return Number.POSITIVE_INFINITY;
  return Math.abs(Number(left) - Number(right));
}

function comparedSides({ operation }: Edge) {
  if (operation.kind !== "assume" || operation.condition.kind !== "comparison") return null;
  const { left, right } = operation.condition;
  return left.type.kind === "pointer" ? null : [left, right];
}
