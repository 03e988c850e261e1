import { objectIdOf } from "../interpreter/memory/pointer.ts";
import type { Edge } from "../ir/program.ts";
import type { DependenceGraph } from "./dependenceGraph.ts";
import type { Read } from "./read.ts";
import type { Slice } from "./slice.ts";

/** A field that was made from another one of its object, which changed afterwards: what it holds is from before. */
export type StaleWrite = {
  /** The step that changed the other field, and did not make this one again. */
  readonly condition: number;
  /** What reads the stale field. */
  readonly reader: number;
  /** What had made it. */
  readonly write: Edge;
};

/** Of longer runs nothing is said: most of what is looked at is every store of the run. */
const mostSteps = 200_000;
const mostFound = 8;

/**
 * Fields of one object that belong together: step W of the slice wrote one of them from the value of another, in its statement or in a function that this called; then another
 * function changed the other field, and the slice reads what W wrote. The statement that is missing there is no step of the run, but the change is.
 */
export function staleWrites(graph: DependenceGraph, slice: Slice): readonly StaleWrite[] {
  if (graph.end - graph.first > mostSteps) return [];
  const stores = storesByAddress(graph);
  if (stores.size === 0) return [];
  const byChange = new Map<Edge, StaleWrite>();
  for (const reader of slice.steps()) {
    for (const read of graph.reads(reader)) {
      const { writer } = read;
      const address = fieldRead(graph, reader, read);
      if (address === null || writer === null || !slice.has(writer) || !stores.get(address)?.includes(writer)) continue;
      for (const [source, value] of sourcesOf(graph, writer, address)) {
        const change = (stores.get(source) ?? []).findLast((step) => step > writer && step < reader);
        if (change === undefined || graph.value(change) === value) continue;
        if (graph.activation(change) === graph.activation(writer) || slice.has(change)) continue;
        byChange.set(graph.edge(change), { condition: change, reader, write: graph.edge(writer) });
      }
    }
    if (byChange.size >= mostFound) break;
  }
  return [...byChange.values()];
}

/** The field that was read for its value; null where something else was. */
function fieldRead(graph: DependenceGraph, step: number, { expression, role }: Read): number | null {
  if (expression?.kind !== "load" || role === "address" || expression.address.kind !== "fieldAddress") return null;
  const address = graph.valueOf(step, expression.address);
  return typeof address === "number" ? address : null;
}

/** Stores to fields, by address. */
function storesByAddress(graph: DependenceGraph): ReadonlyMap<number, number[]> {
  const stores = new Map<number, number[]>();
  for (let step = graph.first; step < graph.end; step++) {
    const { operation } = graph.edge(step);
    if (operation.kind !== "store" || operation.address.kind !== "fieldAddress") continue;
    if (operation.type.kind === "pointer") continue;
    const address = graph.valueOf(step, operation.address);
    if (typeof address !== "number") continue;
    const known = stores.get(address);
    if (known === undefined) stores.set(address, [step]);
    else known.push(step);
  }
  return stores;
}

/** The other fields of the object that a store's value was made of, with their values: what its own line read, and the functions that it called. */
function sourcesOf(graph: DependenceGraph, store: number, address: number): ReadonlyMap<number, unknown> {
  const own = graph.activation(store);
  const { line, file } = graph.edge(store).range;
  const isInside = (step: number) => {
    if (step < graph.first) return false;
    const { range } = graph.edge(step);
    const isCalled = graph.activation(step) !== own && (graph.callOf(own) ?? -1) < step;
    return isCalled || (graph.activation(step) === own && range.line === line && range.file === file);
  };
  const seen = new Set([store]);
  const found = new Map<number, unknown>();
  for (const step of seen) {
    for (const read of graph.reads(step)) {
      const other = fieldRead(graph, step, read);
      if (other !== null && other !== address && objectIdOf(other) === objectIdOf(address))
        found.set(other, read.value);
    }
    if (seen.size > mostInside) continue;
    for (const { step: source, kind } of graph.dependences({ step, part: 0 })) {
      if (kind !== "address" && isInside(source)) seen.add(source);
    }
  }
  return found;
}

/** Steps that one statement with its calls is followed through. */
const mostInside = 60;
