import type { SourceRange } from "../../base/sourceRange.ts";
import { emit, emitMissing, emitRefusal, emitTo, isZeroConstant, jump, newLocation, read } from "../../ir/builder.ts";
import { finishGraph } from "../../ir/finishGraph.ts";
import type { ProgramVariable, VariableId } from "../../ir/program.ts";
import { isScalar, type ScalarType, type StructType, type Type } from "../../ir/type.ts";
import type { Expr } from "../ast.ts";
import { unknownLibraryFunction } from "../declare/link.ts";
import type { FunctionEntity } from "../declare/scope.ts";
import { findEntry, libraryAlias } from "../library/table.ts";
import { pointerTo, voidType } from "../types/cType.ts";
import { fieldAt } from "./address.ts";
import {
  addVariable,
  type Context,
  type FlatPlace,
  type LoweredValue,
  type MemoryPlace,
  newContext,
  newTemporary,
  note,
  type Place,
  refuse,
  type UnitContext,
  unsupported,
  voidValue,
} from "./context.ts";
import {
  type CallExpr,
  emitWithResult,
  lowerArguments,
  lowerCall,
  loweredType,
  type NamedCall,
  type ResultTarget,
} from "./lowerCall.ts";
import { branch } from "./lowerCondition.ts";
import { asScalar } from "./lowerExpression.ts";
import type { LoweredFunction } from "./lowerFunction.ts";
import { copyStruct, temporaryStruct, writePlace } from "./lowerPlace.ts";

/** SV-COMP marks atomic sections; with one thread they mean nothing. */
const verifierHints: ReadonlySet<string> = new Set(["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"]);

/** CBMC's prefix for functions whose result may be anything. */
const cbmcPrefix = "nondet_";

/** A call of an undefined function: an error if reachable; with `undefined: "input"` an input, with a note. */
export function lowerUndefinedCall(cx: Context, { e, name, entity, target }: NamedCall): LoweredValue {
  const entry = findEntry(name.replace(/^__builtin_/, ""));
  if (entry?.kind === "unsupported" && entry.reason !== null) {
    return unsupported("TF255", `${name}: ${entry.reason}`, e.range);
  }
  const values = lowerArguments(cx, e.arguments);
  const { types } = cx.unit;
  if (entry?.kind === "input") return lowerClock(cx, e, name, values[0], target);
  if (name.startsWith("__builtin_")) return unsupported("TF256", `${name} is not supported`, e.range);
  const result: Type = entity === null ? types.int : entity.type.result;
  if (verifierHints.has(name)) return voidValue;
  if (name.startsWith(cbmcPrefix) && result.kind !== "void") return inputOfType(cx, result, name, target, e.range);
  const isOfSystem = entry?.kind === "unsupported" || /^(<|\/usr\/)/.test(entity?.range.file ?? "");
  if (cx.unit.options.undefined !== "input") {
    if (isOfSystem && cx.unit.options.unsupported === "whenReached") {
      emitRefusal(cx, unknownLibraryFunction(name), e.range);
      return result.kind === "void" || target === "discard"
        ? voidValue
        : inputOfType(cx, result, name, target, e.range);
    }
    emitMissing(cx, name, e.range);
  }
  if (result.kind === "void" || target === "discard") {
    note(cx, `undefined function ${name}: calls of it have no effect`, e.range);
    return voidValue;
  }
  note(cx, `undefined function ${name}: its result is an input`, e.range);
  return inputOfType(cx, result, name, target, e.range, isOfSystem);
}

export function inputOfType(
  cx: Context,
  type: Type,
  source: string,
  target: ResultTarget,
  range: SourceRange,
  isInvented = false,
): LoweredValue {
  if (type.kind === "struct") {
    const place = temporaryStruct(cx, type, range);
    inputParts(cx, place, source, range);
    return { kind: "struct", type, place };
  }
  const scalarType = type as ScalarType;
  return emitWithResult(cx, type, target === "discard" ? null : target, range, (id) => ({
    kind: "input",
    target: id!,
    type: scalarType,
    source,
    ...(isInvented ? { isInvented } : {}),
  }));
}

/** Fills a struct with inputs, one per scalar; arrays and unions inside it stay indeterminate. */
function inputParts(cx: Context, place: MemoryPlace | FlatPlace, source: string, range: SourceRange): void {
  const { layout, union } = place.type as StructType;
  if (union) return;
  for (const [i, field] of layout!.fields.entries()) {
    inputPlace(cx, fieldAt(place, i), `${source}.${field.name}`, range);
  }
}

export function inputPlace(cx: Context, place: Place, source: string, range: SourceRange): void {
  if (place.kind === "flat") return inputParts(cx, place, source, range);
  if (place.type.kind === "struct") return inputParts(cx, place as MemoryPlace, source, range);
  if (!isScalar(place.type)) return;
  if (place.kind === "register") {
    return emit(cx, { kind: "input", target: place.variable, type: place.type, source }, range);
  }
  const temporary = newTemporary(cx, place.type, range);
  emit(cx, { kind: "input", target: temporary.id, type: place.type, source }, range);
  writePlace(cx, place, read(temporary), range);
}

/** Times that a machine could have. */
const clockRange = [0n, 2n ** 31n - 1n] as const;

/** `time(&t)` also stores its result. */
function lowerClock(
  cx: Context,
  e: CallExpr,
  name: string,
  where: LoweredValue | undefined,
  target: ResultTarget,
): LoweredValue {
  const { long } = cx.unit.types;
  const value = emitWithResult(cx, long, target === "discard" ? null : target, e.range, (id) => ({
    kind: "input",
    target: id!,
    type: long,
    source: name,
    within: clockRange,
  }));
  if (name !== "time" || where === undefined) return value;
  const pointer = asScalar(where, e.range);
  if (pointer.type.kind !== "pointer" || isZeroConstant(pointer)) return value;
  const [store, end] = [newLocation(cx), newLocation(cx)];
  branch(cx, pointer, store, end, "branch", e.range);
  cx.here = store;
  writePlace(cx, { kind: "memory", type: long, address: pointer }, asScalar(value, e.range), e.range);
  jump(cx, end, e.range);
  cx.here = end;
  return value;
}

/**
 * A wrapper for a function without a body whose address is taken. It does what a direct call would (a library
 * operation, an input), so that calls through pointers need no special case.
 */
export function lowerUndefinedFunction(unit: UnitContext, entity: FunctionEntity): LoweredFunction {
  const { range, name, type } = entity;
  const cx = newContext(unit, entity.id, name, type, unit.fileScope);
  const parameters: VariableId[] = [];
  const hidden = (parameterName: string, parameterType: Parameters<typeof pointerTo>[0]) => {
    const variable = addVariable(unit, {
      name: parameterName,
      madeUp: true,
      type: pointerTo(parameterType),
      kind: "parameter",
      storage: "register",
      function: entity.id,
      range,
    });
    parameters.push(variable.id);
    return variable;
  };
  const result = type.result.kind === "struct" ? hidden("$result", type.result) : null;
  const args: Expr[] = [];
  type.parameters.forEach((parameter, i) => {
    const parameterName = `$${i + 1}`;
    if (parameter.kind === "struct") {
      const address = read(hidden(parameterName, parameter));
      cx.scope.names.set(parameterName, { kind: "local", place: { kind: "memory", type: parameter, address } });
    } else if (isScalar(parameter)) {
      const shape = { kind: "parameter", storage: "register", function: entity.id, range, madeUp: true } as const;
      const variable = addVariable(unit, { ...shape, name: parameterName, type: parameter });
      parameters.push(variable.id);
      const place = { kind: "register", type: parameter, variable: variable.id } as const;
      cx.scope.names.set(parameterName, { kind: "local", place });
    }
    args.push({ kind: "identifier", name: parameterName, range });
  });
  const list = type.variadic ? hidden("$arguments", voidType) : null;
  cx.temporaries = args.length;
  let called = name;
  try {
    if (list !== null && libraryAlias(name) !== null) {
      called = takingList(name, range);
      const place = { kind: "register", type: pointerTo(voidType), variable: list.id } as const;
      cx.scope.names.set(list.name, { kind: "local", place });
      args.push({ kind: "identifier", name: list.name, range });
    }
    const callee: Expr = { kind: "identifier", name: called, range };
    emitCallAndReturn(cx, { kind: "call", callee, arguments: args, range }, entity, result);
  } catch (error) {
    refuse(cx, error, range);
  }
  return {
    id: entity.id,
    name,
    type: loweredType(type),
    parameters,
    graph: finishGraph(cx.graph, 0, cx.exit),
    range,
  };
}

/** The function that does the same with a `va_list`: `vfprintf` for `fprintf`. */
function takingList(name: string, range: SourceRange): string {
  const other = `v${name}`;
  if (libraryAlias(other) !== null) return other;
  return unsupported("TF259", `a pointer to the variadic library function ${name} is not supported`, range);
}

function emitCallAndReturn(cx: Context, call: CallExpr, entity: FunctionEntity, result: ProgramVariable | null): void {
  const { type, range } = entity;
  const value = lowerCall(cx, call, null);
  if (value.kind === "struct" && result !== null) {
    copyStruct(cx, { kind: "memory", type: value.type, address: read(result) }, value.place, range);
  }
  const returned = value.kind === "scalar" && isScalar(type.result) ? value.expression : null;
  emitTo(cx, cx.exit, { kind: "return", value: returned }, range);
}
