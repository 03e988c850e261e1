import { emit, jump, newLocation } from "../../ir/builder.ts";
import { spelledAs } from "../../ir/expression.ts";
import { type Node, withoutTypes } from "../recorder/syntax.ts";
import { type Concrete, objectOf } from "../recorder/valueRules.ts";
import { type KeyKind, reprOf } from "../replay/encoding.ts";
import { tagsOf } from "../replay/evidence.ts";
import { methodName } from "../replay/makers.ts";
import { entryOf, kindAt } from "./collections.ts";
import type { JsContext, ModelValue } from "./context.ts";
import { elementAccess, type Family, followed, lengthAccess, load } from "./memory.ts";
import { branch, held, madeOf, rangeAt, readInput } from "./opaque.ts";
import { binary, compare, int } from "./values.ts";
import { newTemporary, read } from "./variables.ts";

/** A loop over the elements of something. `each` gets the element and its number and may jump to `next` and `end`. */
export type LoweredRounds = {
  readonly node: Node;
  /** The source node of the loop condition. */
  readonly head: Pick<Node, "start" | "end">;
  readonly collection: ModelValue;
  /** Does the model have the elements? Otherwise the log says how many rounds there were, and with what. */
  readonly isFollowed: boolean;
  readonly element: ModelValue["repr"];
  readonly from?: number;
  each(element: ModelValue, index: ModelValue, next: number, end: number): void;
};

export function lowerRounds(cx: JsContext, rounds: LoweredRounds): void {
  const { node, collection, isFollowed } = rounds;
  const range = rangeAt(cx, rounds.head);
  const index = newTemporary(cx, "int", range);
  emit(cx, { kind: "assign", target: index.id, value: int(rounds.from ?? 0) }, range);
  const [test, body, next, end] = [newLocation(cx), newLocation(cx), newLocation(cx), newLocation(cx)];
  jump(cx, test, range);
  cx.here = test;
  const number: ModelValue = { repr: "int", expr: read(index) };
  const goesOn = isFollowed
    ? compare("<", read(index), load(cx, lengthAccess(cx, collection), "int").expr)
    : spelledAs(madeOf(readInput(cx, node, { node, of: "goesOn", repr: "bool" }), [collection]), moreOf(cx, node));
  branch(cx, goesOn, body, end, "loop", rounds.head);
  cx.here = body;
  const element = isFollowed
    ? load(cx, elementAccess(cx, collection, number), rounds.element)
    : elementFromLog(cx, node, collection);
  rounds.each(element, number, next, end);
  jump(cx, next, range);
  cx.here = next;
  emit(cx, { kind: "assign", target: index.id, value: binary("+", read(index), int(1)) }, range);
  jump(cx, test, range);
  cx.here = end;
}

/** The logged elements of a collection that the model does not follow. */
function moreOf(cx: JsContext, node: Node): string {
  const { start, end } = node.type.startsWith("For") ? node.right : withoutTypes(node.callee).object;
  const text = cx.function.file.text.slice(start, end).replace(/\s+/g, " ");
  return `${/^[\w$.#]+$/.test(text) ? text : "it"} has more`;
}

function elementFromLog(cx: JsContext, node: Node, collection: ModelValue): ModelValue {
  const repr = elementRepr(cx, node);
  const value = readInput(cx, node, { node, of: "element", repr });
  return { repr, expr: madeOf(value, [collection]) };
}

export function elementRepr(cx: JsContext, node: Node): ModelValue["repr"] {
  const rounds = cx.model.evidence.rounds.get(node) ?? [];
  const values = rounds.flatMap((round): Concrete[] => (round === null ? [] : [round.value]));
  return reprOf(tagsOf(values));
}

/** The collection of a loop, if the model has it. */
export type Iterated = {
  /** The expression whose value is the collection. */
  readonly from: Node;
  /** Its elements, or keys; the values of a Map; both. */
  readonly part: "elements" | "values" | "entries";
  /** The kind of the keys of Maps. */
  readonly kind: KeyKind | null;
};

/** Null where the log alone knows what the rounds were about. */
export function iteratedBy(cx: JsContext, right: Node): Iterated | null {
  const node = withoutTypes(right);
  const method = node.type === "CallExpression" && node.arguments.length === 0 ? methodName(node) : null;
  const { evidence } = cx.model;
  if (method === "keys" || method === "values" || method === "entries") {
    const found = inspect(cx, evidence.receivers.get(node));
    if (found === null || found.family === "array" || found.family === "object") return null;
    if (found.family === "set" && method === "entries") return null;
    const from = withoutTypes(node.callee).object;
    const part = method === "keys" || found.family === "set" ? "elements" : method;
    return { from, part, kind: found.kind };
  }
  const found = inspect(cx, evidence.values.get(right));
  if (found === null || found.family === "object") return null;
  return { from: right, part: found.family === "map" ? "entries" : "elements", kind: found.kind };
}

/** What all of these objects are, and of which kind their keys; null where they differ, or their order is not known. */
export function inspect(
  cx: JsContext,
  values: Iterable<Concrete> | undefined,
): { readonly family: Exclude<Family, "stranger">; readonly kind: KeyKind | null } | null {
  const { evidence } = cx.model;
  const families = new Set<Family | null>();
  const keys = new Set<Concrete>();
  for (const value of values ?? []) {
    const family = followed(cx.model, value);
    const object = objectOf(value);
    families.add(object !== null && evidence.shrunk.has(object) ? null : family);
    for (const key of (object === null ? undefined : evidence.made.get(object)?.keys) ?? []) keys.add(key);
  }
  const [family] = families;
  if (families.size !== 1 || family == null || family === "stranger") return null;
  const kind = kindAt(cx, keys);
  const needsKind = family === "map" && keys.size > 0;
  return needsKind && (kind === null || cx.model.encoding.slots.of(kind) === null) ? null : { family, kind };
}

/** The value that a Map has for a key. */
export function valueFor(
  cx: JsContext,
  node: Node,
  collection: ModelValue,
  key: ModelValue,
  kind: KeyKind,
  repr: ModelValue["repr"],
): ModelValue {
  return load(cx, entryOf(cx, collection, held(cx, node, key), kind).value, repr);
}
