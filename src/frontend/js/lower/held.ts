import { emit } from "../../../ir/builder.ts";
import { placedAt } from "../../../ir/expression.ts";
import type { Node } from "../../../recorder/syntax.ts";
import type { Context, ModelValue } from "./context.ts";
import { rangeAt } from "./observed.ts";
import { newTemporary, read } from "./registers.ts";

/** Marks an expression as the value of a node: a reader sees the source, and the check knows what to compare. */
export function placed(cx: Context, node: Node, value: ModelValue): ModelValue {
  placedAt(value.expr, rangeAt(cx, node));
  // What is taken from the log needs no comparison, and what it is made of is another value.
  const isCompared = !cx.model.demoted.has(node) && !cx.model.nodeOf.has(value.expr);
  if (isCompared) cx.model.nodeOf.set(value.expr, node);
  return value;
}

/** The value of a node that was used before it was complete, such as a new object that its parts are put into. */
export function completed(cx: Context, node: Node, value: ModelValue): ModelValue {
  return placed(cx, node, { ...value, expr: { ...value.expr } });
}

/** Holds a value while other things happen. */
export function held(cx: Context, node: Node, value: ModelValue): ModelValue {
  if (value.expr.kind === "constant") return value;
  const range = rangeAt(cx, node);
  const variable = newTemporary(cx, value.repr, range);
  emit(cx, { kind: "assign", target: variable.id, value: value.expr }, range);
  // The value was compared with the log where it was computed.
  return { repr: value.repr, expr: placedAt(read(variable), range) };
}
