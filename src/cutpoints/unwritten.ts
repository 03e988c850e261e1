import type { SourceRange } from "../base/sourceRange.ts";
import { libraryFunction } from "../c/library/table.ts";
import { addressParts } from "../ir/addressParts.ts";
import { controlFlowOf } from "../ir/controlFlow.ts";
import { findUnassignedReads, type UnassignedReads } from "../ir/dataFlow.ts";
import type { Expression } from "../ir/expression.ts";
import type { Edge, Function, Program, VariableId } from "../ir/program.ts";
import { sizeOf, type Type } from "../ir/type.ts";

/** What may be read before it is written: a register, or bytes of memory, of which no formula says which were written. */
export type Unwritten = { readonly kind: "register" | "memory"; readonly name: string; readonly range: SourceRange };

/** What an edge reads without a value on some way to it, and what it brings into being without one. */
export function unwrittenAt(program: Program, fn: Function, edge: Edge): readonly Unwritten[] {
  const { operation, range } = edge;
  const registers = [...(unassignedReadsOf(program, fn).get(edge.id) ?? [])].map((variable) => ({
    kind: "register" as const,
    name: program.variables[variable]!.name,
    range,
  }));
  if (operation.kind === "declare") {
    const variable = program.variables[operation.variable]!;
    const isSet = variable.storage === "register" || isWrittenAtOnce(program, fn, edge, operation.variable);
    return isSet ? registers : [...registers, { kind: "memory", name: variable.name, range }];
  }
  if (operation.kind !== "callLibrary") return registers;
  const { allocates } = libraryFunction(operation.name);
  const isBare = allocates !== null && allocates.size.kind === "bytes" && !allocates.zeroed;
  return isBare ? [...registers, { kind: "memory", name: `what ${operation.name} gives`, range }] : registers;
}

const cache = new WeakMap<Function, UnassignedReads>();

function unassignedReadsOf(program: Program, fn: Function): UnassignedReads {
  let reads = cache.get(fn);
  if (reads === undefined) {
    reads = findUnassignedReads(program, fn);
    cache.set(fn, reads);
  }
  return reads;
}

/** A type of more parts is not looked into. */
const mostParts = 4096;

/** Do the edges behind a declaration, up to the next choice or call, write every part of the variable? */
function isWrittenAtOnce(program: Program, fn: Function, declaration: Edge, variable: VariableId): boolean {
  const parts = partsOf(program.variables[variable]!.type, program.pointerBytes);
  if (parts === null) return false;
  const open = new Set(parts);
  const { outgoing } = controlFlowOf(fn);
  for (let at = declaration.to; open.size > 0; ) {
    const [edge, ...others] = outgoing[at]!;
    if (edge === undefined || others.length > 0 || edge === declaration) return false;
    const { operation } = edge;
    if (operation.kind === "store" && operation.bitField === undefined) {
      const offset = offsetIn(operation.address, variable);
      if (offset !== null) open.delete(offset);
    } else if (operation.kind === "copy") {
      const offset = offsetIn(operation.to, variable);
      // A static object has a value everywhere; of any other one nobody knows.
      if (offset !== null && isStatic(program, operation.from)) {
        for (const part of [...open]) if (part >= offset && part < offset + operation.size) open.delete(part);
      }
    } else if (operation.kind !== "assign" && operation.kind !== "declare" && operation.kind !== "skip") return false;
    at = edge.to;
  }
  return true;
}

/** Where in the variable an address points to; null where that is not plain. */
function offsetIn(address: Expression, variable: VariableId): number | null {
  const { root, constant, terms } = addressParts(address);
  const isIt = root.kind === "addressOf" && root.object.kind === "variable" && root.object.variable === variable;
  return isIt && terms.length === 0 ? constant : null;
}

function isStatic(program: Program, address: Expression): boolean {
  const { root } = addressParts(address);
  return (
    root.kind === "addressOf" &&
    root.object.kind === "variable" &&
    program.variables[root.object.variable]!.kind === "static"
  );
}

/** The offsets of a type's scalars; null where they are too many, share bytes or have a size that only the run knows. */
function partsOf(type: Type, pointerBytes: 4 | 8): readonly number[] | null {
  if (type.kind === "array") {
    const size = sizeOf(type.element, pointerBytes);
    const inner = partsOf(type.element, pointerBytes);
    if (type.length === null || size === null || inner === null || type.length * inner.length > mostParts) return null;
    return Array.from({ length: type.length }, (_, i) => inner.map((part) => i * size + part)).flat();
  }
  if (type.kind !== "struct") return [0];
  if (type.union || type.layout === null) return null;
  const parts: number[] = [];
  for (const { type: own, offset, bitField } of type.layout.fields) {
    const inner = bitField === undefined ? partsOf(own, pointerBytes) : null;
    if (inner === null || parts.length + inner.length > mostParts) return null;
    parts.push(...inner.map((part) => offset + part));
  }
  return parts;
}
