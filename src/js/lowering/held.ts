import { present } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { emit } from "../../ir/builder.ts";
import { placedAt } from "../../ir/expression.ts";
import type { Node } from "../recorder/syntax.ts";
import { type Repr, reprOf } from "../replay/encoding.ts";
import { tagsOf } from "../replay/evidence.ts";
import type { JsContext, ModelValue } from "./context.ts";
import { newTemporary, read } from "./variables.ts";

/** Marks an expression as the value of a node: a reader sees the source, and the check knows what to compare. */
export function placed(cx: JsContext, node: Node, value: ModelValue): ModelValue {
  placedAt(value.expr, rangeAt(cx, node));
  // What is taken from the log needs no comparison, and what it is made of is another value.
  const isCompared = !cx.model.demoted.has(node) && !cx.model.nodeOf.has(value.expr);
  if (isCompared) cx.model.nodeOf.set(value.expr, node);
  return value;
}

/** The value of a node that was used before it was complete, such as a new object that its parts are put into. */
export function completed(cx: JsContext, node: Node, value: ModelValue): ModelValue {
  return placed(cx, node, { ...value, expr: { ...value.expr } });
}

/** Holds a value while other things happen. */
export function held(cx: JsContext, node: Node, value: ModelValue): ModelValue {
  if (value.expr.kind === "constant") return value;
  const range = rangeAt(cx, node);
  const variable = newTemporary(cx, value.repr, range);
  emit(cx, { kind: "assign", target: variable.id, value: value.expr }, range);
  // The value was compared with the log where it was computed.
  return { repr: value.repr, expr: placedAt(read(variable), range) };
}

export function rangeAt(cx: JsContext, node: Pick<Node, "start" | "end"> & Partial<Node>): SourceRange {
  // A declared name comes with its type.
  if (node.type === "Identifier")
    return cx.function.file.rangeOf({ start: node.start, end: node.start + present(node.name).length });
  return cx.function.file.rangeOf(node);
}

/** The kinds of values that a node had. */
export function tagsAt(cx: JsContext, node: Node): ReturnType<typeof tagsOf> {
  return tagsOf(cx.model.evidence.values.get(node));
}

export function reprAt(cx: JsContext, node: Node): Repr {
  return reprOf(tagsAt(cx, node));
}

export function wasExecuted(cx: JsContext, node: Node): boolean {
  return cx.model.evidence.values.has(node);
}
