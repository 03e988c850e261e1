import { nth } from "../../base/checked.ts";
import { assertNever } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { emit, insertAt, type Mark, mark, read } from "../../ir/builder.ts";
import type { Expression } from "../../ir/expression.ts";
import type { Operation } from "../../ir/operation.ts";
import type { VariableId } from "../../ir/program.ts";
import { isScalar } from "../../ir/type.ts";
import type { Expr } from "../ast.ts";
import { type Constness, isConstObject, lookup } from "../declare/scope.ts";
import { type LibraryFunction, libraryFunction, mayWrite } from "../library/table.ts";
import { applyBinary, step } from "./arithmetic.ts";
import {
  type Context,
  inputError,
  type LoweredValue,
  newTemporary,
  type Place,
  scalar,
  type UnitContext,
  voidValue,
} from "./context.ts";
import { lowerCall } from "./lowerCall.ts";
import { asScalar, lowerExpr, lowerPlace, lowerScalar } from "./lowerExpression.ts";
import { assignedType, convertTo, copyStruct, readPlace, writePlace } from "./lowerPlace.ts";

type AssignmentExpr = Expr & { kind: "assignment" };
type IncrementExpr = Expr & { kind: "increment" };

/** `wanted`: the value of the assignment is used. */
export function lowerAssignment(cx: Context, e: AssignmentExpr, wanted: boolean): LoweredValue {
  refuseConst(cx, e.left);
  return e.operator === null ? lowerPlain(cx, e, wanted) : lowerCompound(cx, e, e.operator, wanted);
}

/** A change of what is declared const is an error in every compiler. */
function refuseConst(cx: Context, target: Expr): void {
  const constness = constnessAt(cx, target);
  if (constness === null || !isConstObject(constness)) return;
  const name = target.kind === "identifier" ? target.name : "this";
  inputError("TF158", `${name} is const, so it cannot be changed`, target.range);
}

/** What is const about a place; null if that is not known. */
function constnessAt(cx: Context, e: Expr): Constness | null {
  switch (e.kind) {
    case "identifier": {
      const entity = lookup(cx.scope, e.name);
      return entity?.kind === "local" || entity?.kind === "static" ? (entity.constness ?? null) : null;
    }
    case "subscript":
      return within(constnessAt(cx, e.array));
    case "unary":
      return e.operator === "*" ? within(constnessAt(cx, e.operand)) : null;
    case "binary":
      return e.operator === "+" || e.operator === "-" ? constnessAt(cx, e.left) : null;
    case "member": {
      const object = constnessAt(cx, e.object);
      const struct = e.arrow ? within(object) : object;
      return struct?.length === 1 && struct[0] === true ? struct : null;
    }
    default:
      return null;
  }
}

/** The elements of an array, or what a pointer leads to. */
function within(constness: Constness | null): Constness | null {
  return constness === null || constness.length < 2 ? null : constness.slice(1);
}

function lowerPlain(cx: Context, e: AssignmentExpr, wanted: boolean): LoweredValue {
  const target = lowerPlace(cx, e.left);
  const at = mark(cx);
  const value = lowerInto(cx, e.right, target);
  const place = keepPlace(cx, at, target, e.left);
  if (value.kind === "struct") {
    copyStruct(cx, place, value.place, e.range);
    return place.kind === "register" ? voidValue : { kind: "struct", type: value.type, place };
  }
  return assign(cx, place, asScalar(value, e.right.range), e, wanted);
}

/** Evaluates a value for `target`; a call may write its result there directly. */
export function lowerInto(cx: Context, e: Expr, target: Place): LoweredValue {
  return e.kind === "call" && target.kind === "register" ? lowerCall(cx, e, target) : lowerExpr(cx, e);
}

/** The right side is evaluated first, as in gcc and clang. */
function lowerCompound(
  cx: Context,
  e: AssignmentExpr,
  operator: NonNullable<AssignmentExpr["operator"]>,
  wanted: boolean,
): LoweredValue {
  const right = lowerScalar(cx, e.right);
  const at = mark(cx);
  const place = lowerPlace(cx, e.left);
  const operand = keepValue(cx, at, right, e.right.range);
  const current = asScalar(readPlace(cx, place), e.left.range);
  return assign(cx, place, applyBinary(cx, operator, current, operand, e.range), e, wanted);
}

export function lowerIncrement(cx: Context, e: IncrementExpr, wanted: boolean): LoweredValue {
  refuseConst(cx, e.operand);
  const place = lowerPlace(cx, e.operand);
  if (!isScalar(place.type)) return inputError("TF160", `operator ${e.operator} needs a number or a pointer`, e.range);
  const current = asScalar(readPlace(cx, place), e.operand.range);
  if (e.prefix || !wanted) return assign(cx, place, step(cx, e.operator, current, e.range), e, wanted);
  const before = newTemporary(cx, current.type, e.range);
  emit(cx, { kind: "assign", target: before.id, value: current }, e.range);
  const again = place.kind === "register" ? current : read(before);
  writePlace(cx, place, step(cx, e.operator, again, e.range), e.range);
  return scalar(read(before));
}

function assign(cx: Context, place: Place, value: Expression, e: Expr, wanted: boolean): LoweredValue {
  if (place.kind !== "memory" || !wanted || place.bitField !== undefined) {
    writePlace(cx, place, value, e.range);
    return wanted ? readPlace(cx, place) : voidValue;
  }
  const converted = convertTo(cx, value, assignedType(place, e.range), e.range);
  if (converted.kind === "constant" || converted.kind === "variable") {
    writePlace(cx, place, converted, e.range);
    return scalar(converted);
  }
  const result = newTemporary(cx, converted.type, e.range);
  emit(cx, { kind: "assign", target: result.id, value: converted }, e.range);
  writePlace(cx, place, read(result), e.range);
  return scalar(read(result));
}

function keepPlace(cx: Context, at: ReturnType<typeof mark>, place: Place, e: Expr): Place {
  if (place.kind !== "memory") return place;
  return { ...place, address: keepValue(cx, at, place.address, e.range) };
}

/**
 * Keeps the value of an operand that was evaluated at `at` and is used only now. If code emitted since may have changed
 * it, it is saved to a temporary back there; otherwise it is evaluated where it is used.
 */
export function keepValue(cx: Context, at: Mark, operand: Expression, range: SourceRange): Expression {
  const edges = cx.graph.edges;
  if (at.edges === edges.length) return operand;
  const reads = readsOf(operand);
  if (reads.variables.size === 0 && reads.loads.length === 0) return operand;
  for (let i = at.edges; i < edges.length; i++) {
    if (!changes(cx.unit, nth(edges, i).operation, reads)) continue;
    const temporary = newTemporary(cx, operand.type, range);
    insertAt(cx, at, { kind: "assign", target: temporary.id, value: operand }, range);
    return read(temporary);
  }
  return operand;
}

type Reads = {
  readonly variables: Set<VariableId>;
  /** The object that a load reads from; null if it reads through a pointer. */
  readonly loads: (VariableId | null)[];
};

function readsOf(expression: Expression): Reads {
  const reads: Reads = { variables: new Set(), loads: [] };
  collect(expression, reads);
  return reads;
}

function collect(expression: Expression, reads: Reads): void {
  switch (expression.kind) {
    case "constant":
    case "addressOf":
      return;
    case "variable":
      reads.variables.add(expression.variable);
      return;
    case "load":
      reads.loads.push(rootOf(expression.address));
      return collect(expression.address, reads);
    case "offset":
      collect(expression.pointer, reads);
      return collect(expression.index, reads);
    case "fieldAddress":
      return collect(expression.pointer, reads);
    case "unary":
    case "convert":
      return collect(expression.operand, reads);
    case "binary":
    case "comparison":
    case "pointerDifference":
      collect(expression.left, reads);
      return collect(expression.right, reads);
    default:
      return assertNever(expression, "expression");
  }
}

/** The named object of an address; null if the address comes from a pointer's value. */
function rootOf(address: Expression): VariableId | null {
  switch (address.kind) {
    case "addressOf":
      return address.object.kind === "variable" ? address.object.variable : null;
    case "offset":
    case "fieldAddress":
      return rootOf(address.pointer);
    case "convert":
      return rootOf(address.operand);
    default:
      return null;
  }
}

function changedByLibrary(unit: UnitContext, known: LibraryFunction, reads: Reads): boolean {
  if (mayWrite(known)) return reads.loads.length > 0;
  const readsErrno = reads.loads.some((loaded) => loaded !== null && nth(unit.variables, loaded).role === "errno");
  return readsErrno && Object.keys(known.errno).length > 0;
}

function changes(unit: UnitContext, operation: Operation, reads: Reads): boolean {
  const register = (target: VariableId | null) => target !== null && reads.variables.has(target);
  const memory = (address: Expression) => {
    const written = rootOf(address);
    return reads.loads.some((loaded) => loaded === null || written === null || loaded === written);
  };
  switch (operation.kind) {
    case "assign":
    case "input":
      return register(operation.target);
    case "store":
      return memory(operation.address);
    case "copy":
      return memory(operation.to);
    case "declare":
      return reads.variables.has(operation.variable) || reads.loads.includes(operation.variable);
    case "call":
      if (reads.loads.length > 0 || register(operation.target)) return true;
      for (const id of reads.variables) if (nth(unit.variables, id).kind === "static") return true;
      return false;
    case "callLibrary":
      if (register(operation.target)) return true;
      return changedByLibrary(unit, libraryFunction(operation.name), reads);
    case "assume":
    case "case":
    case "return":
    case "fail":
    case "skip":
      return false;
    default:
      return assertNever(operation, "operation");
  }
}
