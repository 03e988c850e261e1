import type { SourceRange } from "../../../base/sourceRange.ts";
import { findEntry } from "../../../c/library/table.ts";
import { emit, emitMissing, emitRefusal, isZeroConstant, jump, newLocation, read } from "../../../ir/builder.ts";
import { isScalar, type ScalarType, type StructType, type Type } from "../../../ir/type.ts";
import { temporaryStruct, writePlace } from "./accessPlace.ts";
import { fieldAt } from "./address.ts";
import { type Context, newTemporary, note, unsupported } from "./context.ts";
import { type CallExpr, emitWithResult, lowerArguments, type ResultTarget } from "./lowerCall.ts";
import { branch } from "./lowerCondition.ts";
import { asScalar } from "./lowerExpression.ts";
import { unknownLibraryFunction } from "./missingDefinitions.ts";
import { type FlatPlace, type LoweredValue, type MemoryPlace, type Place, voidValue } from "./place.ts";
import type { FunctionEntity } from "./scope.ts";

/** Of SV-COMP: they mark what is done at once, which in a program with one thread is everything. */
const verifierHints: ReadonlySet<string> = new Set(["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"]);

/** CBMC's name for a function that is declared only so that its result may be anything. */
const cbmcPrefix = "nondet_";

/**
 * A call of a function that is declared at most. It is an error where it can be reached; with `undefined: "input"` its
 * result is an input, and the program's notes say so.
 */
export function lowerUndefinedCall(
  cx: Context,
  e: CallExpr,
  name: string,
  entity: FunctionEntity | null,
  target: ResultTarget,
): LoweredValue {
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
  if (cx.unit.options.undefined !== "input") {
    const isOfSystem = entry?.kind === "unsupported" || /^(<|\/usr\/)/.test(entity?.range.file ?? "");
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
  return inputOfType(cx, result, name, target, e.range);
}

/** Reads inputs for every scalar of a type. */
export function inputOfType(
  cx: Context,
  type: Type,
  source: string,
  target: ResultTarget,
  range: SourceRange,
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
