import { nth } from "../../base/checked.ts";
import { assertNever } from "../../base/errors.ts";
import { remembered } from "../../base/memo.ts";
import type { Call, CallLibrary, Case, CopyMemory, Operation, Return, Store } from "../../ir/operation.ts";
import type { Edge, Function, VariableId } from "../../ir/program.ts";
import { completeSize, isScalar, type ScalarType, sizeOf, type Type } from "../../ir/type.ts";
import { constant, type EntryExpr, element, field, foldBinary, free, negated } from "../expr.ts";
import { evaluateC, placeOf, truthOf } from "./evaluate.ts";
import { addCondition, type CFrame, freshOpaque } from "./frame.ts";
import { leaveByTest } from "./loops.ts";
import { type CValue, placeBehind, registerPlace } from "./value.ts";

/** The effect of an edge within one call, in terms. */
export function follow(frame: CFrame, edge: Edge, operation: Exclude<Operation, Call | CallLibrary | Return>): void {
  switch (operation.kind) {
    case "assign":
      setRegister(frame, operation.target, evaluateC(frame, operation.value));
      return;
    case "store":
      followStore(frame, operation);
      return;
    case "copy":
      followCopy(frame, operation);
      return;
    case "assume": {
      const { condition, negated: isNegated } = operation;
      const truth = truthOf(evaluateC(frame, condition).term, condition.type);
      const expr = isNegated ? negated(truth) : truth;
      const kind = operation.origin === "assert" || otherWayFails(frame.fn, edge) ? "native" : "branch";
      addCondition(frame, { expr, point: condition, kind });
      leaveByTest(frame, edge);
      return;
    }
    case "case":
      followCase(frame, operation);
      return;
    case "declare":
      frame.registers.delete(operation.variable);
      return;
    case "input": {
      const { target, source } = operation;
      frame.pending = (resumed) =>
        setRegister(resumed, target, {
          raw: resumed.world.state.register(target),
          term: freshOpaque(resumed, source),
          scale: null,
        });
      return;
    }
    case "fail":
    case "skip":
      return;
    default:
      return assertNever(operation, "operation");
  }
}

export function setRegister(frame: CFrame, variable: VariableId, value: CValue): void {
  const { program } = frame.world;
  const { kind, type, name } = nth(program.variables, variable);
  if (kind !== "static" || !isScalar(type)) {
    frame.registers.set(variable, value);
    return;
  }
  const size = completeSize(type, program.pointerBytes);
  frame.cells.write({ at: registerPlace(variable), size, type, term: free(name) }, value);
}

function followStore(frame: CFrame, { address, type, value, bitField }: Store): void {
  const given = evaluateC(frame, value);
  const place = placeOf(frame, address, type);
  if (place === null) return;
  if (bitField !== undefined) frame.cells.disturb({ pointer: place.at, size: place.size, term: place.term });
  else frame.cells.write(place, given);
}

/** Struct assignment, scalar by scalar; larger ones as bytes. */
function followCopy(frame: CFrame, { to, from, size }: CopyMemory): void {
  const source = evaluateC(frame, from);
  const target = evaluateC(frame, to);
  if (typeof source.raw !== "number" || typeof target.raw !== "number") return;
  const { state } = frame.world;
  const type = to.type.kind === "pointer" ? to.type.to : null;
  const parts = type === null ? null : scalarParts(type, frame.world.program.pointerBytes);
  const term = placeBehind(target.term);
  if (parts === null) {
    frame.cells.disturb({ pointer: target.raw, size, term });
    return;
  }
  const values = parts.map((part) => {
    const at = (source.raw as number) + part.offset;
    const place = { at, size: part.size, type: part.type, term: part.within(placeBehind(source.term)) };
    // Unwritten bytes are copied as unwritten.
    const raw = state.load(at, part.type);
    return raw === undefined ? null : frame.cells.read(place, raw);
  });
  parts.forEach((part, index) => {
    const at = (target.raw as number) + part.offset;
    const value = values[index] ?? { raw: undefined, term: freshOpaque(frame, "nothing"), scale: null };
    frame.cells.write({ at, size: part.size, type: part.type, term: part.within(term) }, value);
  });
}

type Part = {
  readonly offset: number;
  readonly size: number;
  readonly type: ScalarType;
  readonly within: (whole: EntryExpr) => EntryExpr;
};

const mostParts = 64;

/** The scalars of a type; null where they are many, or lie on each other. */
function scalarParts(type: Type, pointerBytes: 4 | 8): readonly Part[] | null {
  if (isScalar(type)) return [{ offset: 0, size: completeSize(type, pointerBytes), type, within: (whole) => whole }];
  const inner: { readonly type: Type; readonly offset: number; readonly within: (whole: EntryExpr) => EntryExpr }[] =
    [];
  if (type.kind === "struct") {
    if (type.union || type.layout === null || type.layout.fields.some((one) => one.bitField !== undefined)) return null;
    for (const one of type.layout.fields)
      inner.push({ type: one.type, offset: one.offset, within: (whole) => field(whole, one.name) });
  } else if (type.kind === "array") {
    const size = sizeOf(type.element, pointerBytes);
    if (type.length === null || size === null || type.length > mostParts) return null;
    for (let k = 0; k < type.length; k++)
      inner.push({ type: type.element, offset: k * size, within: (whole) => element(whole, constant(k)) });
  } else return null;
  const found: Part[] = [];
  for (const one of inner) {
    const parts = scalarParts(one.type, pointerBytes);
    if (parts === null) return null;
    for (const part of parts)
      found.push({ ...part, offset: one.offset + part.offset, within: (whole) => part.within(one.within(whole)) });
  }
  return found.length > mostParts ? null : found;
}

/** The interval that the value is in; for the default, on which side of each it is. */
function followCase(frame: CFrame, operation: Case): void {
  const { selector, values, others } = operation;
  const value = evaluateC(frame, selector);
  if (value.raw === undefined) return;
  const raw = BigInt(value.raw);
  const add = (operator: string, bound: bigint): void => {
    const operand = { concrete: Number(value.raw), term: value.term };
    const limit = { concrete: Number(bound), term: constant(Number(bound)) };
    const { term: expr } = foldBinary(operator, operand, limit);
    addCondition(frame, { expr, point: pointOf(operation, `${operator}${bound}`), kind: "branch" });
  };
  if (values === null)
    for (const [low, high] of others)
      if (low === high) add("!==", low);
      else if (raw < low) add("<", low);
      else add(">", high);
  else
    for (const [low, high] of values)
      if (raw >= low && raw <= high) {
        if (low === high) add("===", low);
        else {
          add(">=", low);
          add("<=", high);
        }
      }
}

const points = new WeakMap<Case, Map<string, object>>();

/** One place of the program for each comparison of a `switch`. */
function pointOf(operation: Case, name: string): object {
  const known = remembered(points, operation, () => new Map());
  const point = known.get(name) ?? {};
  known.set(name, point);
  return point;
}

const failing = new WeakMap<Edge, boolean>();

/** Whether the other way of a branch does nothing but end the run. */
export function otherWayFails(fn: Function, edge: Edge): boolean {
  return remembered(failing, edge, () => {
    const other = fn.edges.find((one) => one.from === edge.from && one !== edge);
    return other !== undefined && endsRun(fn, other);
  });
}

function endsRun(fn: Function, first: Edge): boolean {
  let at = first.to;
  for (let steps = 0; steps < 20; steps++) {
    const next = fn.edges.filter((one) => one.from === at);
    if (next.length !== 1) return false;
    if (nth(next, 0).operation.kind === "fail") return true;
    at = nth(next, 0).to;
  }
  return false;
}
