import { present } from "../../base/checked.ts";
import { keyName } from "../recorder/functionShape.ts";
import { type Node, withoutTypes } from "../recorder/syntax.ts";
import { special } from "../replay/encoding.ts";
import { collectionOf, initialFields, isMaker, literalParts } from "../replay/makers.ts";
import { lowerSilentCollection } from "./collections.ts";
import type { ClassOfFile, JsContext, ModelValue } from "./context.ts";
import { lower, operandsBelow } from "./expression.ts";
import {
  allocate,
  elementAccess,
  fieldAccess,
  lengthAccess,
  load,
  store,
  storeQuietly,
  undefinedValue,
} from "./memory.ts";
import { completed, held, opaque } from "./opaque.ts";
import { constantOf, int } from "./values.ts";

/** `{ a: 1 }` and `[1, 2]`. */
export function lowerLiteralObject(cx: JsContext, node: Node): ModelValue {
  if (!isMaker(node)) return opaque(cx, node, operandsBelow(cx, node));
  if (node.type === "ArrayExpression") {
    const elements = node.elements.map((element) => ({
      element: element!,
      value: held(cx, element!, lower(cx, element!)),
    }));
    const array = allocate(cx, node, "array");
    elements.forEach(({ element, value }, i) => {
      store(cx, elementAccess(cx, array, { repr: "int", expr: int(i) }), value, element);
    });
    storeQuietly(cx, lengthAccess(cx, array), { repr: "int", expr: int(elements.length) }, node);
    return completed(cx, node, array);
  }
  const parts = node.properties.map((property) => {
    const part = property.type === "SpreadElement" ? present(property.argument) : property.value;
    return { property, part, value: held(cx, part, lower(cx, part)) };
  });
  const object = allocate(cx, node, "object");
  const names = new Set(parts.map(({ property }) => (property.type === "Property" ? keyName(property)! : "")));
  clearFields(cx, object, node, names);
  for (const { property, part, value } of parts) {
    if (property.type === "Property") store(cx, fieldAccess(cx, object, keyName(property)!), value, property);
    else copyFields(cx, object, value, part);
  }
  return completed(cx, node, object);
}

/** `...other`: all fields that the run ever read from an object. */
function copyFields(cx: JsContext, object: ModelValue, other: ModelValue, node: Node): void {
  for (const name of cx.model.fieldNames) {
    const from = fieldAccess(cx, other, name);
    storeQuietly(cx, fieldAccess(cx, object, name), load(cx, from, from.table.repr), node);
  }
}

function clearFields(cx: JsContext, object: ModelValue, node: Node, but: ReadonlySet<string>): void {
  for (const name of cx.model.emptyFields)
    if (!but.has(name)) storeQuietly(cx, fieldAccess(cx, object, name), undefinedValue(cx), node);
}

/** A new object of a class of the project, with what the class says its fields hold first. */
export function allocateInstance(cx: JsContext, node: Node, className: string): ModelValue {
  const object = allocate(cx, node, "object");
  clearFields(cx, object, node, new Set());
  const classes: ClassOfFile[] = [];
  for (let at = cx.model.classOf(className); at !== null; ) {
    classes.unshift(at);
    const parent: Node | null = at.node.superClass;
    at = parent?.type === "Identifier" ? cx.model.classOf(parent.name) : null;
  }
  for (const { node: classNode, file } of classes) {
    const inside: JsContext = Object.create(cx, { function: { value: { file } } });
    inside.here = cx.here;
    for (const [name, value] of initialFields(classNode)) {
      const initial = lowerSilently(inside, value);
      if (initial !== null) store(inside, fieldAccess(inside, object, name), initial, value);
    }
    cx.here = inside.here;
  }
  return object;
}

/** The value of an initialiser that the log does not show; null where only running it would tell. */
export function lowerSilently(cx: JsContext, given: Node): ModelValue | null {
  const node = withoutTypes(given);
  if (isMaker(node)) return lowerSilentObject(cx, node);
  switch (node.type) {
    case "Literal":
      return node.regex == null && node.bigint == null ? lower(cx, node) : null;
    case "UnaryExpression":
      return node.operator === "-" && present(node.argument).type === "Literal" ? lower(cx, node) : null;
    case "Identifier":
      return node.name === "undefined" ? constantOf(cx.model, special.undefined) : null;
    default:
      return null;
  }
}

/** In the order in which the replay counts them: the object, then its parts. */
function lowerSilentObject(cx: JsContext, node: Node): ModelValue {
  const valueOf = (part: Node) => lowerSilently(cx, part) ?? constantOf(cx.model, special.unknown);
  if (collectionOf(node) !== null) return lowerSilentCollection(cx, node, valueOf);
  const isArray = node.type === "ArrayExpression";
  const object = allocate(cx, node, isArray ? "array" : "object");
  if (!isArray) clearFields(cx, object, node, new Set(literalParts(node).map(([key]) => String(key))));
  for (const [key, part] of literalParts(node)) {
    const value = valueOf(part);
    const access =
      typeof key === "number"
        ? elementAccess(cx, object, { repr: "int", expr: int(key) })
        : fieldAccess(cx, object, key);
    store(cx, access, value, part);
  }
  if (isArray) storeQuietly(cx, lengthAccess(cx, object), { repr: "int", expr: int(node.elements.length) }, node);
  return completed(cx, node, object);
}
