import { keyName } from "../../../recorder/functionShape.ts";
import { boundIdentifiers, type Node, withoutTypes } from "../../../recorder/syntax.ts";
import { assignVariable } from "./assignment.ts";
import type { Context, ModelValue } from "./context.ts";
import { elementAccess, fieldAccess, followed, load } from "./memory.ts";
import { reprAt, wasExecuted } from "./observed.ts";
import { opaque } from "./opaque.ts";
import { int } from "./values.ts";

/** `{ a, b: c }` and `[x, y]`: each name gets its part; `from` is the node whose value is taken apart. */
export function lowerPattern(cx: Context, pattern: Node, value: ModelValue, from: Node): void {
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
function isFollowed(cx: Context, from: Node, key: string | number): boolean {
  const values = cx.model.evidence.values.get(from) ?? [];
  const family = typeof key === "number" ? "array" : "object";
  // What was taken apart in a parameter list is in no log: the names are, and they are compared.
  return values.every((value) => followed(cx.model, value) === family);
}
