import { nth, present } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { addressOfVariable, constant, emit } from "../../ir/builder.ts";
import { liveRegistersOf } from "../../ir/dataFlow.ts";
import type { Edge, EdgeId, Function, LocationId, ProgramVariable } from "../../ir/program.ts";
import { isScalar, sizeOf, type Type } from "../../ir/type.ts";
import type { Declaration, Expr, InitDeclarator, Specifiers } from "../ast.ts";
import { addVariable, type Context, inputError, type MemoryPlace, type Place, unsupported } from "../lower/context.ts";
import { mayCopyUnset } from "../lower/findAddressTaken.ts";
import { lowerExpr } from "../lower/lowerExpression.ts";
import { copyStruct } from "../lower/lowerPlace.ts";
import { inputPlace } from "../lower/lowerUndefinedCall.ts";
import { isRuntimeSized } from "../types/cType.ts";
import { declareExternal } from "./declareFile.ts";
import { completeArray, emitInitializer } from "./initialize.ts";
import { linkDeclared } from "./link.ts";
import {
  nameOf,
  typedefType,
  typeOfDeclarator,
  typeOfOperand,
  typeOfSpecifiers,
  typeOfTypeName,
} from "./resolveType.ts";
import { productOf, sizeOfType } from "./sizes.ts";
import { newPlace, newStatic } from "./statics.ts";

export function lowerDeclaration(cx: Context, item: Declaration): void {
  declareTag(cx, item);
  const base = isAutoType(item.specifiers) ? null : typeOfSpecifiers(cx, item.specifiers);
  for (const init of item.declarators) {
    const name = nameOf(init.declarator);
    if (name === null) continue;
    const declared = base === null ? autoType(cx, init) : typeOfDeclarator(cx, base, init.declarator);
    const type = completeArray(cx, declared, init.initializer);
    lowerDeclarator(cx, item.specifiers, init, name, type);
  }
}

/** `struct s;` in a block declares a new type. */
function declareTag(cx: Context, item: Declaration): void {
  const { type } = item.specifiers;
  if (item.declarators.length > 0 || type.kind !== "struct" || type.fields !== null || type.tag === null) return;
  if (cx.scope.tags.has(type.tag)) return;
  const name = `${type.union ? "union" : "struct"} ${type.tag}`;
  cx.scope.tags.set(type.tag, { kind: "struct", type: { kind: "struct", name, union: type.union, layout: null } });
}

function isAutoType(specifiers: Specifiers): boolean {
  return specifiers.type.kind === "basic" && specifiers.type.words.includes("__auto_type");
}

function autoType(cx: Context, init: InitDeclarator): Type {
  if (init.initializer?.kind !== "expression")
    return inputError("TF151", "__auto_type needs an initialiser", init.range);
  const type = typeOfOperand(cx, init.initializer.value);
  return type.kind === "array" ? { kind: "pointer", to: type.element } : type;
}

function lowerDeclarator(cx: Context, specifiers: Specifiers, init: InitDeclarator, name: string, type: Type): void {
  if (specifiers.storage === "typedef") {
    cx.scope.names.set(name, { kind: "typedef", type: typedefType(cx, type, specifiers) });
    return;
  }
  if (type.kind === "function" || specifiers.storage === "extern") {
    const entity = declareExternal(cx.unit, name, type, init.range);
    linkDeclared(cx.unit, entity);
    cx.scope.names.set(name, entity);
    return;
  }
  refuseUnsupported(specifiers);
  if (specifiers.storage === "static") {
    const object = newStatic(cx.unit, name, type, init.range, cx.owner, cx.scope);
    object.defined = true;
    object.initializer = init.initializer;
    object.addressTaken = cx.unit.addressTaken.declarations.has(init);
    cx.scope.names.set(name, object);
    return;
  }
  declareLocal(cx, init, name, type);
}

export function refuseUnsupported(specifiers: Specifiers): void {
  const [first] = specifiers.unsupported;
  if (first !== undefined) unsupported("TF258", `${first.word} is not supported`, first.range);
  for (const { name, range } of specifiers.attributes) {
    if (name === "cleanup") unsupported("TF260", "a variable with a cleanup function is not supported", range);
  }
}

function declareLocal(cx: Context, init: InitDeclarator, name: string, type: Type): void {
  const { unit } = cx;
  if (type.kind === "void" || (!isRuntimeSized(type) && sizeOf(type, unit.types.pointerBytes) === null)) {
    inputError("TF153", `${name} has an incomplete type`, init.range);
  }
  const fields = type.kind === "struct" ? (type.layout?.fields ?? []).map((field) => field.name) : [];
  const taken = unit.addressTaken.declarations.has(init) || mayCopyUnset(unit.addressTaken, init, fields);
  const shape = { kind: "local", function: cx.owner, range: init.range } as const;
  const { place } = newPlace(unit, name, type, taken, shape);
  cx.scope.names.set(name, { kind: "local", place });
  const { initializer } = init;
  if (initializer === null) return declareUninitialized(cx, place, name, init.range);
  if (place.kind === "memory") emitDeclare(cx, place, init.range);
  if (initializer.kind === "expression" && type.kind === "struct") {
    const value = lowerExpr(cx, initializer.value);
    if (value.kind !== "struct") return inputError("TF171", `${name} must be initialised with a struct`, init.range);
    return copyStruct(cx, place, value.place, init.range);
  }
  emitInitializer(cx, place, initializer, true, isScalar(type) ? init.range : null);
}

function declareUninitialized(cx: Context, place: Place, name: string, range: SourceRange): void {
  const asInput = cx.unit.options.uninitialized === "input";
  if (place.kind === "register") {
    if (asInput) return emit(cx, { kind: "input", target: place.variable, type: place.type, source: name }, range);
    return emit(cx, { kind: "declare", variable: place.variable }, range);
  }
  if (place.kind === "flat") {
    for (const [i, part] of place.parts.entries()) {
      declareUninitialized(cx, part, `${name}.${nth(present(place.type.layout).fields, i).name}`, range);
    }
    return;
  }
  emitDeclare(cx, place, range);
  if (asInput && isScalar(place.type)) inputPlace(cx, place, name, range);
}

export function emitDeclare(cx: Context, place: MemoryPlace, range: SourceRange): void {
  if (place.address.kind !== "addressOf" || place.address.object.kind !== "variable") return;
  const { variable } = place.address.object;
  if (!isRuntimeSized(place.type)) return emit(cx, { kind: "declare", variable }, range);
  const size = sizeOfType(cx, place.type, range);
  const { types } = cx.unit;
  // A single length keeps its own type, so that a negative one is recognised.
  const length =
    size.factors.length === 1
      ? nth(size.factors, 0)
      : (productOf(cx, size.factors, types.difference) ?? constant(types.int, 1n));
  emit(cx, { kind: "declare", variable, variableLength: { length, elementSize: size.bytes } }, range);
}

/** An unnamed object: local to the enclosing block in a function, static in the initialiser of a static. */
export function lowerCompoundLiteral(cx: Context, e: Expr & { kind: "compoundLiteral" }): MemoryPlace {
  const type = completeArray(cx, typeOfTypeName(cx, e.type), e.initializer);
  const inFunction = cx.type !== null;
  const variable = addVariable(cx.unit, {
    name: `$${++cx.temporaries}`,
    madeUp: true,
    type,
    kind: inFunction ? "temporary" : "static",
    storage: "memory",
    function: inFunction ? cx.owner : null,
    range: e.range,
  });
  const place: MemoryPlace = { kind: "memory", type, address: addressOfVariable(variable) };
  if (inFunction) emit(cx, { kind: "declare", variable: variable.id }, e.range);
  emitInitializer(cx, place, e.initializer, inFunction);
  return place;
}

/**
 * A `goto` or `case` may jump over a declaration; its variable is then uninitialised, or an input if such values are
 * inputs. The input is read at the function's entry, the only place on all paths to its uses.
 */
export function skippedDeclarations(fn: Function, variables: readonly ProgramVariable[]): Function {
  const parameters = new Set(fn.parameters);
  const skipped = [...nth(liveRegistersOf(fn), fn.entry)]
    .sort((a, b) => a - b)
    .flatMap((id) => {
      const { kind, storage, madeUp, name, type, range } = nth(variables, id);
      const isOwn = kind === "local" && storage === "register" && madeUp !== true && !parameters.has(id);
      return isOwn && isScalar(type) ? [{ id, name, type, range }] : [];
    });
  if (skipped.length === 0) return fn;
  const reads = skipped.map(({ id, name, type, range }, i): Edge => {
    const from = (fn.locations + i) as LocationId;
    const to = i + 1 < skipped.length ? ((fn.locations + i + 1) as LocationId) : fn.entry;
    const operation = { kind: "input" as const, target: id, type, source: name };
    return { id: (fn.edges.length + i) as EdgeId, from, to, operation, range };
  });
  return {
    ...fn,
    entry: fn.locations as LocationId,
    locations: fn.locations + skipped.length,
    edges: [...fn.edges, ...reads],
  };
}
