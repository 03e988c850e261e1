import { objectIdOf } from "../interpreter/memory/pointer.ts";
import type { Expression } from "../ir/expression.ts";
import type { DependenceGraph } from "./dependenceGraph.ts";
import type { Read } from "./read.ts";

/** A place in memory that went on pointing to an object when the object ended. */
export type KeptPointer = {
  /** The step that read the place afterwards. */
  readonly step: number;
  readonly place: Expression;
  /** The step that had written it. */
  readonly writer: number;
};

/**
 * The place that a pointer to a dead object was kept in: a field or a static variable that was written before the object ended
 * and read afterwards. Forgetting to change it is what most uses of dead objects are. null for local variables, whose names
 * stand where they are used.
 */
export function keptPointer(graph: DependenceGraph, used: number, pointer: number, death: number): KeptPointer | null {
  const object = objectIdOf(pointer);
  const isPointerTo = ({ value, expression }: Read) =>
    expression?.type.kind === "pointer" && typeof value === "number" && objectIdOf(value) === object;
  // Copies lead back in time, so this ends.
  for (let step = used; step > death && step >= graph.first; ) {
    const read = graph.reads(step).find(isPointerTo);
    if (read?.expression == null || read.writer === null) return null;
    const { expression: place, writer } = read;
    if (writer < death) return isKept(graph, place) && writer >= graph.first ? { step, place, writer } : null;
    step = writer;
  }
  return null;
}

function isKept({ trace }: DependenceGraph, place: Expression): boolean {
  if (place.kind === "variable") return trace.program.variables[place.variable]!.kind === "static";
  return place.kind === "load";
}
