import { nth, present } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { addressOfVariable, constant, emit, read, retype, zero } from "../../ir/builder.ts";
import type { Expression } from "../../ir/expression.ts";
import { type ArrayType, type IntType, isScalar, type StructType, type Type } from "../../ir/type.ts";
import type { Expr, Initializer } from "../ast.ts";
import { elementAt, fieldAt } from "../lower/address.ts";
import { foldConstant } from "../lower/arithmetic.ts";
import {
  addVariable,
  type Context,
  type FlatPlace,
  inputError,
  type LoweredValue,
  type MemoryPlace,
  newTemporary,
  type Place,
  type UnitContext,
} from "../lower/context.ts";
import { lowerInto } from "../lower/lowerAssignment.ts";
import { asScalar } from "../lower/lowerExpression.ts";
import { copyStruct, writePlace } from "../lower/lowerPlace.ts";
import { pointerTo, voidType } from "../types/cType.ts";
import { type InitializerLeaf, memberCount, memberType, planInitializer } from "./planInitializer.ts";
import { constantSize } from "./sizes.ts";

/** An object with more scalars is cleared as a whole before its explicit parts are written. */
const mostZeroStores = 16;

/** An array of unknown length gets its length from its initialiser. */
export function completeArray(cx: Context, type: Type, initializer: Initializer | null): Type {
  if (type.kind !== "array" || type.length !== null || initializer === null || "count" in type) return type;
  return { ...type, length: planInitializer(cx, type, initializer).length };
}

/** Writes an initialiser. `zeroRest`: parts without a value must be cleared. `whole` is the range for a scalar. */
export function emitInitializer(
  cx: Context,
  place: Place,
  initializer: Initializer,
  zeroRest: boolean,
  whole: SourceRange | null = null,
): void {
  const { leaves } = planInitializer(cx, place.type, initializer);
  if (isScalar(place.type)) {
    const leaf = leaves[0];
    const range = whole ?? initializer.range;
    const value = leaf === undefined ? zero(place.type) : asScalar(lowerInto(cx, leaf.value, place), leaf.range);
    return writePlace(cx, place, constantOfStatic(cx, value), range);
  }
  const rest = zeroRest ? uncoveredParts(place.type, leaves) : [];
  const clearFirst = rest === "many" || (rest.length > 0 && place.kind === "memory" && sharesBytes(place.type));
  if (clearFirst && place.kind === "memory") {
    clear(cx, place, constantSize(cx, place.type, initializer.range), initializer.range);
  }
  const shared: SharedValues = { repeated: repeatedValues(leaves), values: new Map() };
  for (const leaf of leaves)
    emitLeaf(cx, follow(cx, place, leaf.path, leaf.range), leaf, zeroRest && !clearFirst, shared);
  if (clearFirst) return;
  for (const path of rest) {
    const part = follow(cx, place, path, initializer.range);
    if (isScalar(part.type)) writePlace(cx, part, zero(part.type), initializer.range);
  }
}

function follow(cx: Context, place: Place, path: readonly number[], range: SourceRange): Place {
  let at = place;
  for (const position of path) {
    at =
      at.type.kind === "array"
        ? elementAt(cx, at as MemoryPlace, position, range)
        : fieldAt(at as MemoryPlace | FlatPlace, position);
  }
  return at;
}

/** An expression repeated by a range designator is evaluated once. */
type SharedValues = { readonly repeated: ReadonlySet<Expr>; readonly values: Map<Expr, Expression> };

function emitLeaf(cx: Context, place: Place, leaf: InitializerLeaf, zeroRest: boolean, shared: SharedValues): void {
  if (place.type.kind === "array") return emitString(cx, place as MemoryPlace, leaf, zeroRest);
  const known = shared.values.get(leaf.value);
  const value: LoweredValue =
    known === undefined ? lowerInto(cx, leaf.value, place) : { kind: "scalar", expression: known };
  if (value.kind === "struct") return copyStruct(cx, place, value.place, leaf.range);
  if (place.type.kind === "struct") inputError("TF171", "the initialiser of a struct is not a struct", leaf.range);
  let expression = asScalar(value, leaf.range);
  if (known === undefined && shared.repeated.has(leaf.value)) {
    if (expression.kind !== "constant" && expression.kind !== "addressOf") {
      const temporary = newTemporary(cx, expression.type, leaf.range);
      emit(cx, { kind: "assign", target: temporary.id, value: expression }, leaf.range);
      expression = read(temporary);
    }
    shared.values.set(leaf.value, expression);
  }
  writePlace(cx, place, constantOfStatic(cx, expression), leaf.range);
}

/** The compiler computes initialisers of statics, and accepts `1 << 31`. */
function constantOfStatic(cx: Context, value: Expression): Expression {
  if (cx.type !== null || value.type.kind !== "int" || value.kind === "constant") return value;
  const folded = foldConstant(value, cx.unit.types.pointerBytes);
  return typeof folded === "bigint" ? constant(value.type, folded) : value;
}

/** The expressions that a range designator such as `[0 ... 9]` gives to several elements. */
function repeatedValues(leaves: readonly InitializerLeaf[]): ReadonlySet<Expr> {
  const seen = new Set<Expr>();
  const repeated = new Set<Expr>();
  for (const { value } of leaves) (seen.has(value) ? repeated : seen).add(value);
  return repeated;
}

function emitString(cx: Context, place: MemoryPlace, leaf: InitializerLeaf, zeroRest: boolean): void {
  const string = leaf.value as Expr & { kind: "string" };
  const type = place.type as ArrayType;
  const literal = stringPlace(cx.unit, string);
  const width = constantSize(cx, type.element, leaf.range);
  const length = type.length ?? string.units.length + 1;
  const copied = Math.min(length, string.units.length + 1);
  if (copied > 0) {
    emit(cx, { kind: "copy", to: place.address, from: literal.address, size: copied * width }, leaf.range);
  }
  if (!zeroRest || copied === length) return;
  if (length - copied > mostZeroStores) {
    return clear(cx, elementAt(cx, place, copied, leaf.range), (length - copied) * width, leaf.range);
  }
  for (let i = copied; i < length; i++) {
    const element = elementAt(cx, place, i, leaf.range);
    if (isScalar(element.type)) writePlace(cx, element, zero(element.type), leaf.range);
  }
}

function clear(cx: Context, place: MemoryPlace, size: number, range: SourceRange): void {
  if (size === 0) return;
  const bytes = constant(cx.unit.types.size, BigInt(size));
  const address = retype(place.address, pointerTo(voidType));
  emit(cx, { kind: "callLibrary", name: "$zero", arguments: [address, bytes], target: null }, range);
}

/** True if parts overlap or share bytes, so that they cannot be cleared one by one. */
function sharesBytes(type: Type): boolean {
  if (type.kind === "array") return sharesBytes(type.element);
  if (type.kind !== "struct") return false;
  return type.union || (type.layout?.fields ?? []).some((f) => f.bitField !== undefined || sharesBytes(f.type));
}

/** The scalars that no leaf initialises; `"many"` above the limit. */
function uncoveredParts(type: Type, leaves: readonly InitializerLeaf[]): readonly (readonly number[])[] | "many" {
  const covered = new Set(leaves.map((leaf) => leaf.path.join(",")));
  const prefixes = new Set<string>();
  for (const { path } of leaves) for (let n = 0; n < path.length; n++) prefixes.add(path.slice(0, n).join(","));
  const result: (readonly number[])[] = [];
  const visit = (part: Type, path: readonly number[]): boolean => {
    const key = path.join(",");
    if (covered.has(key)) return true;
    if (part.kind !== "array" && part.kind !== "struct") {
      result.push(path);
      return result.length <= mostZeroStores;
    }
    if (part.kind === "struct" && part.union) return visitUnion(part, path, prefixes.has(key), result);
    const count = part.kind === "array" ? (part.length ?? 0) : memberCount(part);
    for (let i = 0; i < count; i++) if (!visit(memberType(part, i), [...path, i])) return false;
    return true;
  };
  return visit(type, []) ? result : "many";
}

/** A union is covered only if a scalar as large as the union was written. */
function visitUnion(
  type: StructType,
  path: readonly number[],
  touched: boolean,
  result: (readonly number[])[],
): boolean {
  const fields = type.layout?.fields ?? [];
  const whole = fields.every(
    (field) => field.bitField === undefined && scalarBytes(field.type) === present(type.layout).size,
  );
  if (fields.length === 0 || (touched && whole)) return true;
  result.push(path);
  return result.length <= mostZeroStores;
}

function scalarBytes(type: Type): number | null {
  return type.kind === "int" || type.kind === "float" ? type.bits / 8 : null;
}

export function elementTypeOfString(unit: UnitContext, prefix: string): IntType {
  switch (prefix) {
    case "L":
      return unit.types.int;
    case "u":
      return unit.types.unsignedShort;
    case "U":
      return unit.types.unsignedInt;
    default:
      return unit.types.char;
  }
}

/** A string literal is a static array; equal literals share one object. */
export function stringPlace(unit: UnitContext, e: Expr & { kind: "string" }): MemoryPlace {
  return literalPlace(unit, e.units, elementTypeOfString(unit, e.prefix), e.range);
}

function literalPlace(unit: UnitContext, units: readonly number[], element: IntType, range: SourceRange): MemoryPlace {
  const key = `${element.name}:${units.join(",")}`;
  let id = unit.literals.get(key);
  if (id === undefined) {
    id = addVariable(unit, {
      name: `$string${unit.literals.size + 1}`,
      madeUp: true,
      type: { kind: "array", element, length: units.length + 1 },
      kind: "static",
      storage: "memory",
      function: null,
      literal: bytesOf(units, element.bits / 8),
      range,
    }).id;
    unit.literals.set(key, id);
  }
  const variable = nth(unit.variables, id);
  return { kind: "memory", type: variable.type, address: addressOfVariable(variable) };
}

/** Includes the terminating zero. */
function bytesOf(units: readonly number[], size: number): Uint8Array {
  const bytes = new Uint8Array((units.length + 1) * size);
  units.forEach((value, i) => {
    for (let byte = 0; byte < size; byte++) bytes[i * size + byte] = (value >>> (8 * byte)) & 255;
  });
  return bytes;
}

const functionNameIdentifiers = new Set(["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"]);

export function isFunctionNameIdentifier(name: string): boolean {
  return functionNameIdentifiers.has(name);
}

export function functionName(cx: Context, range: SourceRange): MemoryPlace {
  return literalPlace(cx.unit, [...Buffer.from(cx.name, "utf8")], cx.unit.types.char, range);
}
