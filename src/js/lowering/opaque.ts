import { present } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { emit, emitTo, jump, newLocation } from "../../ir/builder.ts";
import { type Expression, placedAt, spelledAs } from "../../ir/expression.ts";
import type { ProgramVariable } from "../../ir/program.ts";
import type { Node } from "../recorder/syntax.ts";
import { doubleType, type Repr, reprOf, special } from "../replay/encoding.ts";
import { tagsOf } from "../replay/evidence.ts";
import type { InputPlan, JsContext, ModelValue } from "./context.ts";
import { asRepr, binary, constantOf, convertTo, int, nothingOf } from "./values.ts";
import { newTemporary, read, typeOf } from "./variables.ts";

/** A value that the program model cannot compute: taken from the log, and made of what it was made from. */
export function opaque(
  cx: JsContext,
  node: Node,
  operands: readonly ModelValue[],
  repr: Repr = reprAt(cx, node),
): ModelValue {
  maybeThrow(cx, node);
  if (!wasExecuted(cx, node)) return unrecorded(cx, node);
  const result = readInput(cx, node, { node, of: "value", repr });
  return placed(cx, node, { repr, expr: madeOf(result, operands) });
}

export function madeOf(value: ModelValue, operands: readonly ModelValue[]): Expression {
  let expr = value.expr;
  for (const operand of operands) {
    if (operand.expr.kind === "constant") continue;
    const nothing = nothingOf(operand);
    expr = binary("+", expr, value.repr === "double" ? convertTo(doubleType, nothing) : nothing);
  }
  return expr;
}

/** Reads what the log has for a node into a temporary. */
export function readInput(cx: JsContext, node: Node, plan: InputPlan): ModelValue {
  const range = rangeAt(cx, node);
  const variable = newTemporary(cx, plan.repr, range);
  readInputInto(cx, node, plan, variable);
  return { repr: plan.repr, expr: read(variable) };
}

export function readInputInto(cx: JsContext, node: Node, plan: InputPlan, target: ProgramVariable): void {
  const number = cx.model.inputs.push(plan) - 1;
  const range = rangeAt(cx, node);
  const text = cx.function.file.text.slice(node.start, node.end).replace(/\s+/g, " ");
  const source = text.length > 60 ? `${text.slice(0, 59)}…` : text;
  emit(cx, { kind: "input", target: target.id, type: typeOf(cx.model, plan.repr), source, plan: number }, range);
}

/** Code that did not run and that the model knows nothing about: a run that comes here is not said to pass. */
export function unrecorded(cx: JsContext, node: Node): ModelValue {
  const range = rangeAt(cx, node);
  emitTo(cx, cx.exit, { kind: "fail", reason: "abort", text: "not recorded", code: null }, range);
  return constantOf(cx.model, special.undefined);
}

/** If an evaluation outside of the model threw in the run, the log says when. */
export function maybeThrow(cx: JsContext, node: Node): void {
  if (cx.model.failing === node || !(cx.model.evidence.throws.get(node) ?? []).includes(true)) return;
  const range = rangeAt(cx, node);
  const threw = readInput(cx, node, { node, of: "throws", repr: "bool" });
  const [raised, goesOn] = [newLocation(cx), newLocation(cx)];
  branch(cx, threw.expr, raised, goesOn, "branch", node);
  cx.here = raised;
  const error = constantOf(cx.model, special.unknown);
  emit(cx, { kind: "assign", target: cx.model.exception.error.id, value: error.expr }, range);
  raise(cx, node);
  cx.here = goesOn;
}

export function branch(
  cx: JsContext,
  condition: Expression,
  yes: number,
  no: number,
  origin: "branch" | "loop" | "shortCircuit" | "conditional" | "assert",
  node: Pick<Node, "start" | "end">,
): void {
  const range = rangeAt(cx, node);
  const from = cx.here;
  cx.graph.edges.push({ from, to: yes, operation: { kind: "assume", condition, negated: false, origin }, range });
  cx.graph.edges.push({ from, to: no, operation: { kind: "assume", condition, negated: true, origin }, range });
  cx.here = newLocation(cx);
}

/** An exception leaves from here: to the `catch` around it, or to the caller. */
export function raise(cx: JsContext, node: Node): void {
  const range = rangeAt(cx, node);
  const handler = cx.handlers.at(-1);
  const { thrown } = cx.model.exception;
  if (handler !== undefined) return jump(cx, handler, range);
  emit(cx, { kind: "assign", target: thrown.id, value: int(1) }, range);
  const result = cx.shape?.result ?? null;
  const value = result === null ? null : asRepr(cx.model, { repr: "int", expr: int(0) }, result).expr;
  emitTo(cx, cx.exit, { kind: "return", value }, range);
}

/** After a call that may have thrown. */
export function passOn(cx: JsContext, node: Node): void {
  const { thrown } = cx.model.exception;
  const [raised, goesOn] = [newLocation(cx), newLocation(cx)];
  branch(cx, spelledAs(read(thrown), callThrows(cx, node)), raised, goesOn, "branch", node);
  cx.here = raised;
  if (cx.handlers.length > 0) emit(cx, { kind: "assign", target: thrown.id, value: int(0) }, rangeAt(cx, node));
  raise(cx, node);
  cx.here = goesOn;
}

/** As a reader would say it: `action() throws`. */
function callThrows(cx: JsContext, node: Node): string {
  const text = cx.function.file.text.slice(node.start, node.end);
  return `${/^[\w$.#]+\(\)$/.test(text) ? text : "it"} throws`;
}

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
