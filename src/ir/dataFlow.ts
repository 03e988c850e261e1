import { nth, present } from "../base/checked.ts";
import { memoised, remembered } from "../base/memo.ts";
import { rangeBetweenOffsets } from "../base/sourceFile.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import { controlFlowOf } from "./controlFlow.ts";
import { type Constant, type Expression, expressionOperands, type Offset } from "./expression.ts";
import { expressionsWithin, type Operation, operationExpressions, writtenRegister } from "./operation.ts";
import type { Edge, Function, LocationId, Program, VariableId } from "./program.ts";
import { integerShape } from "./scalarValue.ts";

/** An address as `root + constant + sum of index * scale`, in bytes and mathematical integers. */
export type AddressParts = {
  readonly root: Expression;
  readonly constant: number;
  readonly terms: readonly { readonly index: Expression; readonly scale: number; readonly offset: Offset }[];
};

/** `folds`: constant indices are part of the constant. */
export function addressParts(address: Expression, folds = true): AddressParts {
  const terms: { index: Expression; scale: number; offset: Offset }[] = [];
  let constant = 0;
  let root = address;
  for (;;) {
    if (root.kind === "fieldAddress") {
      constant += root.offset;
      root = root.pointer;
    } else if (root.kind === "offset") {
      // An index that must be checked at use stays separate.
      const isKnown = folds && root.index.kind === "constant" && root.bound === undefined;
      const known = isKnown ? Number((root.index as Constant).value) * root.scale : Number.NaN;
      if (Number.isSafeInteger(known + constant)) constant += known;
      else terms.unshift({ index: root.index, scale: root.scale, offset: root });
      root = root.pointer;
    } else if (root.kind === "convert" && root.type.kind === "pointer" && root.operand.type.kind === "pointer") {
      root = root.operand;
    } else return { root, constant, terms };
  }
}

/** True if the value is always a `number`, never a `bigint`. */
export function isAlwaysNumber(expression: Expression): boolean {
  const { type } = expression;
  if (type.kind !== "int" && type.kind !== "bool") return true;
  if (integerShape(type).bits <= 32) return true;
  if (expression.kind === "constant") return Number.isSafeInteger(Number(expression.value));
  if (expression.kind !== "convert") return false;
  const from = expression.operand.type;
  if (from.kind !== "int" && from.kind !== "bool") return false;
  const shape = integerShape(from);
  return shape.bits <= 32 && (integerShape(type).signed || !shape.signed);
}

/** For each edge, the registers it reads that may be indeterminate there; edges without any are absent. */
export type UnassignedReads = ReadonlyMap<number, ReadonlySet<number>>;

/** Forward data flow over the registers that some block reads before it writes them. */
export function unassignedReadsOf(program: Program, fn: Function): UnassignedReads {
  return remembered(unassignedReads, fn, () => findUnassignedReads(program, fn));
}

const unassignedReads = new WeakMap<Function, UnassignedReads>();

function findUnassignedReads(program: Program, fn: Function): UnassignedReads {
  const tracked = trackedRegisters(program, fn);
  if (tracked.size === 0) return new Map();
  const words = (tracked.size + 31) >> 5;
  const { reversePostorder, incoming, outgoing } = controlFlowOf(fn);
  // Only locations with several incoming edges or none hold a set; others use that of their predecessor.
  const assigned: (Int32Array | undefined)[] = new Array(fn.locations);
  assigned[fn.entry] = new Int32Array(words);
  const results = new Map<number, Set<number>>();

  for (let changed = true; changed; ) {
    changed = false;
    for (const location of reversePostorder) {
      const before = assigned[location];
      if (before === undefined) continue;
      for (const edge of nth(outgoing, location)) {
        const after = transfer(program, edge, before, tracked);
        const known = assigned[edge.to];
        if (known === undefined) {
          assigned[edge.to] = after === before ? before.slice() : after;
          changed = true;
        } else if (nth(incoming, edge.to).length === 1 && edge.to !== fn.entry) {
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

/** Locals and temporaries with a read that no write in the same block precedes; numbered. */
function trackedRegisters(program: Program, fn: Function): Map<number, number> {
  const tracked = new Map<number, number>();
  const { outgoing, incoming, reversePostorder } = controlFlowOf(fn);
  let written = new Set<number>();
  const scan = (edge: Edge) => {
    forEachRead(edge, (variable) => {
      const { kind } = nth(program.variables, variable);
      if (kind === "static" || kind === "parameter" || written.has(variable) || tracked.has(variable)) return;
      tracked.set(variable, tracked.size);
    });
    const effect = effectOf(program, edge);
    if (effect.assigned !== null) written.add(effect.assigned);
    if (effect.forgotten !== null) written.delete(effect.forgotten);
  };
  const isStart = (location: number) =>
    location === fn.entry ||
    nth(incoming, location).length !== 1 ||
    nth(outgoing, nth(nth(incoming, location), 0).from).length !== 1;
  for (const start of reversePostorder) {
    if (!isStart(start)) continue;
    written = new Set();
    for (let location = start; ; ) {
      const edges = nth(outgoing, location);
      for (const edge of edges) scan(edge);
      if (edges.length !== 1 || isStart(nth(edges, 0).to)) break;
      location = nth(edges, 0).to;
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

/** A call's target is assigned only if every `return` of the callee has a value. */
function effectOf(program: Program, edge: Edge): { assigned: number | null; forgotten: number | null } {
  const operation = edge.operation;
  if (operation.kind === "declare") return { assigned: null, forgotten: operation.variable };
  const target = writtenRegister(operation);
  if (operation.kind !== "call") return { assigned: target, forgotten: null };
  const { callee } = operation;
  const sure = callee.kind === "direct" && alwaysReturnsValue(nth(program.functions, callee.function));
  return sure ? { assigned: target, forgotten: null } : { assigned: null, forgotten: target };
}

export function alwaysReturnsValue(fn: Function): boolean {
  return fn.edges.every(({ operation }) => operation.kind !== "return" || operation.value !== null);
}

function forEachRead(edge: Edge, visit: (variable: number) => void): void {
  for (const expression of expressionsWithin(edge.operation))
    if (expression.kind === "variable") visit(expression.variable);
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

export const liveRegistersOf = memoised((fn: Function): readonly ReadonlySet<VariableId>[] => computeLive(fn));

function computeLive(fn: Function): Set<VariableId>[] {
  const live = Array.from({ length: fn.locations }, () => new Set<VariableId>());
  const { incoming } = controlFlowOf(fn);
  const work: LocationId[] = Array.from({ length: fn.locations }, (_, i) => i as LocationId);
  const queued = new Set(work);
  while (work.length > 0) {
    const location = present(work.pop());
    queued.delete(location);
    for (const edge of nth(incoming, location)) {
      const before = nth(live, edge.from);
      const size = before.size;
      const written = writtenRegister(edge.operation);
      for (const variable of nth(live, location)) if (variable !== written) before.add(variable);
      for (const expression of expressionsWithin(edge.operation)) {
        if (expression.kind === "variable") before.add(expression.variable);
      }
      if (before.size > size && !queued.has(edge.from)) {
        queued.add(edge.from);
        work.push(edge.from);
      }
    }
  }
  return live;
}

/** Variables whose address is used for more than a direct access. */
export function escapingVariables(fn: Function): ReadonlySet<VariableId> {
  const escaping = new Set<VariableId>();
  const value = (expression: Expression): void => {
    if (expression.kind === "addressOf") {
      if (expression.object.kind === "variable") escaping.add(expression.object.variable);
    } else if (expression.kind === "load") place(expression.address);
    else for (const operand of expressionOperands(expression)) value(operand);
  };
  const place = (address: Expression): void => {
    const { root, terms } = addressParts(address);
    if (root.kind !== "addressOf") value(root);
    for (const { index } of terms) value(index);
  };
  for (const { operation } of fn.edges) {
    if (operation.kind === "store") {
      place(operation.address);
      value(operation.value);
    } else if (operation.kind === "copy") {
      place(operation.to);
      place(operation.from);
    } else for (const expression of operationExpressions(operation)) value(expression);
  }
  return escaping;
}

/** True if the operation writes the variable by name. Writes through pointers are ignored. */
export function writesVariable(operation: Operation, variable: VariableId): boolean {
  if (operation.kind !== "store") return writtenRegister(operation) === variable;
  const root = rootOfAddress(operation.address);
  return root.kind === "addressOf" && root.object.kind === "variable" && root.object.variable === variable;
}

/** The object or pointer that an address is computed from. */
export function rootOfAddress(address: Expression): Expression {
  let root = address;
  while (root.kind === "offset" || root.kind === "fieldAddress") root = root.pointer;
  return root;
}

/** Uses of `volatile` in the program's files, without comments, strings, `asm volatile` and library headers. */
export function volatileUses({ files }: Program): readonly SourceRange[] {
  return files.flatMap((file) => {
    const { path, text } = file;
    if (path.startsWith("<") || !text.includes("volatile")) return [];
    const plain = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"/g, (part) =>
      part.replace(/[^\n]/g, " "),
    );
    return [...plain.matchAll(/\b(__asm__|asm|__asm)?\s*\b(volatile|__volatile__|__volatile)\b/g)].flatMap(
      (match): SourceRange[] => {
        if (match[1] !== undefined) return [];
        const start = match.index + match[0].length - match[2]!.length;
        return [rangeBetweenOffsets(file, start, start + match[2]!.length)];
      },
    );
  });
}
