import { nth, present } from "../../base/checked.ts";
import { emit, fallInto, jump, newLocation } from "../../ir/builder.ts";
import { isFunction, type Node, withoutTypes } from "../recorder/syntax.ts";
import { special } from "../replay/encoding.ts";
import { collectionOf, matcherOf, memberName, methodName } from "../replay/makers.ts";
import type { RecordedFunction } from "../replay/recordedFile.ts";
import { lowerNewCollection } from "./collections.ts";
import type { FunctionShape, JsContext, ModelValue } from "./context.ts";
import { lowerEach } from "./each.ts";
import { lower, mayAct, operandsBelow } from "./expression.ts";
import { failUnless, lowerMatcher } from "./failure.ts";
import { shapeOf } from "./function.ts";
import { allocateInstance } from "./literals.ts";
import { type Family, followed } from "./memory.ts";
import { lowerNative } from "./natives.ts";
import {
  branch,
  completed,
  held,
  opaque,
  passOn,
  placed,
  rangeAt,
  readInput,
  reprAt,
  unrecorded,
  wasExecuted,
} from "./opaque.ts";
import { asRepr, compare, constantOf, int } from "./values.ts";
import { bindingAt, newTemporary, read, reprOfRegister, selfValue } from "./variables.ts";

/** Calls and `new`. `result` is the node whose value the call's result is: of an awaited call, the `await`. */
export function lowerCall(cx: JsContext, node: Node, result: Node = node): ModelValue {
  const matcher = matcherOf(node);
  if (matcher !== null) return lowerMatcher(cx, node, matcher);
  const callee = withoutTypes(node.callee);
  const plan = cx.model.evidence.plans.get(node);
  let receiver: ModelValue | null = null;
  if (node.type === "CallExpression" && callee.type === "MemberExpression" && !isGlobal(cx, callee.object)) {
    receiver = callee.object.type === "Super" ? selfValue(cx, callee.object) : lower(cx, callee.object);
    if (node.arguments.some(mayAct)) receiver = held(cx, callee.object, receiver);
    if (cx.model.failing === node) {
      receiver = held(cx, callee.object, receiver);
      failUnless(cx, node, callee.object, receiver);
    }
  } else if (callee.type === "Super") receiver = selfValue(cx, callee);
  else if (cx.model.failing === node) failUnless(cx, node, callee, constantOf(cx.model, special.unknown));
  if (plan?.kind === "each" && receiver !== null) return lowerEach(cx, node, plan.function, receiver);
  const passed = lowerArguments(cx, node);
  if (plan?.kind === "call") {
    const value = callPlanned(cx, node, [...plan.functions], receiver, passed, result);
    return cx.model.demoted.has(result) ? opaque(cx, result, [value]) : value;
  }
  const unexecuted = wasExecuted(cx, node) ? null : resolveCall(cx, node);
  if (unexecuted !== null) return callFunction(cx, node, unexecuted, receiver, passed, result);
  const className = node.type === "NewExpression" && callee.type === "Identifier" ? callee.name : null;
  if (className !== null && cx.model.classOf(className) !== null)
    return completed(cx, node, allocateInstance(cx, node, className));
  if (collectionOf(node) !== null && wasExecuted(cx, node)) return lowerNewCollection(cx, node, passed[0]);
  const operands = receiver === null ? passed : [receiver, ...passed];
  const native = cx.model.demoted.has(node) ? null : lowerNative(cx, node, methodName(node), receiver, passed);
  return native ?? opaque(cx, node, operands);
}

/** A tag is called with the texts of its template, which the log shows, and with the values between them. */
export function lowerTagged(cx: JsContext, node: Node): ModelValue {
  const plan = cx.model.evidence.plans.get(node);
  if (plan?.kind !== "call" || plan.functions.size !== 1) return opaque(cx, node, operandsBelow(cx, node));
  const texts = held(cx, node.quasi, opaque(cx, node.quasi, []));
  const passed = node.quasi.expressions.map((each) => held(cx, each, lower(cx, each)));
  const value = callPlanned(cx, node, [...plan.functions], null, [texts, ...passed], node);
  return cx.model.demoted.has(node) ? opaque(cx, node, [value]) : value;
}

/** `Math`, `JSON`, `Object`: names that no file of the project declares. */
function isGlobal(cx: JsContext, node: Node): boolean {
  return node.type === "Identifier" && bindingAt(cx, node) === null;
}

function lowerArguments(cx: JsContext, node: Node): readonly ModelValue[] {
  return node.arguments.map((argument, i) => {
    const part = argument.type === "SpreadElement" ? present(argument.argument) : argument;
    const value = lower(cx, part);
    return node.arguments.slice(i + 1).some(mayAct) ? held(cx, part, value) : value;
  });
}

/** A getter is called with its object alone. */
export function lowerGetter(cx: JsContext, node: Node, object: ModelValue): ModelValue {
  const plan = cx.model.evidence.plans.get(node);
  if (plan?.kind !== "call") return opaque(cx, node, [object]);
  const value = callPlanned(cx, node, [...plan.functions], object, [], node);
  return cx.model.demoted.has(node) ? opaque(cx, node, [value]) : value;
}

/** If a place called several functions, the log says which. */
function callPlanned(
  cx: JsContext,
  node: Node,
  functions: readonly RecordedFunction[],
  receiver: ModelValue | null,
  passed: readonly ModelValue[],
  result: Node,
): ModelValue {
  const range = rangeAt(cx, node);
  const self = node.type === "NewExpression" ? newInstance(cx, node, nth(functions, 0)) : receiver;
  const isNew = node.type === "NewExpression";
  if (functions.length === 1) {
    const value = callFunction(cx, node, nth(functions, 0), self, passed, result);
    return isNew ? completed(cx, node, self!) : value;
  }
  const arguments_ = passed.map((value, i) => held(cx, nth(node.arguments, i), value));
  const which = readInput(cx, node, { node, of: "callee", repr: "int" });
  const target = newTemporary(cx, reprAt(cx, result), range);
  const end = newLocation(cx);
  functions.forEach((fn, i) => {
    const [yes, no] = [newLocation(cx), newLocation(cx)];
    if (i < functions.length - 1) {
      branch(cx, compare("==", which.expr, int(i)), yes, no, "conditional", node);
      cx.here = yes;
    }
    const value = callFunction(cx, node, fn, self, arguments_, result);
    emit(cx, { kind: "assign", target: target.id, value: asRepr(cx.model, value, reprAt(cx, result)).expr }, range);
    jump(cx, end, range);
    cx.here = no;
  });
  cx.here = newLocation(cx);
  fallInto(cx, end, range);
  return isNew ? completed(cx, node, self!) : placed(cx, result, { repr: reprAt(cx, result), expr: read(target) });
}

function newInstance(cx: JsContext, node: Node, fn: RecordedFunction): ModelValue {
  const callee = withoutTypes(node.callee);
  const name = callee.type === "Identifier" ? callee.name : (fn.sites.className ?? "");
  return held(cx, node, allocateInstance(cx, node, name));
}

export function callFunction(
  cx: JsContext,
  node: Node,
  fn: RecordedFunction,
  self: ModelValue | null,
  passed: readonly ModelValue[],
  result: Node | null,
): ModelValue {
  const shape = shapeOf(cx.model, fn);
  const range = rangeAt(cx, node);
  const target = shape.result === null ? null : newTemporary(cx, shape.result, range);
  const all = argumentsFor(cx, shape, self, passed);
  emit(
    cx,
    {
      kind: "call",
      callee: { kind: "direct", function: shape.id },
      arguments: all.map(({ expr }) => expr),
      target: target?.id ?? null,
    },
    range,
  );
  if (cx.model.evidence.threw.has(fn)) passOn(cx, node);
  if (target === null) return constantOf(cx.model, special.undefined);
  if (result === null) return { repr: present(shape.result), expr: read(target) };
  // What an `async` function returns is a promise to everyone who does not wait for it.
  if (fn.node.async && result.type !== "AwaitExpression" && result.type === "CallExpression")
    return cx.model.evidence.values.has(result)
      ? opaque(cx, result, [{ repr: present(shape.result), expr: read(target) }])
      : unrecorded(cx, result);
  return placed(cx, result, { repr: present(shape.result), expr: read(target) });
}

function argumentsFor(
  cx: JsContext,
  shape: FunctionShape,
  self: ModelValue | null,
  passed: readonly ModelValue[],
): readonly ModelValue[] {
  const given: ModelValue[] = [];
  if (shape.self !== null) given.push(asRepr(cx.model, self ?? constantOf(cx.model, special.undefined), "any"));
  shape.parameters.forEach((parameter, i) => {
    const repr = reprOfRegister(parameter);
    const value = passed[i] ?? defaultOf(cx, shape, i);
    given.push(asRepr(cx.model, value, repr));
  });
  return given;
}

/** What a parameter that nobody gave holds; anything that takes a computation is read from the log at the entry. */
function defaultOf(cx: JsContext, shape: FunctionShape, index: number): ModelValue {
  const param = shape.function.node.params[index];
  const inner = param?.type === "TSParameterProperty" ? param.parameter : param;
  if (inner?.type === "AssignmentPattern" && inner.right.type === "Literal") {
    const inside: JsContext = Object.create(cx, { function: { value: shape.function } });
    return lower(inside, inner.right);
  }
  return constantOf(cx.model, special.undefined);
}

/** The function that a call which did not run would call: the only one of its name among those that ran. */
export function resolveCall(cx: JsContext, node: Node): RecordedFunction | null {
  if (node.type !== "CallExpression") return null;
  const callee = withoutTypes(node.callee);
  const name = callee.type === "Identifier" ? callee.name : methodName(node);
  if (name === null) return null;
  const isMethod = callee.type === "MemberExpression";
  const found = [...cx.model.evidence.ran].filter(({ sites, node: fn }) => {
    const isOwn = sites.name === name || sites.name.endsWith(`.${name}`);
    return isOwn && isMethod === (sites.kind === "method") && !fn.generator && !fn.async;
  });
  return found.length === 1 ? nth(found, 0) : null;
}

/** The object that an expression would read if it ran, as far as its variable shows elsewhere. */
export function unexecutedFamily(cx: JsContext, member: Node): Family {
  const object = withoutTypes(member.object);
  if (object.type === "ThisExpression")
    return cx.model.fieldNames.has(memberName(member) ?? "") ? "object" : "stranger";
  if (object.type !== "Identifier" && object.type !== "MemberExpression") return "stranger";
  const { evidence } = cx.model;
  const families = new Set<Family>();
  for (const [node, values] of evidence.values) {
    if (!isSamePlace(cx, object, node)) continue;
    for (const value of values) families.add(followed(cx.model, value) ?? "stranger");
  }
  const [only] = families;
  if (families.size !== 1 || only === undefined) return "stranger";
  return only === "object" && !cx.model.fieldNames.has(memberName(member) ?? "") ? "stranger" : only;
}

/** The same variable, or the same field of the same kind of object. */
function isSamePlace(cx: JsContext, a: Node, b: Node): boolean {
  if (a.type !== b.type || isFunction(b)) return false;
  if (a.type === "Identifier") {
    const binding = bindingAt(cx, a);
    return binding !== null && bindingAt(cx, b) === binding;
  }
  return !a.computed && !b.computed && memberName(a) === memberName(b) && a.object.type === b.object.type;
}
