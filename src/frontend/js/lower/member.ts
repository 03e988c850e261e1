import { placedAt } from "../../../ir/expressionRange.ts";
import type { Node } from "../../../recorder/syntax.ts";
import { memberName } from "../makers.ts";
import { lowerGetter } from "./call.ts";
import { type Context, held, placed, rangeAt, reprAt, tagsAt, type Value } from "./context.ts";
import { lower, mayAct } from "./expression.ts";
import { failUnless } from "./failure.ts";
import { elementAccess, familyAt, fieldAccess, lengthAccess, load } from "./memory.ts";
import { opaque } from "./opaque.ts";
import { selfValue } from "./variables.ts";

/** `object.name` and `array[index]`. */
export function lowerMember(cx: Context, node: Node): Value {
  let object = receiverOf(cx, node);
  if (cx.model.failing === node) {
    object = held(cx, node.object, object);
    failUnless(cx, node, node.object, object);
  }
  if (!node.computed && cx.model.evidence.plans.get(node)?.kind === "call") return lowerGetter(cx, node, object);
  const key = node.computed ? lower(cx, node.property) : null;
  const access = cx.model.demoted.has(node) ? null : accessOf(cx, node, object, key);
  if (access === null) return opaque(cx, node, key === null ? [object] : [object, key]);
  const value = load(cx, access, reprAt(cx, node));
  if (value.expr.kind === "load") placedAt(value.expr.address, rangeAt(cx, node));
  return placed(cx, node, value);
}

export function receiverOf(cx: Context, node: Node): Value {
  if (node.object.type === "Super") return selfValue(cx, node.object);
  const object = lower(cx, node.object);
  return node.computed && mayAct(node.property) ? held(cx, node.object, object) : object;
}

/** Where the model keeps it; null where it does not. */
export function accessOf(cx: Context, node: Node, object: Value, key: Value | null) {
  const family = familyAt(cx, node);
  if (family === "stranger" || object.repr !== "any") return null;
  const name = memberName(node);
  if (name !== null) {
    if (family === "object") return fieldAccess(cx, object, name);
    return name === "length" ? lengthAccess(cx, object) : null;
  }
  // What lies outside of an array is nothing that its table has.
  if (family !== "array" || key === null || tagsAt(cx, node).has("undefined")) return null;
  const isIndex = key.repr === "int" || [...tagsAt(cx, node.property)].every((tag) => tag === "int");
  return isIndex ? elementAccess(cx, object, key) : null;
}
