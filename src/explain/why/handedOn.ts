import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { Visits } from "./visits.ts";

/** `return x;` on the way hands on what the rows around it tell. */
export function isHandedOn(graph: DependenceGraph, visits: Visits, visit: number): boolean {
  const { kind, text } = visits.unit(visit);
  if (kind !== "return" || !/^return\s+\w+\s*;?$/.test(text)) return false;
  return visits.steps(visit).every((step) => {
    const { operation } = graph.edge(step);
    return operation.kind === "return" && operation.value !== null && operation.value.kind !== "constant";
  });
}
