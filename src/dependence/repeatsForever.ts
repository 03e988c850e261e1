import { nth } from "../base/checked.ts";
import { findFunction } from "../c/library/table.ts";
import type { Operation } from "../ir/operation.ts";
import type { DependenceGraph } from "./dependenceGraph.ts";
import type { Read } from "./read.ts";

/** The number of steps at the end that are inspected. */
const mostSteps = 20_000;
/** The state may repeat after several visits of the test. */
const mostVisits = 8;

/**
 * True if a run that was ended at this step of a loop would never end. Two stretches in a row, each from one visit of
 * the test to another in the same call, take the same edges and read the same values. The second stretch therefore
 * leaves behind all that the first one left for it, and so does every later one. No input and no other state takes
 * part: see `isClosed`.
 */
export function repeatsForever(graph: DependenceGraph, test: number): boolean {
  const { from } = graph.edge(test);
  const activation = graph.activation(test);
  const visits: number[] = [];
  for (let at = test; at >= Math.max(graph.first, test - mostSteps) && visits.length <= 2 * mostVisits; at--) {
    if (graph.edge(at).from === from && graph.activation(at) === activation) visits.push(at);
  }
  for (let count = 1; 2 * count < visits.length; count++) {
    if (isRepeated(graph, nth(visits, 2 * count), nth(visits, count), test)) return true;
  }
  return false;
}

function isRepeated(graph: DependenceGraph, start: number, middle: number, end: number): boolean {
  const length = end - middle;
  if (middle - start !== length) return false;
  for (let i = 0; i < length; i++) {
    const edge = graph.edge(start + i);
    if (edge !== graph.edge(middle + i) || !isClosed(graph, edge.operation)) return false;
    const [before, after] = [graph.reads(start + i), graph.reads(middle + i)];
    if (before.length !== after.length || !before.every((read, k) => isSame(read, nth(after, k)))) return false;
  }
  return true;
}

/** Bytes without a value are the same if nothing wrote them again. */
function isSame(before: Read, after: Read): boolean {
  if (before.value === undefined || after.value === undefined) return before.writer === after.writer;
  return Object.is(before.value, after.value);
}

const headers = new Set(["string.h", "strings.h", "ctype.h", "math.h"]);
const printing = new Set(["printf", "puts", "putchar"]);

/** True if the effect depends only on what the graph lists as read. */
function isClosed(graph: DependenceGraph, operation: Operation): boolean {
  if (operation.kind === "input") return false;
  if (operation.kind !== "callLibrary") return true;
  const called = findFunction(operation.name);
  if (called === null || graph.readsLeftOut > 0 || called.source === "environment") return false;
  if (called.allocates !== null || called.memory.some(({ kind }) => kind === "remembers")) return false;
  return printing.has(called.name) || headers.has(called.header ?? "");
}
