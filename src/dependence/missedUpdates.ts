import { nth } from "../base/checked.ts";
import { remembered } from "../base/memo.ts";
import { objectIdOf } from "../interpreter/memory/pointer.ts";
import { isBranch, otherSide, otherSideDoes } from "../ir/branches.ts";
import type { Expression } from "../ir/expression.ts";
import type { Operation } from "../ir/operation.ts";
import type { Edge, FunctionId, Program, VariableId } from "../ir/program.ts";
import { isOfLibrary } from "../ir/reservedNames.ts";
import { sameType, type Type } from "../ir/type.ts";
import type { DependenceGraph } from "./dependenceGraph.ts";
import { type KeptPointer, keptPointer } from "./failureRoot.ts";
import type { Read } from "./read.ts";
import type { Slice } from "./slice.ts";

/** A step after which a write is missing that would have mattered to a later step. */
export type MissedUpdate = {
  /** The branch that passed by the write, or the change of a field after which another one was not made again. */
  readonly condition: number;
  /** The step that reads the old value. */
  readonly reader: number;
  /** The operation that was passed by, or that had made the old value. */
  readonly write: Edge;
};

/** Longer runs are not analysed, because every store is inspected. */
export const mostSteps = 200_000;
export const mostFound = 8;

/**
 * Fields of one object that belong together: step W of the slice wrote one of them from the value of another, in its statement or in a function that this called; then another
 * function changed the other field, and the slice reads what W wrote. The statement that is missing there is no step of the run, but the change is.
 */
export function staleWrites(graph: DependenceGraph, slice: Slice): readonly MissedUpdate[] {
  if (graph.end - graph.first > mostSteps) return [];
  const stores = storesByAddress(graph);
  if (stores.size === 0) return [];
  const byChange = new Map<Edge, MissedUpdate>();
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
export function fieldRead(graph: DependenceGraph, step: number, { expression, role }: Read): number | null {
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
    remembered(stores, address, () => []).push(step);
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

/** An object that was used after its end: which, and the step that ended it. */
export type DeadObject = { readonly pointer: number; readonly death: number };

/** The dead object that a step uses, or frees once more; null where it uses none. */
export function deadObjectAt(graph: DependenceGraph, step: number): DeadObject | null {
  const { outcome } = graph.trace;
  if (outcome.kind !== "undefined-behaviour") return null;
  if (outcome.problem !== "use-after-free" && outcome.problem !== "double-free") return null;
  for (const { value, expression } of graph.reads(step)) {
    if (expression?.type.kind !== "pointer" || typeof value !== "number" || value === 0) continue;
    const death = graph.death(value);
    if (death !== null && death >= graph.first && death < step) return { pointer: value, death };
  }
  return null;
}

/** Calls around the end of an object that may have to take it out of what it is linked into. */
const mostCallers = 3;

/**
 * Potential dependences (Gyimóthy, Beszédes, Forgács, ESEC/FSE 1999) of a pointer that went on pointing to a dead object: branches in the
 * function that ended it, and in its callers, whose other side writes a pointer of its type, where the side that was taken wrote none. The
 * right pointer may be written by no statement of the program (an `else` is missing), so that no re-run can show it.
 */
export function missedUnlinkings(graph: DependenceGraph, step: number): readonly MissedUpdate[] {
  const dead = deadObjectAt(graph, step);
  const kept = dead === null ? null : keptPointer(graph, step, dead.pointer, dead.death);
  if (dead === null || kept === null) return [];
  const { program } = graph.trace;
  const writes = pointerWrites(program, kept.place.type);
  const found: MissedUpdate[] = [];
  for (const { activation, step: ending } of activationsAround(graph, dead.death)) {
    found.push(...missedIn(graph, activation, ending, kept, writes));
  }
  return found;
}

/** The calls under way, not that of the entry function, each with the step in it that led to the end. */
function activationsAround(graph: DependenceGraph, death: number) {
  const found: { readonly activation: number; readonly step: number }[] = [];
  for (let step: number | null = death; step !== null && step >= graph.first && found.length < mostCallers; ) {
    if (graph.function(step).id === graph.trace.program.entry) break;
    const activation = graph.activation(step);
    found.push({ activation, step });
    step = graph.callOf(activation);
  }
  return found;
}

function missedIn(
  graph: DependenceGraph,
  activation: number,
  ending: number,
  kept: KeptPointer,
  writes: (operation: Operation) => boolean,
): readonly MissedUpdate[] {
  const own: number[] = [];
  for (let step = Math.max(graph.first, (graph.callOf(activation) ?? -1) + 1); step < kept.step; step++) {
    if (graph.activation(step) === activation) own.push(step);
  }
  const writers = own.filter((step) => writes(graph.edge(step).operation)).map((step) => graph.parent(step));
  const byBranch = new Map<Edge, MissedUpdate>();
  for (const condition of own) {
    const edge = graph.edge(condition);
    if (!isBranch(edge) || edge.operation.kind !== "assume" || edge.operation.origin === "assert") continue;
    if (writers.includes(condition)) continue;
    const others = otherSide(graph.function(condition), edge);
    // If the other path also ends an object, it ends another one.
    const write = others.includes(graph.edge(ending)) ? undefined : others.find(({ operation }) => writes(operation));
    if (write !== undefined) byBranch.set(edge, { condition, reader: kept.step, write });
  }
  return [...byBranch.values()];
}

/** Writes of pointers of a type to places that outlive the function: fields, elements and static variables. */
function pointerWrites(program: Program, type: Type): (operation: Operation) => boolean {
  return (operation) => {
    if (operation.kind === "store") return sameType(operation.type, type);
    if (operation.kind !== "assign") return false;
    const { kind, type: own } = nth(program.variables, operation.target);
    return kind === "static" && sameType(own, type);
  };
}

/**
 * A call that did nothing and said so, to a caller that did not look: it wrote nothing, where another call of the same
 * function wrote what the failure depends on, and its result was not used.
 */
export type RefusedCall = {
  readonly call: number;
  /** The branch that refused it. */
  readonly condition: number;
  readonly returned: number;
  /** The first step behind it that reads what another call wrote. */
  readonly reader: number;
};

type Activation = {
  readonly fn: FunctionId;
  call: number;
  returned: number | null;
  writes: boolean;
};

/** The last refused call that may have mattered; `matters` says whether the failure depends on a step. */
export function refusedCall(graph: DependenceGraph, matters: (step: number) => boolean): RefusedCall | null {
  if (graph.end - graph.first > mostSteps) return null;
  const activations = new Map<number, Activation>();
  const writers = new Map<FunctionId, Set<number>>();
  for (let step = graph.first; step < graph.end; step++) {
    const number = graph.activation(step);
    const call = graph.callOf(number);
    if (call === null || call < graph.first) continue;
    const fn = graph.function(step);
    const own = remembered(activations, number, () => ({ fn: fn.id, call, returned: null, writes: false }));
    const { operation } = graph.edge(step);
    if (operation.kind === "return") own.returned = step;
    if (!isEffect(graph, step)) continue;
    // What a function does is done by its callers, too.
    for (let at: number | null = number; at !== null; at = outer(graph, activations.get(at))) {
      const active = activations.get(at);
      if (active === undefined) break;
      active.writes = true;
      if (matters(step)) remembered(writers, active.fn, () => new Set()).add(step);
    }
  }
  for (const { fn, call, returned, writes } of [...activations.values()].reverse()) {
    if (writes || returned === null || !isIgnored(graph, call) || isOfLibrary(graph.function(returned))) continue;
    const { operation } = graph.edge(returned);
    if (operation.kind !== "return" || operation.value?.kind !== "constant") continue;
    const condition = graph.parent(returned);
    if (condition === null || condition <= call || !isBranch(graph.edge(condition))) continue;
    const written = writers.get(fn);
    const reader = written === undefined ? null : readerOf(graph, returned, written, matters);
    if (reader !== null) return { call, condition, returned, reader };
  }
  return null;
}

function outer(graph: DependenceGraph, active: Activation | undefined): number | null {
  return active === undefined ? null : graph.activation(active.call);
}

/** Writes that outlive the function. */
function isEffect(graph: DependenceGraph, step: number): boolean {
  const { operation } = graph.edge(step);
  switch (operation.kind) {
    case "store":
    case "copy":
    case "callLibrary":
      return true;
    case "assign":
      return graph.trace.program.variables[operation.target]?.kind === "static";
    default:
      return false;
  }
}

function isIgnored(graph: DependenceGraph, call: number): boolean {
  const { operation } = graph.edge(call);
  return operation.kind === "call" && operation.target === null;
}

function readerOf(
  graph: DependenceGraph,
  returned: number,
  written: ReadonlySet<number>,
  matters: (step: number) => boolean,
): number | null {
  for (let step = returned + 1; step < graph.end; step++) {
    if (matters(step) && graph.reads(step).some(({ writer }) => writer !== null && written.has(writer))) return step;
  }
  return null;
}

/** The number of steps before the failure that are inspected. */
const mostPassed = 20_000;

/** A value that a step reads, and the steps that computed it. */
type ReadValue = { readonly step: number; readonly expression: Expression; readonly writers: ReadonlySet<number> };

/**
 * A potential dependence (Gyimóthy, Beszédes, Forgács, ESEC/FSE 1999) of a value that failed: the last branch since its last write, in the
 * function that reads it, whose other side writes the same variable or array. A loop that ended too early is one, too.
 */
export function passedWrite(
  graph: DependenceGraph,
  operands: readonly ReadValue[],
): { readonly condition: number; readonly affects: number } | null {
  for (const operand of operands) {
    const condition = branchPassing(graph, operand);
    if (condition !== null) return { condition, affects: operand.step };
  }
  return null;
}

function branchPassing(graph: DependenceGraph, { step: reader, expression, writers }: ReadValue): number | null {
  const variable = variableOf(expression);
  if (variable === null || nth(graph.trace.program.variables, variable).madeUp === true) return null;
  const written = Math.max(graph.first - 1, ...writers);
  const activation = graph.activation(reader);
  for (let step = reader - 1; step > Math.max(written, reader - mostPassed); step--) {
    if (graph.activation(step) !== activation) continue;
    const edge = graph.edge(step);
    if (!isBranch(edge) || (edge.operation.kind === "assume" && edge.operation.origin === "assert")) continue;
    if (otherSideDoes(graph.function(step), edge, (operation) => writesTo(operation, variable))) return step;
  }
  return null;
}

/** The variable or array that an expression reads. */
function variableOf(expression: Expression): VariableId | null {
  let read = expression;
  while (read.kind === "convert") read = read.operand;
  if (read.kind === "variable") return read.variable;
  return read.kind === "load" ? baseOf(read.address) : null;
}

function baseOf(address: Expression): VariableId | null {
  let at = address;
  while (at.kind === "offset" || at.kind === "fieldAddress" || at.kind === "convert")
    at = at.kind === "convert" ? at.operand : at.pointer;
  return at.kind === "addressOf" && at.object.kind === "variable" ? at.object.variable : null;
}

function writesTo(operation: Operation, variable: VariableId): boolean {
  if (operation.kind === "assign") return operation.target === variable;
  return operation.kind === "store" && baseOf(operation.address) === variable;
}
