import { nth, present } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { emit, emitTo, mark, read } from "../../ir/builder.ts";
import type { Expression } from "../../ir/expression.ts";
import type { Call, Fail, Operation } from "../../ir/operation.ts";
import {
  type FunctionType,
  isScalar,
  type ScalarType,
  type StructType,
  sameRepresentation,
  type Type,
} from "../../ir/type.ts";
import type { Expr } from "../ast.ts";
import { declareExternal } from "../declare/declareFile.ts";
import { linkDeclared, undeclaredFunction } from "../declare/link.ts";
import { typeOfLibrary } from "../declare/resolveType.ts";
import { type FunctionEntity, lookup } from "../declare/scope.ts";
import { placeOfStatic } from "../declare/statics.ts";
import { findEntry, libraryAlias } from "../library/table.ts";
import { pointerTo, voidType } from "../types/cType.ts";
import { fieldAt } from "./address.ts";
import { convert } from "./arithmetic.ts";
import {
  type Context,
  inputError,
  type LoweredValue,
  newTemporary,
  note,
  type RegisterPlace,
  scalar,
  voidValue,
} from "./context.ts";
import { keepValue } from "./lowerAssignment.ts";
import { lowerBuiltin } from "./lowerBuiltin.ts";
import { asScalar, lowerExpr, lowerScalar } from "./lowerExpression.ts";
import { addressOfStruct, convertTo, temporaryStruct, writePlace } from "./lowerPlace.ts";
import { lowerUndefinedCall } from "./lowerUndefinedCall.ts";
import { lowerVerifierCall } from "./lowerVerifierCall.ts";
import { argumentBlock, defaultPromotion } from "./variadic.ts";

/**
 * Calls in the program model: a struct argument is passed by address, and the callee copies it first; a struct result
 * is written through a hidden first pointer argument to a temporary of the caller; variadic arguments are passed
 * through a hidden last pointer (`variadic.ts`).
 */
export type CallExpr = Expr & { kind: "call" };

/** A call by name; `entity` is null for an undeclared function. */
export type NamedCall = {
  readonly e: CallExpr;
  readonly name: string;
  readonly entity: FunctionEntity | null;
  readonly target: ResultTarget;
};

/** Destination of a result: none, a register if the types agree, or (null) any. */
export type ResultTarget = "discard" | RegisterPlace | null;

export function lowerCall(cx: Context, e: CallExpr, target: ResultTarget): LoweredValue {
  if (e.callee.kind === "identifier") {
    const { name } = e.callee;
    const entity = lookup(cx.scope, name) ?? undeclaredFunction(cx.unit, name);
    if (entity === null || entity.kind === "function") return lowerNamedCall(cx, { e, name, entity, target });
  }
  const callee = lowerScalar(cx, e.callee);
  if (callee.type.kind !== "pointer" || callee.type.to.kind !== "function") {
    return inputError("TF173", "the called expression is not a function", e.callee.range);
  }
  if (callee.kind === "addressOf" && callee.object.kind === "function") {
    const entity = nth(cx.unit.functions, callee.object.function);
    return lowerNamedCall(cx, { e, name: entity.name, entity, target });
  }
  const at = mark(cx);
  const values = lowerArguments(cx, e.arguments);
  const kept = keepValue(cx, at, callee, e.callee.range);
  const type = callee.type.to;
  const pointer = convert(kept, pointerTo(loweredType(type)), cx.unit.types.pointerBytes);
  return emitCall(cx, { kind: "pointer", pointer }, type, values, e, target);
}

function lowerNamedCall(cx: Context, call: NamedCall): LoweredValue {
  const { e, name, entity, target } = call;
  const special = lowerBuiltin(cx, e, name, target) ?? lowerVerifierCall(cx, call);
  if (special !== null) return special;
  if (entity !== null && entity.linked.definition !== null) {
    const { linked } = entity;
    const values = lowerArguments(cx, e.arguments);
    const type = entity.type.unprototyped || linked.type.unprototyped ? linked.type : entity.type;
    return emitCall(cx, { kind: "direct", function: linked.id }, type, values, e, target);
  }
  return lowerLibraryCall(cx, call) ?? lowerUndefinedCall(cx, call);
}

/** Evaluates arguments from left to right, saving those that a later one may change. */
export function lowerArguments(cx: Context, args: readonly Expr[]): LoweredValue[] {
  const marks: ReturnType<typeof mark>[] = [];
  const values = args.map((argument) => {
    const value = lowerExpr(cx, argument);
    marks.push(mark(cx));
    return value;
  });
  return values.map((value, i) =>
    value.kind === "scalar" ? scalar(keepValue(cx, nth(marks, i), value.expression, nth(args, i).range)) : value,
  );
}

/** The function type with the hidden parameters. */
export function loweredType(type: FunctionType): FunctionType {
  const parameters = type.parameters.map((parameter) =>
    parameter.kind === "struct" ? pointerTo(parameter) : parameter,
  );
  const isStruct = type.result.kind === "struct";
  if (isStruct) parameters.unshift(pointerTo(type.result));
  if (type.variadic) parameters.push(pointerTo(voidType));
  return {
    kind: "function",
    result: isStruct ? voidType : type.result,
    parameters,
    variadic: false,
    unprototyped: type.unprototyped,
  };
}

function emitCall(
  cx: Context,
  callee: Call["callee"],
  type: FunctionType,
  values: readonly LoweredValue[],
  e: CallExpr,
  target: ResultTarget,
): LoweredValue {
  const args = passArguments(cx, callee, type, values, e);
  if (type.result.kind === "struct") {
    const result = temporaryStruct(cx, type.result as StructType, e.range);
    emit(cx, { kind: "call", callee, arguments: [result.address, ...args], target: null }, e.range);
    return { kind: "struct", type: type.result as StructType, place: result };
  }
  return emitWithResult(cx, type.result, target, e.range, (id) => ({
    kind: "call",
    callee,
    arguments: args,
    target: id,
  }));
}

function passArguments(
  cx: Context,
  callee: Call["callee"],
  type: FunctionType,
  values: readonly LoweredValue[],
  e: CallExpr,
): Expression[] {
  const open = callee.kind === "pointer" && type.unprototyped;
  if (open) return values.map((value, i) => passUntyped(cx, value, nth(e.arguments, i).range));
  const args = type.parameters.map((parameter, i) => {
    const value = values[i];
    if (value === undefined) return missingArgument(cx, parameter, e);
    return passArgument(cx, value, parameter, nth(e.arguments, i).range);
  });
  if (type.variadic) {
    const extra = values
      .slice(type.parameters.length)
      .map((value) => (value.kind === "scalar" ? scalar(defaultPromotion(cx, value.expression)) : value));
    args.push(argumentBlock(cx, extra, e.range));
  }
  return args;
}

function passUntyped(cx: Context, value: LoweredValue, range: SourceRange): Expression {
  return value.kind === "struct" ? addressOfStruct(cx, value, range) : defaultPromotion(cx, asScalar(value, range));
}

function passArgument(cx: Context, value: LoweredValue, parameter: Type, range: SourceRange): Expression {
  if (parameter.kind === "struct") {
    if (value.kind === "struct") return addressOfStruct(cx, value, range);
    if (parameter.union && value.kind === "scalar") return transparentUnion(cx, value.expression, parameter, range);
    return inputError("TF174", "this argument must be a struct", range);
  }
  return convertTo(cx, asScalar(value, range), parameter as ScalarType, range);
}

/** A union parameter that accepts any of its members, as some headers declare it. */
function transparentUnion(cx: Context, value: Expression, type: StructType, range: SourceRange): Expression {
  const place = temporaryStruct(cx, type, range);
  const fields = present(type.layout).fields;
  const position = fields.findIndex((field) => isScalar(field.type) && sameRepresentation(field.type, value.type));
  writePlace(cx, fieldAt(place, Math.max(0, position)), value, range);
  return place.address;
}

/** Too few arguments are undefined, but common in old code whose callee ignores them. */
export function missingArgument(cx: Context, parameter: Type, e: CallExpr): Expression {
  note(cx, "a call has too few arguments: the missing ones are inputs", e.range);
  if (parameter.kind === "struct") return temporaryStruct(cx, parameter, e.range).address;
  const type = parameter as ScalarType;
  const temporary = newTemporary(cx, type, e.range);
  emit(cx, { kind: "input", target: temporary.id, type, source: "missing argument" }, e.range);
  return read(temporary);
}

/** Emits an operation with a scalar result, into the target if its type allows. */
export function emitWithResult(
  cx: Context,
  result: Type,
  target: ResultTarget,
  range: SourceRange,
  operation: (target: Call["target"]) => Operation,
): LoweredValue {
  if (!isScalar(result)) {
    emit(cx, operation(null), range);
    return voidValue;
  }
  if (target === "discard") {
    emit(cx, operation(null), range);
    return scalar({ kind: "constant", type: cx.unit.types.int, value: 0n });
  }
  if (target !== null && sameRepresentation(target.type, result)) {
    emit(cx, operation(target.variable), range);
    return scalar({ kind: "variable", type: target.type, variable: target.variable });
  }
  const temporary = newTemporary(cx, result, range);
  emit(cx, operation(temporary.id), range);
  return scalar(read(temporary));
}

/** A call of a library function that the program does not define; null for an unknown name. */
function lowerLibraryCall(cx: Context, { e, name, entity, target }: NamedCall): LoweredValue | null {
  const ending = lowerEnding(cx, e, name);
  if (ending !== null) return ending;
  if (name === errnoLocation) return scalar(addressOfErrno(cx, e.range));
  const alias = libraryAlias(name);
  if (alias === null) return null;
  const known = alias.function;
  const { signature } = known;
  const values = lowerArguments(cx, e.arguments).filter((_, i) => alias.keep(i));
  const ranges = e.arguments.filter((_, i) => alias.keep(i)).map((argument) => argument.range);
  const args: Expression[] = [];
  values.forEach((value, i) => {
    const parameter = signature.parameters[i];
    const range = nth(ranges, i);
    if (parameter !== undefined) {
      const type = typeOfLibrary(parameter, cx.unit.types) as ScalarType;
      args.push(convertTo(cx, asScalar(value, range), type, range));
    } else if (signature.variadic) args.push(defaultPromotion(cx, asScalar(value, range)));
  });
  for (const parameter of signature.parameters.slice(values.length)) {
    args.push(missingArgument(cx, typeOfLibrary(parameter, cx.unit.types), e));
  }
  const result = typeOfLibrary(signature.result, cx.unit.types);
  const declared: Type = entity === null ? result : entity.type.result;
  const fits = isScalar(result) && isScalar(declared) && sameRepresentation(result, declared);
  const value = emitWithResult(cx, result, fits || target === "discard" ? target : null, e.range, (id) => ({
    kind: "callLibrary",
    name: known.name,
    arguments: args,
    target: id,
  }));
  if (value.kind !== "scalar" || target === "discard") return value;
  if (declared.kind === "void") return voidValue;
  return scalar(
    convert(value.expression, isScalar(declared) ? declared : value.expression.type, cx.unit.types.pointerBytes),
  );
}

/** glibc's `errno` is the macro `(*__errno_location())`. */
const errnoLocation = "__errno_location";

function addressOfErrno(cx: Context, range: SourceRange): Expression {
  const object = declareExternal(cx.unit, "errno", cx.unit.types.int, range);
  linkDeclared(cx.unit, object);
  const place = object.kind === "static" ? placeOfStatic(cx.unit, object) : null;
  if (place?.kind !== "memory") return inputError("TF180", "errno is declared as something else", range);
  return place.address;
}

const builtinEndings = new Set(["__builtin_trap", "__builtin_unreachable"]);

function lowerEnding(cx: Context, e: CallExpr, name: string): LoweredValue | null {
  const plain = name.replace(/^__builtin_/, "");
  const entry = findEntry(plain);
  const reason = builtinEndings.has(name) ? "abort" : entry?.kind === "ending" ? entry.reason : null;
  if (reason === null) return null;
  if (reason === "abort") {
    for (const argument of e.arguments) lowerExpr(cx, argument);
    endRun(cx, { kind: "fail", reason, text: plain, code: null }, e.range);
    return voidValue;
  }
  const argument = e.arguments[0];
  const code = argument === undefined ? null : convertTo(cx, lowerScalar(cx, argument), cx.unit.types.int, e.range);
  endRun(cx, { kind: "fail", reason, text: name, code }, e.range);
  return voidValue;
}

/** The edge leads to the exit but is never completed; the code after it is unreachable. */
export function endRun(cx: Context, operation: Fail, range: SourceRange): void {
  emitTo(cx, cx.exit, operation, range);
}
