import { emit } from "../../ir/builder.ts";
import { type Expression, placedAt } from "../../ir/expression.ts";
import { quietly } from "../../ir/operation.ts";
import type { ProgramVariable } from "../../ir/program.ts";
import type { ScalarType } from "../../ir/type.ts";
import type { Node } from "../recorder/syntax.ts";
import { type Concrete, objectOf } from "../recorder/valueRules.ts";
import { doubleType, firstArray, firstObject, isArrayMade, numberType, special } from "../replay/encoding.ts";
import { collectionOf } from "../replay/makers.ts";
import type { JsContext, ModelContext, ModelValue, Table } from "./context.ts";
import { held, rangeAt } from "./opaque.ts";
import { asRepr, binary, constantOf, convertTo, int } from "./values.ts";
import { newTemporary, read, typeOf } from "./variables.ts";

/** Facts about the objects that a place reads or writes. */
export type Family = "object" | "array" | "map" | "set" | "stranger";

/** The maker of the object of a value; null if the model does not follow its contents. */
export function followed({ evidence, tables }: ModelContext, value: Concrete): Exclude<Family, "stranger"> | null {
  const object = objectOf(value);
  const made = object === null ? undefined : evidence.made.get(object);
  if (made === undefined || evidence.tainted.has(object!)) return null;
  const collection = collectionOf(made.maker);
  if (collection !== null) return tables.entries === null ? null : collection;
  return isArrayMade(made) ? "array" : "object";
}

export function familyAt(cx: JsContext, node: Node): Family {
  const { evidence } = cx.model;
  const receivers = evidence.receivers.get(node);
  if (receivers === undefined || receivers.size === 0) return "stranger";
  let family: Family | null = null;
  for (const receiver of receivers) {
    const own = followed(cx.model, receiver);
    if (own === null) return "stranger";
    if (family !== null && family !== own) return "stranger";
    family = own;
  }
  return family ?? "stranger";
}

function baseAddress(memory: ProgramVariable): Expression {
  return {
    kind: "addressOf",
    type: { kind: "pointer", to: memory.type },
    object: { kind: "variable", variable: memory.id },
  };
}

function elementPointer(memory: ProgramVariable): { kind: "pointer"; to: ScalarType } {
  return { kind: "pointer", to: (memory.type as { element: ScalarType }).element };
}

/** `object.name`: the object's row in the table of the name. */
function fieldAddress(memory: ProgramVariable, object: ModelValue, first: number, name: string): Expression {
  const index = binary("-", asNumber(object), int(first));
  const pointer = elementPointer(memory);
  const row: Expression = {
    kind: "offset",
    type: pointer,
    pointer: baseAddress(memory),
    index,
    scale: 8,
    subscript: false,
  };
  return { kind: "fieldAddress", type: pointer, pointer: row, field: name, offset: 0 };
}

function asNumber(value: ModelValue): Expression {
  return value.repr === "double" ? convertTo(numberType, value.expr) : value.expr;
}

/** A cell of the row that an array or a collection has in a table. */
function cellAddress(memory: ProgramVariable, array: ModelValue, index: Expression, capacity: number): Expression {
  const pointer = elementPointer(memory);
  const row = binary("*", binary("-", asNumber(array), int(firstArray)), int(capacity));
  const start: Expression = {
    kind: "offset",
    type: pointer,
    pointer: baseAddress(memory),
    index: row,
    scale: 8,
    subscript: false,
  };
  const bound = { length: capacity, past: false };
  return { kind: "offset", type: pointer, pointer: start, index, scale: 8, subscript: true, bound };
}

export type TableAccess = { readonly table: Table; address(memory: ProgramVariable): Expression };

export function fieldAccess(cx: JsContext, object: ModelValue, name: string): TableAccess {
  const table = cx.model.tables.field(name);
  return { table, address: (memory) => fieldAddress(memory, object, firstObject, name) };
}

export function lengthAccess(cx: JsContext, array: ModelValue): TableAccess {
  const table = cx.model.tables.field("[].length");
  return { table, address: (memory) => fieldAddress(memory, array, firstArray, "length") };
}

export function elementAccess(cx: JsContext, array: ModelValue, index: ModelValue): TableAccess {
  const { elements, capacity } = cx.model.tables;
  return { table: elements, address: (memory) => cellAddress(memory, array, asNumber(index), capacity) };
}

/** The entry of a key in a table of Maps and Sets. */
export function entryAccess(cx: JsContext, table: Table, collection: ModelValue, slot: Expression): TableAccess {
  const { count } = cx.model.encoding.slots;
  return { table, address: (memory) => cellAddress(memory, collection, slot, count) };
}

export function load(cx: JsContext, { table, address }: TableAccess, repr: ModelValue["repr"]): ModelValue {
  if (repr === "double" && table.exact !== null)
    return { repr, expr: { kind: "load", type: doubleType, address: address(table.exact) } };
  const type = typeOf(cx.model, table.repr);
  const whole: ModelValue = { repr: table.repr, expr: { kind: "load", type, address: address(table.memory) } };
  return asRepr(cx.model, whole, repr);
}

export function store(
  cx: JsContext,
  { table, address }: TableAccess,
  value: ModelValue,
  node: Node,
  place: Node = node,
): void {
  const range = rangeAt(cx, node);
  const put = (memory: ProgramVariable, stored: ModelValue): void => {
    const target = placedAt(address(memory), rangeAt(cx, place));
    emit(cx, { kind: "store", type: typeOf(cx.model, stored.repr), address: target, value: stored.expr }, range);
  };
  if (table.exact === null || (value.repr !== "double" && value.repr !== "int"))
    return put(table.memory, asRepr(cx.model, value, table.repr));
  const kept = held(cx, node, value);
  put(table.exact, asRepr(cx.model, kept, "double"));
  storeQuietly(cx, { table, address }, kept, node);
}

/** State of the model that has no name in the source. */
export function storeQuietly(cx: JsContext, { table, address }: TableAccess, value: ModelValue, node: Node): void {
  const put = asRepr(cx.model, value, table.repr);
  const range = rangeAt(cx, node);
  const type = typeOf(cx.model, put.repr);
  emit(cx, quietly({ kind: "store", type, address: address(table.memory), value: put.expr }), range);
}

/** A new object, with nothing in those of its fields that the run found empty. */
export function allocate(cx: JsContext, node: Node, kind: "object" | "array"): ModelValue {
  const range = rangeAt(cx, node);
  const first = kind === "array" ? firstArray : firstObject;
  const { initial } = cx.model;
  // Before the test begins the numbers are known: no object is there because of another one.
  if (cx.shape === null && cx.id === 0)
    return { repr: "any", expr: int(first + ++initial[kind], cx.model.encoding.anyType) };
  const counter = cx.model.counters[kind === "array" ? "arrays" : "objects"];
  emit(cx, quietly({ kind: "assign", target: counter.id, value: binary("+", read(counter), int(1)) }), range);
  const object = newTemporary(cx, "any", range);
  const number = binary("+", int(first + initial[kind]), read(counter));
  emit(cx, quietly({ kind: "assign", target: object.id, value: number }), range);
  return { repr: "any", expr: read(object) };
}

export function undefinedValue(cx: JsContext): ModelValue {
  return constantOf(cx.model, special.undefined);
}
