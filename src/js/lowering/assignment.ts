import { present } from "../../base/checked.ts";
import { emit } from "../../ir/builder.ts";
import { placedAt } from "../../ir/expression.ts";
import { keyName } from "../recorder/functionShape.ts";
import { boundIdentifiers, type Node, withoutTypes } from "../recorder/syntax.ts";
import { reprOf } from "../replay/encoding.ts";
import type { JsContext, ModelValue } from "./context.ts";
import { lower, mayAct } from "./expression.ts";
import { accessOf, chooseField, keysAt, receiverOf } from "./member.ts";
import { elementAccess, fieldAccess, followed, lengthAccess, load, store, storeQuietly } from "./memory.ts";
import { held, opaque, placed, rangeAt, reprAt, tagsAt, wasExecuted } from "./opaque.ts";
import { applyOperator } from "./operators.ts";
import { asRepr, binary, compare, int } from "./values.ts";
import { bindingAt, read, reprOfRegister, variableOf } from "./variables.ts";

export function assignVariable(cx: JsContext, target: Node, value: ModelValue, at: Node): void {
  const binding = bindingAt(cx, target);
  if (binding === null) return;
  const variable = variableOf(cx, binding, target);
  const converted = asRepr(cx.model, value, reprOfRegister(variable));
  emit(cx, { kind: "assign", target: variable.id, value: converted.expr }, rangeAt(cx, at));
}

export function lowerAssignment(cx: JsContext, node: Node): ModelValue {
  const target = withoutTypes(node.left);
  const isLogical = /^(&&|\|\||\?\?)=$/.test(node.operator);
  if (target.type === "Identifier") {
    const binding = bindingAt(cx, target);
    if (binding === null) return opaque(cx, node, isLogical ? [] : [lower(cx, node.right)]);
    const value = isLogical
      ? opaque(cx, node, [old(cx, target)])
      : node.operator === "="
        ? lower(cx, node.right)
        : combined(cx, node, () => old(cx, target));
    assignVariable(cx, target, value, node);
    return old(cx, target);
  }
  if (target.type !== "MemberExpression") {
    const value = held(cx, node.right, lower(cx, node.right));
    lowerPattern(cx, target, value, node);
    return value;
  }
  return lowerMemberAssignment(cx, node, target, isLogical);
}

function old(cx: JsContext, target: Node): ModelValue {
  const variable = variableOf(cx, bindingAt(cx, target)!, target);
  return placed(cx, target, { repr: reprOfRegister(variable), expr: read(variable) });
}

function combined(cx: JsContext, node: Node, before: () => ModelValue): ModelValue {
  let left = before();
  if (mayAct(node.right)) left = held(cx, node.left, left);
  const right = lower(cx, node.right);
  if (cx.model.demoted.has(node)) return opaque(cx, node, [left, right]);
  const tags = left.repr === "any" ? tagsAt(cx, node) : new Set<never>();
  const operator = node.operator.slice(0, -1);
  const operands = [
    { value: left, tags },
    { value: right, tags: tagsAt(cx, node.right) },
  ] as const;
  const value = applyOperator(cx, node, operator, ...operands);
  placedAt(value.expr, rangeAt(cx, node));
  return value;
}

function lowerMemberAssignment(cx: JsContext, node: Node, target: Node, isLogical: boolean): ModelValue {
  const isRead = node.operator !== "=" || target.computed || mayAct(node.right);
  let object = receiverOf(cx, target);
  if (isRead) object = held(cx, target.object, object);
  let key = target.computed ? lower(cx, target.property) : null;
  if (key !== null && isRead) key = held(cx, target.property, key);
  const access = cx.model.demoted.has(target) ? null : accessOf(cx, target, object, key);
  if (isLogical) {
    const value = opaque(cx, node, [object, ...(key === null ? [] : [key])]);
    if (access !== null) store(cx, access, value, node, target);
    return value;
  }
  if (node.operator === "=") {
    const value = lower(cx, node.right);
    const names = access === null && key !== null && !cx.model.demoted.has(target) ? keysAt(cx, target) : null;
    if (names !== null) {
      const kept = held(cx, node.right, value);
      chooseField(cx, target, key!, names, (name) => store(cx, fieldAccess(cx, object, name), kept, node, target));
      return kept;
    }
    if (access !== null) store(cx, access, value, node, target);
    if (access !== null && key !== null) grow(cx, object, key, node);
    return value;
  }
  const value =
    access === null
      ? opaque(cx, node, [object, ...(key === null ? [] : [key]), lower(cx, node.right)])
      : combined(cx, node, () => {
          const repr = reprAt(cx, node);
          return placed(cx, target, load(cx, access, repr === "any" ? access.table.repr : repr));
        });
  if (access !== null) store(cx, access, held(cx, node, value), node, target);
  return value;
}

/** A store behind the last element of an array moves its end. */
function grow(cx: JsContext, array: ModelValue, key: ModelValue, node: Node): void {
  const index = asRepr(cx.model, key, "int");
  const length = load(cx, lengthAccess(cx, array), "int");
  const more = binary("+", binary("-", index.expr, length.expr), int(1));
  const isBehind = compare(">=", index.expr, length.expr);
  storeQuietly(
    cx,
    lengthAccess(cx, array),
    { repr: "int", expr: binary("+", length.expr, binary("*", isBehind, more)) },
    node,
  );
}

export function lowerUpdate(cx: JsContext, node: Node): ModelValue {
  const target = withoutTypes(present(node.argument));
  const step = int(node.operator === "++" ? 1 : -1);
  const add = (value: ModelValue): ModelValue => {
    const one = asRepr(cx.model, { repr: "int", expr: step }, value.repr === "double" ? "double" : "int");
    const number = value.repr === "any" ? asRepr(cx.model, value, "int") : value;
    const expr = binary("+", number.expr, one.expr);
    return { repr: number.repr, expr: placedAt(expr, rangeAt(cx, node)) };
  };
  if (target.type === "Identifier") {
    const before = old(cx, target);
    const kept = node.prefix ? null : held(cx, node, before);
    assignVariable(cx, target, add(before), node);
    return kept ?? old(cx, target);
  }
  const object = held(cx, target.object, receiverOf(cx, target));
  const key = target.computed ? held(cx, target.property, lower(cx, target.property)) : null;
  const access = cx.model.demoted.has(target) ? null : accessOf(cx, target, object, key);
  if (access === null || cx.model.demoted.has(node)) return opaque(cx, node, [object]);
  const before = held(cx, node, load(cx, access, reprOf(tagsAt(cx, node))));
  const after = add(before);
  store(cx, access, after, node, target);
  return node.prefix ? after : before;
}

/** `{ a, b: c }` and `[x, y]`: each name gets its part; `from` is the node whose value is taken apart. */
export function lowerPattern(cx: JsContext, pattern: Node, value: ModelValue, from: Node): void {
  const direct = directParts(pattern);
  for (const identifier of boundIdentifiers(pattern)) {
    const key = direct.get(identifier);
    const isModelled = key !== undefined && !cx.model.demoted.has(identifier) && isFollowed(cx, from, key);
    const repr = reprAt(cx, identifier);
    if (isModelled && wasExecuted(cx, identifier)) {
      const access =
        typeof key === "number"
          ? elementAccess(cx, value, { repr: "int", expr: int(key) })
          : fieldAccess(cx, value, key);
      const part = load(cx, access, repr);
      cx.model.nodeOf.set(part.expr, identifier);
      assignVariable(cx, identifier, part, identifier);
    } else assignVariable(cx, identifier, opaque(cx, identifier, [value]), identifier);
  }
}

/** Names whose part is one step away and has no value of its own to fall back on. */
function directParts(pattern: Node): ReadonlyMap<Node, string | number> {
  const parts = new Map<Node, string | number>();
  if (pattern.type === "ObjectPattern") {
    for (const property of pattern.properties) {
      if (property.type === "RestElement" || property.computed) continue;
      const key = keyName(property);
      if (key !== null && withoutTypes(property.value).type === "Identifier") parts.set(property.value, key);
    }
  } else if (pattern.type === "ArrayPattern") {
    pattern.elements.forEach((element, i) => {
      if (element?.type === "Identifier") parts.set(element, i);
    });
  }
  return parts;
}

/** Did the model make every object that was taken apart here? */
function isFollowed(cx: JsContext, from: Node, key: string | number): boolean {
  const values = cx.model.evidence.values.get(from) ?? [];
  const family = typeof key === "number" ? "array" : "object";
  // What was taken apart in a parameter list is in no log: the names are, and they are compared.
  return values.every((value) => followed(cx.model, value) === family);
}
