import type { Concrete } from "../../../recorder/language.ts";
import { objectOf } from "../../../recorder/language.ts";
import { type Node, withoutTypes } from "../../../recorder/syntax.ts";
import { methodName } from "../makers.ts";
import type { KeyKind } from "../slots.ts";
import { entryOf, kindAt } from "./collections.ts";
import type { Context, ModelValue } from "./context.ts";
import { held } from "./held.ts";
import { type Family, followed, load } from "./memory.ts";

/** What a loop goes through, as far as the model has it. */
export type Iterated = {
  /** The expression whose value is the collection. */
  readonly from: Node;
  /** Its elements, or keys; the values of a Map; both. */
  readonly part: "elements" | "values" | "entries";
  /** Of the keys of Maps. */
  readonly kind: KeyKind | null;
};

/** Null where the log alone knows what the rounds were about. */
export function iteratedBy(cx: Context, right: Node): Iterated | null {
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
  cx: Context,
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
  cx: Context,
  node: Node,
  collection: ModelValue,
  key: ModelValue,
  kind: KeyKind,
  repr: ModelValue["repr"],
): ModelValue {
  return load(cx, entryOf(cx, collection, held(cx, node, key), kind).value, repr);
}
