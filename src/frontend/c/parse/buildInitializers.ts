import type { Designator, Initializer, InitializerItem } from "../ast.ts";
import { buildExpression } from "./buildExpressions.ts";
import { type Builder, children, firstToken, onlyChild, rangeOf, typeOf, unexpected, word } from "./builder.ts";

export function buildInitializer(b: Builder, node: number): Initializer {
  if (typeOf(b, node) === "initializer_list") return buildInitializerList(b, node);
  const value = buildExpression(b, node);
  return { kind: "expression", value, range: value.range };
}

export function buildInitializerList(b: Builder, node: number): Initializer {
  const items: InitializerItem[] = children(b, node).map((item) => {
    if (typeOf(b, item) !== "initializer_pair") return { designators: [], value: buildInitializer(b, item) };
    const parts = children(b, item);
    const value = parts.pop()!;
    return { designators: parts.map((part) => buildDesignator(b, part)), value: buildInitializer(b, value) };
  });
  return { kind: "list", items, range: rangeOf(b, node) };
}

function buildDesignator(b: Builder, node: number): Designator {
  const range = rangeOf(b, node);
  switch (typeOf(b, node)) {
    case "field_designator":
      return { kind: "field", name: word(b, firstToken(b, onlyChild(b, node))), range };
    case "subscript_designator":
      return { kind: "index", from: buildExpression(b, onlyChild(b, node)), to: null, range };
    case "subscript_range_designator": {
      const [from, to] = children(b, node);
      return { kind: "index", from: buildExpression(b, from!), to: buildExpression(b, to!), range };
    }
    default:
      return unexpected(b, node, "an initialiser");
  }
}
