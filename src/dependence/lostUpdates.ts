import { nth } from "../base/checked.ts";
import { memoised, remembered } from "../base/memo.ts";
import { objectIdOf, offsetOf } from "../interpreter/memory/pointer.ts";
import type { Expression } from "../ir/expression.ts";
import type { Edge, VariableId } from "../ir/program.ts";
import type { DependenceGraph } from "./dependenceGraph.ts";
import { fieldRead, type MissedUpdate, mostFound, mostSteps } from "./missedUpdates.ts";
import type { Slice } from "./slice.ts";

/** A step that changed a copy of a struct, where the original had another value. */
export type CopyChange = {
  readonly step: number;
  readonly value: unknown;
  /** The struct variable or parameter that is the copy. */
  readonly copy: string;
  /** The step that copied. */
  readonly copied: number;
};

/**
 * A function copied a struct (or got it by value) and changed the copy; then the slice reads the same field of the original, which has its old
 * value. The statement that is missing is no step of the run, but the change of the copy is.
 */
export function lostUpdates(graph: DependenceGraph, slice: Slice): readonly MissedUpdate[] {
  const changes = copyChanges(graph);
  if (changes.size === 0) return [];
  const byChange = new Map<Edge, MissedUpdate>();
  for (const reader of slice.steps()) {
    for (const read of graph.reads(reader)) {
      const address = fieldRead(graph, reader, read);
      const writer = read.writer ?? -1;
      const lost = address === null ? undefined : changes.get(address)?.findLast(({ step }) => step < reader);
      if (lost === undefined || lost.step < writer || lost.value === read.value) continue;
      byChange.set(graph.edge(lost.step), { condition: lost.step, reader, write: graph.edge(lost.step) });
    }
    if (byChange.size >= mostFound) break;
  }
  return [...byChange.values()];
}

/** The change of a copy at a step; null for any other step. */
export function copyChangeAt(graph: DependenceGraph, step: number): CopyChange | null {
  return changesByStep(graph).get(step) ?? null;
}

const changesByStep = memoised((graph: DependenceGraph): ReadonlyMap<number, CopyChange> => {
  return new Map([...copyChanges(graph).values()].flat().map((change) => [change.step, change]));
});

type Copy = { readonly from: number; readonly start: number; readonly size: number; readonly copied: number };

/** Changes of copies, by the address of the original's field. */
const copyChanges = memoised((graph: DependenceGraph): ReadonlyMap<number, CopyChange[]> => {
  const changes = new Map<number, CopyChange[]>();
  if (graph.end - graph.first > mostSteps) return changes;
  const { variables } = graph.trace.program;
  const copies = new Map<string, Copy>();
  const add = (key: string, offset: number, step: number, copy: string): void => {
    const known = copies.get(key);
    if (known === undefined || offset < known.start || offset >= known.start + known.size) return;
    const change = { step, value: graph.value(step), copy, copied: known.copied };
    remembered(changes, known.from + offset - known.start, () => []).push(change);
  };
  for (let step = graph.first; step < graph.end; step++) {
    const { operation } = graph.edge(step);
    const activation = graph.activation(step);
    if (operation.kind === "copy") {
      const [to, from] = [operation.to, operation.from].map((each) => graph.valueOf(step, each));
      if (ownVariable(operation.to) === null || typeof to !== "number" || typeof from !== "number") continue;
      copies.set(`${activation} ${objectIdOf(to)}`, { from, start: offsetOf(to), size: operation.size, copied: step });
    } else if (operation.kind === "store") {
      const own = ownVariable(operation.address);
      const address = graph.valueOf(step, operation.address);
      if (own === null || typeof address !== "number") continue;
      add(`${activation} ${objectIdOf(address)}`, offsetOf(address), step, nth(variables, own).name);
    } else if (operation.kind === "assign") {
      const { partOf } = nth(variables, operation.target);
      if (partOf === undefined) continue;
      const key = `${activation} register ${operation.target}`;
      const from = copiedField(graph, step, operation.value);
      if (from === null) add(key, 0, step, nth(variables, operation.target).name.replace(/\..*/, ""));
      else copies.set(key, { from, start: 0, size: 1, copied: step });
    }
  }
  return changes;
});

/** The struct variable of the function that an address is in. */
function ownVariable(address: Expression): VariableId | null {
  if (address.kind === "fieldAddress") return ownVariable(address.pointer);
  return address.kind === "addressOf" && address.object.kind === "variable" ? address.object.variable : null;
}

/** The address of the field that is copied as it is. */
function copiedField(graph: DependenceGraph, step: number, value: Expression): number | null {
  if (value.kind !== "load" || value.address.kind !== "fieldAddress") return null;
  const address = graph.valueOf(step, value.address);
  return typeof address === "number" ? address : null;
}
