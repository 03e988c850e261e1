import { emit, jump, newLocation } from "../../ir/builder.ts";
import { placedAt } from "../../ir/expression.ts";
import type { Node } from "../recorder/syntax.ts";
import { memberName } from "../replay/makers.ts";
import { lowerGetter, unexecutedFamily } from "./call.ts";
import type { JsContext, ModelValue } from "./context.ts";
import { lower, mayAct } from "./expression.ts";
import { failUnless } from "./failure.ts";
import { elementAccess, familyAt, fieldAccess, lengthAccess, load } from "./memory.ts";
import { branch, held, opaque, placed, rangeAt, reprAt, tagsAt, unrecorded, wasExecuted } from "./opaque.ts";
import { asRepr, compare, constantOf } from "./values.ts";
import { newTemporary, read, selfValue } from "./variables.ts";

/** `object.name` and `array[index]`. */
export function lowerMember(cx: JsContext, node: Node): ModelValue {
  let object = receiverOf(cx, node);
  if (cx.model.failing === node) {
    object = held(cx, node.object, object);
    failUnless(cx, node, node.object, object);
  }
  if (!node.computed && cx.model.evidence.plans.get(node)?.kind === "call") return lowerGetter(cx, node, object);
  const key = node.computed ? lower(cx, node.property) : null;
  const access = cx.model.demoted.has(node) ? null : accessOf(cx, node, object, key);
  const names = access === null && key !== null && !cx.model.demoted.has(node) ? keysAt(cx, node) : null;
  if (names !== null) return lowerKeyed(cx, node, held(cx, node.object, object), held(cx, node.property, key!), names);
  if (access === null) return opaque(cx, node, key === null ? [object] : [object, key]);
  const value = load(cx, access, wasExecuted(cx, node) ? reprAt(cx, node) : access.table.repr);
  if (value.expr.kind === "load") placedAt(value.expr.address, rangeAt(cx, node));
  return placed(cx, node, value);
}

export function receiverOf(cx: JsContext, node: Node): ModelValue {
  if (node.object.type === "Super") return selfValue(cx, node.object);
  const object = lower(cx, node.object);
  return node.computed && mayAct(node.property) ? held(cx, node.object, object) : object;
}

/** The place of a member in the model; null if it has none. */
export function accessOf(cx: JsContext, node: Node, object: ModelValue, key: ModelValue | null) {
  const isRead = cx.model.evidence.receivers.has(node);
  const family = isRead ? familyAt(cx, node) : unexecutedFamily(cx, node);
  if (family === "stranger" || object.repr !== "any") return null;
  const name = memberName(node);
  if (name !== null) {
    if (family === "object") return fieldAccess(cx, object, name);
    return name === (family === "array" ? "length" : "size") ? lengthAccess(cx, object) : null;
  }
  // The table has no cells outside of the array.
  if (family !== "array" || key === null || tagsAt(cx, node).has("undefined")) return null;
  const isIndex = key.repr === "int" || [...tagsAt(cx, node.property)].every((tag) => tag === "int");
  return isIndex ? elementAccess(cx, object, key) : null;
}

/** Different strings that a key was, at most; more are too many to tell apart one by one. */
const mostKeys = 16;

/** The names of the fields that `object[key]` stood for; null where it is not about fields. */
export function keysAt(cx: JsContext, node: Node): readonly string[] | null {
  if (familyAt(cx, node) !== "object") return null;
  const names = new Set(cx.model.evidence.values.get(node.property) ?? []);
  const strings = [...names].filter((name) => typeof name === "string");
  return strings.length === names.size && names.size > 0 && names.size <= mostKeys ? strings : null;
}

/** `object[key]`: whichever field has that name. */
function lowerKeyed(
  cx: JsContext,
  node: Node,
  object: ModelValue,
  key: ModelValue,
  names: readonly string[],
): ModelValue {
  const repr = reprAt(cx, node);
  const range = rangeAt(cx, node);
  const result = newTemporary(cx, repr, range);
  chooseField(cx, node, key, names, (name) => {
    const value = load(cx, fieldAccess(cx, object, name), repr);
    emit(cx, { kind: "assign", target: result.id, value: value.expr }, range);
  });
  return placed(cx, node, { repr, expr: read(result) });
}

/** Does something for the field that the key names; a name that the run did not use ends a trial. */
export function chooseField(
  cx: JsContext,
  node: Node,
  key: ModelValue,
  names: readonly string[],
  action: (name: string) => void,
): void {
  const end = newLocation(cx);
  const text = asRepr(cx.model, key, "any");
  for (const name of names) {
    const [yes, no] = [newLocation(cx), newLocation(cx)];
    const wanted = constantOf(cx.model, Number(cx.model.encoding.encode(name, "any")));
    branch(cx, compare("==", text.expr, wanted.expr), yes, no, "conditional", node.property);
    cx.here = yes;
    action(name);
    jump(cx, end, rangeAt(cx, node));
    cx.here = no;
  }
  unrecorded(cx, node);
  cx.here = end;
}
