import { nth } from "../../base/checked.ts";
import { emit, fallInto, jump, newLocation } from "../../ir/builder.ts";
import { type Expression, placedAt, spelledAs } from "../../ir/expression.ts";
import { type Node, withoutTypes } from "../recorder/syntax.ts";
import { type KeyKind, keyKind, special } from "../replay/encoding.ts";
import { collectionEntries } from "../replay/makers.ts";
import type { JsContext, ModelValue } from "./context.ts";
import {
  allocate,
  elementAccess,
  entryAccess,
  lengthAccess,
  load,
  store,
  storeQuietly,
  type TableAccess,
  undefinedValue,
} from "./memory.ts";
import { branch, completed, held, placed, rangeAt, reprAt, tagsAt } from "./opaque.ts";
import { asRepr, binary, constantOf, int } from "./values.ts";
import { newTemporary, read } from "./variables.ts";

/**
 * Maps and Sets: their keys lie in the order in which they came, as the elements of an array do, and beside them is for every key
 * of the run whether there is an entry, and its value.
 */
type Entry = { readonly present: TableAccess; readonly value: TableAccess };

/** Rows of entries that are emptied one by one. */
const mostCleared = 256;

/** A method of a Map or a Set; null where the model does not have it. */
export function lowerCollectionCall(
  cx: JsContext,
  node: Node,
  method: string,
  given: ModelValue,
  passed: readonly ModelValue[],
): ModelValue | null {
  const receiver = withoutTypes(node.callee).object;
  const [keyNode] = node.arguments;
  if (method === "clear") return cleared(cx, node, held(cx, receiver, given));
  if (keyNode === undefined || !/^(get|has|set|add|delete)$/.test(method)) return null;
  const kind = kindAt(cx, cx.model.evidence.values.get(keyNode) ?? []);
  if (kind === null || cx.model.encoding.slots.of(kind) === null) return null;
  const collection = held(cx, receiver, given);
  const key = held(cx, keyNode, nth(passed, 0));
  const entry = entryOf(cx, collection, key, kind);
  const texts = cx.function.file.text;
  const spelling = (name: string) =>
    `${texts.slice(receiver.start, receiver.end)}.${name}(${texts.slice(keyNode.start, keyNode.end)})`.replace(
      /\s+/g,
      " ",
    );
  switch (method) {
    case "get":
      return got(cx, node, entry, spelling("has"));
    case "has":
      return placed(cx, node, load(cx, entry.present, "bool"));
    case "delete":
      return deleted(cx, node, collection, entry, spelling("has"));
    default: {
      const value = method === "set" ? (passed[1] ?? undefinedValue(cx)) : null;
      put(cx, node, { collection, key, entry, value, spelling: spelling(value === null ? "has" : "get") });
      return completed(cx, node, collection);
    }
  }
}

/** The kind of key that a place has each time; null where there are several, or one without a slot. */
export function kindAt(cx: JsContext, keys: Iterable<Parameters<typeof keyKind>[1]>): KeyKind | null {
  const kinds = new Set([...keys].map((key) => keyKind(cx.model.evidence, key)));
  const [only] = kinds;
  return kinds.size === 1 ? (only ?? null) : null;
}

function slotOf(cx: JsContext, key: ModelValue, kind: KeyKind): Expression {
  const { first, at } = cx.model.encoding.slots.of(kind)!;
  return binary("-", asRepr(cx.model, key, kind === "int" ? "int" : "any").expr, int(first - at));
}

export function entryOf(cx: JsContext, collection: ModelValue, key: ModelValue, kind: KeyKind): Entry {
  const { present, values } = cx.model.tables.entries!;
  const slot = slotOf(cx, key, kind);
  return { present: entryAccess(cx, present, collection, slot), value: entryAccess(cx, values, collection, slot) };
}

/** `map.get(key)`: nothing, where there is no entry. */
function got(cx: JsContext, node: Node, { present, value }: Entry, spelling: string): ModelValue {
  const place = (loaded: ModelValue): ModelValue => {
    if (loaded.expr.kind === "load") placedAt(loaded.expr.address, rangeAt(cx, node));
    return loaded;
  };
  const repr = reprAt(cx, node);
  if (!tagsAt(cx, node).has("undefined")) return placed(cx, node, place(load(cx, value, repr)));
  const range = rangeAt(cx, node);
  const result = newTemporary(cx, repr, range);
  const [yes, no, end] = [newLocation(cx), newLocation(cx), newLocation(cx)];
  branch(cx, spelledAs(load(cx, present, "bool").expr, spelling), yes, no, "conditional", node);
  cx.here = yes;
  emit(cx, { kind: "assign", target: result.id, value: place(load(cx, value, repr)).expr }, range);
  jump(cx, end, range);
  cx.here = no;
  const nothing = asRepr(cx.model, constantOf(cx.model, special.undefined), repr);
  emit(cx, { kind: "assign", target: result.id, value: nothing.expr }, range);
  fallInto(cx, end, range);
  return placed(cx, node, { repr, expr: read(result) });
}

type Put = {
  readonly collection: ModelValue;
  readonly key: ModelValue;
  readonly entry: Entry;
  /** null for a Set. */
  readonly value: ModelValue | null;
  readonly spelling: string;
};

/** A new key comes last. One that is there already is written behind the last, where nobody looks. */
function put(cx: JsContext, node: Node, { collection, key, entry, value, spelling }: Put): void {
  const length = () => load(cx, lengthAccess(cx, collection), "int").expr;
  storeQuietly(cx, elementAccess(cx, collection, { repr: "int", expr: length() }), key, node);
  const isNew = binary("-", int(1), load(cx, entry.present, "bool").expr);
  storeQuietly(cx, lengthAccess(cx, collection), { repr: "int", expr: binary("+", length(), isNew) }, node);
  const isThere: ModelValue = { repr: "bool", expr: int(1) };
  if (value === null) return store(cx, spelled(entry.present, spelling), isThere, node);
  storeQuietly(cx, entry.present, isThere, node);
  store(cx, spelled(entry.value, spelling), value, node);
}

/** The place of an entry, as a reader would ask for it. */
function spelled(access: TableAccess, text: string): TableAccess {
  return { table: access.table, address: (memory) => spelledAs(access.address(memory), text) };
}

function deleted(cx: JsContext, node: Node, collection: ModelValue, { present }: Entry, spelling: string): ModelValue {
  const before = held(cx, node, load(cx, present, "bool"));
  const length = load(cx, lengthAccess(cx, collection), "int").expr;
  const shorter: ModelValue = { repr: "int", expr: binary("-", length, before.expr) };
  storeQuietly(cx, lengthAccess(cx, collection), shorter, node);
  store(cx, spelled(present, spelling), { repr: "bool", expr: int(0) }, node);
  return placed(cx, node, { ...before, expr: { ...before.expr } });
}

function cleared(cx: JsContext, node: Node, collection: ModelValue): ModelValue | null {
  const { count } = cx.model.encoding.slots;
  if (count > mostCleared) return null;
  storeQuietly(cx, lengthAccess(cx, collection), { repr: "int", expr: int(0) }, node);
  for (let slot = 0; slot < count; slot++) {
    const access = entryAccess(cx, cx.model.tables.entries!.present, collection, int(slot));
    storeQuietly(cx, access, { repr: "bool", expr: int(0) }, node);
  }
  return constantOf(cx.model, special.undefined);
}

/** `new Map([["a", 1]])`, with the list that it is made from. */
export function lowerNewCollection(cx: JsContext, node: Node, list: ModelValue | undefined): ModelValue {
  const kept = list === undefined ? undefined : held(cx, nth(node.arguments, 0), list);
  const collection = emptyCollection(cx, node);
  const entries = cx.model.tables.entries === null ? null : collectionEntries(node);
  entries?.forEach(({ key, value }, i) => {
    const kind = kindAt(cx, cx.model.evidence.values.get(key) ?? []);
    if (kind === null || kept === undefined || cx.model.encoding.slots.of(kind) === null) return;
    const element = (of: ModelValue, at: number, repr: ModelValue["repr"]) =>
      load(cx, elementAccess(cx, of, { repr: "int", expr: int(at) }), repr);
    const pair = value === null ? kept : held(cx, key, element(kept, i, "any"));
    const name = held(cx, key, element(pair, value === null ? i : 0, reprAt(cx, key)));
    const content = value === null ? null : held(cx, value, element(pair, 1, reprAt(cx, value)));
    enter(cx, value ?? key, collection, name, kind, content);
  });
  return completed(cx, node, collection);
}

function emptyCollection(cx: JsContext, node: Node): ModelValue {
  const collection = allocate(cx, node, "array");
  storeQuietly(cx, lengthAccess(cx, collection), { repr: "int", expr: int(0) }, node);
  return collection;
}

/** The same of an initialiser that nobody saw running: its values come from `valueOf`. */
export function lowerSilentCollection(cx: JsContext, node: Node, valueOf: (part: Node) => ModelValue): ModelValue {
  const collection = emptyCollection(cx, node);
  for (const { key, value } of collectionEntries(node) ?? []) {
    const content = value === null ? null : valueOf(value);
    const kind = kindAt(cx, [key.value as unknown as string | number]);
    if (cx.model.tables.entries === null || kind === null || cx.model.encoding.slots.of(kind) === null) continue;
    enter(cx, value ?? key, collection, valueOf(key), kind, content);
  }
  return completed(cx, node, collection);
}

function enter(
  cx: JsContext,
  node: Node,
  collection: ModelValue,
  key: ModelValue,
  kind: KeyKind,
  value: ModelValue | null,
): void {
  const { text } = cx.function.file;
  const spelling = text.slice(node.start, node.end);
  put(cx, node, { collection, key, entry: entryOf(cx, collection, key, kind), value, spelling });
}
