import { controlFlowOf } from "./controlFlow.ts";
import type { Expression } from "./expression.ts";
import { forEachVariableRead } from "./expressionParts.ts";
import { operationExpressions } from "./operationParts.ts";
import type { Edge, Function, Program } from "./program.ts";

/** For each edge, the registers it reads that may be indeterminate there; edges without any are absent. */
export type UnassignedReads = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Forward data flow over the registers that are read before they are written in some block. Everything else (most
 * temporaries) is settled inside its block.
 */
export function findUnassignedReads(program: Program, fn: Function): UnassignedReads {
  const tracked = trackedRegisters(program, fn);
  if (tracked.size === 0) return new Map();
  const words = (tracked.size + 31) >> 5;
  const { reversePostorder, incoming, outgoing } = controlFlowOf(fn);
  // Locations entered along several edges or none hold a set; in between the set of the only predecessor is carried on.
  const assigned: (Int32Array | undefined)[] = new Array(fn.locations);
  assigned[fn.entry] = new Int32Array(words);
  const results = new Map<number, Set<number>>();

  for (let changed = true; changed; ) {
    changed = false;
    for (const location of reversePostorder) {
      const before = assigned[location];
      if (before === undefined) continue;
      for (const edge of outgoing[location]!) {
        const after = transfer(program, edge, before, tracked);
        const known = assigned[edge.to];
        if (known === undefined) {
          assigned[edge.to] = after === before ? before.slice() : after;
          changed = true;
        } else if (incoming[edge.to]!.length === 1 && edge.to !== fn.entry) {
          if (!equal(known, after)) {
            known.set(after);
            changed = true;
          }
        } else if (intersectInto(known, after)) changed = true;
      }
    }
  }
  for (const edge of fn.edges) {
    const before = assigned[edge.from];
    if (before === undefined) continue;
    forEachRead(edge, (variable) => {
      const bit = tracked.get(variable);
      if (bit === undefined || (before[bit >> 5]! & (1 << (bit & 31))) !== 0) return;
      const found = results.get(edge.id);
      if (found === undefined) results.set(edge.id, new Set([variable]));
      else found.add(variable);
    });
  }
  return results;
}

/** Locals and temporaries with a read that no write in the same straight line precedes; numbered. */
function trackedRegisters(program: Program, fn: Function): Map<number, number> {
  const tracked = new Map<number, number>();
  const { outgoing, incoming, reversePostorder } = controlFlowOf(fn);
  let written = new Set<number>();
  const scan = (edge: Edge) => {
    forEachRead(edge, (variable) => {
      const { kind } = program.variables[variable]!;
      if (kind === "static" || kind === "parameter" || written.has(variable) || tracked.has(variable)) return;
      tracked.set(variable, tracked.size);
    });
    const effect = effectOf(program, edge);
    if (effect.assigned !== null) written.add(effect.assigned);
    if (effect.forgotten !== null) written.delete(effect.forgotten);
  };
  const isStart = (location: number) =>
    location === fn.entry || incoming[location]!.length !== 1 || outgoing[incoming[location]![0]!.from]!.length !== 1;
  for (const start of reversePostorder) {
    if (!isStart(start)) continue;
    written = new Set();
    for (let location = start; ; ) {
      const edges = outgoing[location]!;
      for (const edge of edges) scan(edge);
      if (edges.length !== 1 || isStart(edges[0]!.to)) break;
      location = edges[0]!.to;
    }
  }
  return tracked;
}

function transfer(program: Program, edge: Edge, before: Int32Array, tracked: Map<number, number>): Int32Array {
  const { assigned, forgotten } = effectOf(program, edge);
  const gained = assigned === null ? undefined : tracked.get(assigned);
  const lost = forgotten === null ? undefined : tracked.get(forgotten);
  if (gained === undefined && lost === undefined) return before;
  const after = before.slice();
  if (gained !== undefined) after[gained >> 5]! |= 1 << (gained & 31);
  if (lost !== undefined) after[lost >> 5]! &= ~(1 << (lost & 31));
  return after;
}

/** A call's target is assigned only when every `return` of the callee has a value. */
function effectOf(program: Program, edge: Edge): { assigned: number | null; forgotten: number | null } {
  const operation = edge.operation;
  switch (operation.kind) {
    case "assign":
    case "input":
    case "callLibrary":
      return { assigned: operation.target, forgotten: null };
    case "call": {
      if (operation.target === null) return { assigned: null, forgotten: null };
      const sure =
        operation.callee.kind === "direct" && alwaysReturnsValue(program.functions[operation.callee.function]!);
      return sure ? { assigned: operation.target, forgotten: null } : { assigned: null, forgotten: operation.target };
    }
    case "declare":
      return { assigned: null, forgotten: operation.variable };
    default:
      return { assigned: null, forgotten: null };
  }
}

export function alwaysReturnsValue(fn: Function): boolean {
  return fn.edges.every(({ operation }) => operation.kind !== "return" || operation.value !== null);
}

function forEachRead(edge: Edge, visit: (variable: number) => void): void {
  for (const expression of operationExpressions(edge.operation)) forEachVariableRead(expression as Expression, visit);
}

function equal(a: Int32Array, b: Int32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function intersectInto(target: Int32Array, other: Int32Array): boolean {
  let changed = false;
  for (let i = 0; i < target.length; i++) {
    const both = target[i]! & other[i]!;
    if (both !== target[i]) {
      target[i] = both;
      changed = true;
    }
  }
  return changed;
}
