import { nth, present } from "../../base/checked.ts";
import { emit, emitTo, fallInto, jump, newLocation } from "../../ir/builder.ts";
import type { SourceStatement } from "../../ir/program.ts";
import { children, isFunction, type Node, withoutTypes } from "../recorder/syntax.ts";
import { special } from "../replay/encoding.ts";
import type { RecordedFile } from "../replay/recordedFile.ts";
import { assignVariable, lowerPattern } from "./assignment.ts";
import type { JsContext, ModelValue } from "./context.ts";
import { lower, lowerCondition } from "./expression.ts";
import { errorText, fail } from "./failure.ts";
import { branch, held, opaque, placed, raise, rangeAt, reprAt, unrecorded } from "./opaque.ts";
import { elementRepr, type Iterated, iteratedBy, lowerRounds, valueFor } from "./rounds.ts";
import { aligned, asRepr, compare, constantOf, int } from "./values.ts";
import { bindingAt, read, reprOfVariable } from "./variables.ts";

export function lowerStatements(cx: JsContext, statements: readonly Node[]): void {
  for (const statement of statements) lowerStatement(cx, statement);
}

export function lowerStatement(cx: JsContext, node: Node, label: string | null = null): void {
  switch (node.type) {
    case "ExpressionStatement":
      if (node.directive == null) lower(cx, node.expression as Node);
      return;
    case "VariableDeclaration":
      return lowerDeclaration(cx, node);
    case "ReturnStatement":
      return lowerReturn(cx, node, node.argument);
    case "BlockStatement":
      return lowerStatements(cx, node.body);
    case "IfStatement":
      return lowerIf(cx, node);
    case "ForStatement":
      if (node.init?.type === "VariableDeclaration") lowerDeclaration(cx, node.init);
      else if (node.init !== null) lower(cx, node.init);
      return lowerLoop(cx, node, label);
    case "WhileStatement":
    case "DoWhileStatement":
      return lowerLoop(cx, node, label);
    case "ForOfStatement":
    case "ForInStatement":
      return lowerIteration(cx, node, label);
    case "SwitchStatement":
      return lowerSwitch(cx, node);
    case "TryStatement":
      return lowerTry(cx, node);
    case "ThrowStatement":
      return lowerThrow(cx, node);
    case "BreakStatement":
    case "ContinueStatement":
      return lowerJump(cx, node);
    case "LabeledStatement": {
      const end = newLocation(cx);
      const name = present(node.label).name;
      cx.targets.push({ label: name, breaks: end, continues: null });
      lowerStatement(cx, node.body, name);
      cx.targets.pop();
      return fallInto(cx, end, rangeAt(cx, node));
    }
    default:
      return;
  }
}

function lowerDeclaration(cx: JsContext, node: Node): void {
  for (const declarator of node.declarations) {
    const id = present(declarator.id);
    if (declarator.init === null) {
      const binding = id.type === "Identifier" && node.kind !== "var" ? bindingAt(cx, id) : null;
      if (binding !== null && reprOfVariable(cx, binding) === "any")
        assignVariable(cx, id, constantOf(cx.model, special.undefined), declarator);
      continue;
    }
    const value = lower(cx, declarator.init);
    if (id.type === "Identifier") assignVariable(cx, id, value, declarator);
    else lowerPattern(cx, id, held(cx, declarator.init, value), declarator.init);
  }
}

export function lowerReturn(cx: JsContext, node: Node, argument: Node | null): void {
  const value = argument === null ? constantOf(cx.model, special.undefined) : lower(cx, argument);
  const result = cx.shape?.result ?? null;
  const isHeld = cx.finalizers.length > 0 && argument !== null;
  const kept = isHeld ? held(cx, argument, value) : value;
  const returned = result === null ? null : asRepr(cx.model, kept, result).expr;
  runFinalizers(cx, 0);
  emitTo(cx, cx.exit, { kind: "return", value: returned }, rangeAt(cx, node));
}

function lowerIf(cx: JsContext, node: Node): void {
  const [yes, no] = [newLocation(cx), newLocation(cx)];
  const end = node.alternate === null ? no : newLocation(cx);
  lowerCondition(cx, present(node.test), yes, no, "branch");
  cx.here = yes;
  lowerStatement(cx, node.consequent as Node);
  jump(cx, end, rangeAt(cx, node));
  if (node.alternate !== null) {
    cx.here = no;
    lowerStatement(cx, node.alternate);
    jump(cx, end, rangeAt(cx, node));
  }
  cx.here = end;
}

function lowerLoop(cx: JsContext, node: Node, label: string | null): void {
  const range = rangeAt(cx, node);
  const [test, body, next, end] = [newLocation(cx), newLocation(cx), newLocation(cx), newLocation(cx)];
  jump(cx, node.type === "DoWhileStatement" ? body : test, range);
  cx.here = test;
  if (node.test === null) jump(cx, body, range);
  else lowerCondition(cx, node.test, body, end, "loop");
  cx.here = body;
  cx.targets.push({ label, breaks: end, continues: next });
  lowerStatement(cx, node.body);
  cx.targets.pop();
  jump(cx, next, range);
  cx.here = next;
  if (node.type === "ForStatement" && node.update !== null) lower(cx, node.update);
  jump(cx, test, range);
  cx.here = end;
}

function lowerIteration(cx: JsContext, node: Node, label: string | null): void {
  const target =
    node.left.type === "VariableDeclaration" ? present(nth(node.left.declarations, 0).id) : withoutTypes(node.left);
  const isKnown = node.type === "ForOfStatement" && !cx.model.demoted.has(node);
  const found = isKnown ? iteratedBy(cx, node.right) : null;
  const pair = found?.part === "entries" ? namesOfPair(target) : null;
  const iterated = found?.part === "entries" && pair === null ? null : found;
  const collection = held(cx, node.right, lower(cx, iterated?.from ?? node.right));
  const isDirect = target.type === "Identifier" && iterated?.part !== "values";
  lowerRounds(cx, {
    node,
    head: { start: node.start, end: node.body.start },
    collection,
    isFollowed: iterated !== null,
    element: isDirect ? elementRepr(cx, node) : iterated?.kind === "int" ? "int" : "any",
    each(element, _index, next, end) {
      const value =
        iterated?.part === "values" && iterated.kind !== null
          ? valueFor(cx, target, collection, element, iterated.kind, elementRepr(cx, node))
          : element;
      if (pair !== null && iterated !== null) bindPair(cx, pair, collection, element, iterated.kind);
      else if (target.type === "Identifier") {
        if (iterated !== null) placed(cx, target, value);
        assignVariable(cx, target, value, target);
      } else lowerPattern(cx, target, iterated === null ? collection : held(cx, target, value), target);
      cx.targets.push({ label, breaks: end, continues: next });
      lowerStatement(cx, node.body);
      cx.targets.pop();
    },
  });
}

/** `[key, value]`, the value perhaps taken apart; null for other patterns. */
function namesOfPair(target: Node): readonly (Node | null)[] | null {
  const isPlain = (element: Node | null, i: number) =>
    element === null || element.type === "Identifier" || (i === 1 && /^(Object|Array)Pattern$/.test(element.type));
  if (target.type !== "ArrayPattern" || target.elements.length > 2 || !target.elements.every(isPlain)) return null;
  return target.elements;
}

function bindPair(
  cx: JsContext,
  [first, second]: readonly (Node | null)[],
  collection: ModelValue,
  element: ModelValue,
  kind: Iterated["kind"],
): void {
  const bind = (name: Node, value: ModelValue): void => {
    if (name.type !== "Identifier") return lowerPattern(cx, name, held(cx, name, value), name);
    const isTaken = cx.model.demoted.has(name);
    assignVariable(cx, name, isTaken ? opaque(cx, name, [value]) : placed(cx, name, value), name);
  };
  const key = held(cx, first ?? second!, element);
  if (first != null) bind(first, { ...key, expr: { ...key.expr } });
  if (second != null && kind !== null) bind(second, valueFor(cx, second, collection, key, kind, reprAt(cx, second)));
}

function lowerSwitch(cx: JsContext, node: Node): void {
  const value = held(cx, node.discriminant, lower(cx, node.discriminant));
  const range = rangeAt(cx, node);
  const end = newLocation(cx);
  const bodies = node.cases.map(() => newLocation(cx));
  node.cases.forEach((one, i) => {
    if (one.test === null) return;
    const [a, b] = aligned(cx.model, value, lower(cx, one.test));
    const no = newLocation(cx);
    branch(cx, compare("==", a.expr, b.expr), nth(bodies, i), no, "branch", one.test);
    cx.here = no;
  });
  const otherwise = node.cases.findIndex((one) => one.test === null);
  jump(cx, otherwise === -1 ? end : nth(bodies, otherwise), range);
  cx.targets.push({ label: null, breaks: end, continues: null });
  node.cases.forEach((one, i) => {
    cx.here = nth(bodies, i);
    lowerStatements(cx, one.consequent);
    jump(cx, bodies[i + 1] ?? end, range);
  });
  cx.targets.pop();
  cx.here = end;
}

function lowerTry(cx: JsContext, node: Node): void {
  const range = rangeAt(cx, node);
  const [caught, after] = [newLocation(cx), newLocation(cx)];
  const rethrows = node.finalizer === null ? null : newLocation(cx);
  if (node.finalizer !== null)
    cx.finalizers.push({ block: node.finalizer, handlers: cx.handlers.length, targets: cx.targets.length });
  if (rethrows !== null) cx.handlers.push(rethrows);
  if (node.handler !== null) cx.handlers.push(caught);
  lowerStatement(cx, node.block);
  jump(cx, after, range);
  if (node.handler !== null) {
    cx.handlers.pop();
    cx.here = caught;
    const { thrown, error } = cx.model.exception;
    emit(cx, { kind: "assign", target: thrown.id, value: int(0) }, rangeAt(cx, node.handler));
    const { param } = node.handler;
    if (param !== null && param.type === "Identifier") {
      const value: ModelValue = { repr: "any", expr: read(error) };
      assignVariable(cx, param, value, param);
    }
    lowerStatement(cx, node.handler.body);
    jump(cx, after, range);
  }
  if (rethrows !== null) {
    cx.handlers.pop();
    cx.finalizers.pop();
    // What neither returns nor jumps goes on being thrown behind the block.
    cx.here = rethrows;
    lowerStatement(cx, present(node.finalizer));
    raise(cx, node);
  }
  cx.here = after;
  if (node.finalizer !== null) lowerStatement(cx, node.finalizer);
}

/** Runs the `finally` blocks that a jump leaves, the innermost first: those inside of so many jump targets. */
function runFinalizers(cx: JsContext, targets: number): void {
  const left = cx.finalizers.filter((each) => each.targets >= targets);
  const all = [...cx.finalizers];
  const handlers = [...cx.handlers];
  const jumps = [...cx.targets];
  for (const each of left.reverse()) {
    // Inside of such a block neither it nor what is within its `try` is around.
    cx.finalizers.length = all.indexOf(each);
    cx.handlers.length = each.handlers;
    cx.targets.length = each.targets;
    lowerStatement(cx, each.block);
  }
  cx.finalizers.splice(0, cx.finalizers.length, ...all);
  cx.handlers.splice(0, cx.handlers.length, ...handlers);
  cx.targets.splice(0, cx.targets.length, ...jumps);
}

function lowerThrow(cx: JsContext, node: Node): void {
  const value = lower(cx, present(node.argument));
  if (cx.model.failing === node) return fail(cx, node, errorText(cx));
  const { error } = cx.model.exception;
  emit(cx, { kind: "assign", target: error.id, value: asRepr(cx.model, value, "any").expr }, rangeAt(cx, node));
  const isOwn = cx.handlers.length > 0 || (cx.shape !== null && cx.model.evidence.threw.has(cx.shape.function));
  if (isOwn) return raise(cx, node);
  // Nobody saw this function throw: a run that does so fails.
  const text = cx.function.file.text.slice(node.start, node.end).replace(/\s+/g, " ");
  fail(cx, node, text);
}

function lowerJump(cx: JsContext, node: Node): void {
  const label = node.label?.name ?? null;
  const isBreak = node.type === "BreakStatement";
  const target = cx.targets.findLast((each) => {
    if (label !== null) return each.label === label && (isBreak || each.continues !== null);
    return isBreak ? each.label === null || each.continues !== null : each.continues !== null;
  });
  if (target !== undefined) runFinalizers(cx, cx.targets.indexOf(target) + 1);
  if (target === undefined) unrecorded(cx, node);
  else jump(cx, isBreak ? target.breaks : present(target.continues), rangeAt(cx, node));
}

/** The statements of a function as a reader sees them, outer ones first. Those of functions inside of it are theirs. */
export function sourceStatements(file: RecordedFile, body: Node): readonly SourceStatement[] {
  const found: SourceStatement[] = [];
  const add = (kind: SourceStatement["kind"], node: Node, end: number): void => {
    found.push({ kind, range: file.rangeOf(node), head: file.rangeOf({ start: node.start, end }) });
  };
  const visit = (node: Node): void => {
    switch (node.type) {
      case "BlockStatement":
        return node.body.forEach(visit);
      case "IfStatement":
        add("if", node, (node.consequent as Node).start);
        visit(node.consequent as Node);
        return node.alternate === null ? undefined : visit(node.alternate);
      case "ForStatement":
      case "ForOfStatement":
      case "ForInStatement":
      case "WhileStatement":
        add("loop", node, node.body.start);
        return visit(node.body);
      case "DoWhileStatement":
        found.push({
          kind: "loop",
          range: file.rangeOf(node),
          head: file.rangeOf({ start: node.body.end, end: node.end }),
        });
        return visit(node.body);
      case "SwitchStatement":
        add("switch", node, node.discriminant.end + 1);
        for (const one of node.cases) one.consequent.forEach(visit);
        return;
      case "TryStatement":
        visit(node.block);
        if (node.handler !== null) visit(node.handler.body);
        return node.finalizer === null ? undefined : visit(node.finalizer);
      case "LabeledStatement":
        return visit(node.body);
      case "ReturnStatement":
        return add("return", node, headEnd(node));
      case "VariableDeclaration":
        return add("declaration", node, headEnd(node));
      case "BreakStatement":
      case "ContinueStatement":
        return add("jump", node, node.end);
      default:
        if (!isFunction(node)) add("simple", node, headEnd(node));
    }
  };
  if (body.type === "BlockStatement") visit(body);
  else add("return", body, headEnd(body));
  return found;
}

/** The block of a function inside of a statement is not shown with it. */
function headEnd(node: Node): number {
  let end = node.end;
  const visit = (at: Node): void => {
    if (isFunction(at) && at.body.type === "BlockStatement") end = Math.min(end, at.body.start + 1);
    else children(at).forEach(visit);
  };
  visit(node);
  return end;
}
