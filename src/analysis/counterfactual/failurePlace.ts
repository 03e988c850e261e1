import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { FailureRoot } from "../../dependence/failureRoot.ts";
import { isBranch } from "../../ir/branches.ts";
import { controlFlowOf } from "../../ir/controlFlow.ts";
import type { Edge, Function, LocationId } from "../../ir/program.ts";
import { containsRange } from "../../ir/statementAt.ts";

/** The edges that a run takes which gets past the place where another one failed; null where there is no such place. */
export type FailurePlace = { readonly function: number; readonly edges: ReadonlySet<number> };

export function failurePlace(graph: DependenceGraph, root: FailureRoot): FailurePlace | null {
  switch (root.kind) {
    case "condition": {
      const nearest = root.deciding.at(-1);
      if (nearest === undefined) return null;
      const fn = graph.function(nearest);
      const edges = waysPast(fn, graph.edge(nearest), graph.edge(root.step));
      return { function: fn.id, edges: new Set(edges.map(({ id }) => id)) };
    }
    case "trap": {
      const fn = graph.function(root.step);
      const edge = graph.edge(root.step);
      const edges = isBranch(edge) ? controlFlowOf(fn).outgoing[edge.from]! : [edge];
      return { function: fn.id, edges: new Set(edges.map(({ id }) => id)) };
    }
    case "loop":
      return { function: root.function.id, edges: new Set(root.loop.exits.map(({ id }) => id)) };
    case "end":
      return null;
  }
}

/** The tests of the condition that decided, as a set of locations, and the edges that leave it for the better. */
function waysPast(fn: Function, nearest: Edge, failing: Edge): Edge[] {
  const { outgoing } = controlFlowOf(fn);
  const failed = nearest.to;
  const tests = new Set<LocationId>([nearest.from]);
  for (const edge of fn.edges) if (isBranch(edge) && containsRange(failing.range, edge.range)) tests.add(edge.from);
  // Operands of one `&&` or `||` lead to each other, and some of them to the failure.
  for (const location of tests) {
    for (const edge of fn.edges) {
      if (edge.to === location && isOperand(edge)) tests.add(edge.from);
    }
    for (const { to } of outgoing[location]!) {
      if (outgoing[to]!.some((edge) => isBranch(edge) && edge.to === failed)) tests.add(to);
    }
  }
  const ways: Edge[] = [];
  for (const location of tests) {
    for (const edge of outgoing[location]!) {
      const goesOn = outgoing[edge.to]!.some(({ range }) => containsRange(failing.range, range));
      if (edge.to !== failed && !tests.has(edge.to) && !goesOn) ways.push(edge);
    }
  }
  return ways;
}

function isOperand({ operation }: Edge): boolean {
  return operation.kind === "assume" && operation.origin === "shortCircuit";
}
