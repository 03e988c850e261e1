import { nth, present } from "../../base/checked.ts";
import type { LoggedCall, Recorded } from "../recorder/readLog.ts";
import { children, isFunction, type Node, withoutTypes } from "../recorder/syntax.ts";
import {
  applyBinary,
  applyUnary,
  type Concrete,
  isNullish,
  isPrimitive,
  objectOf,
  truth,
  unknownValue,
} from "../recorder/valueRules.ts";
import { addTo } from "./evidence.ts";
import { collectionOf, isMaker, memberName, methodName, mutators } from "./makers.ts";
import type { RecordedFunction } from "./recordedFile.ts";
import { assignment, noteCollection, noteEntry, update } from "./replayAssignment.ts";
import { identify, noteMade, noteReceiver, type ReplayFrame, record, type Taken, take } from "./replayFrame.ts";

/** The value of an expression, with the values of all of its parts noted. */
export function evaluate(frame: ReplayFrame, node: Node): Concrete {
  return record(frame, node, compute(frame, node));
}

/** A condition: the log has its truth where the expression itself is not in it. */
export function evaluateTest(frame: ReplayFrame, node: Node): boolean {
  const { values, tests } = frame.function.file.table;
  const value = evaluate(frame, node);
  const site = tests.get(node);
  if (site === undefined || values.has(node)) return truth(value) ?? false;
  const known = truth(take(frame, site, node).value) ?? false;
  // The log knows whether the test held even if the value is unknown.
  if (value === unknownValue) present(frame.replay.evidence.values.get(node)).splice(-1, 1, known);
  return known;
}

/** The next value of a node that is in the log, with the calls that made it followed as planned. */
export function logged(frame: ReplayFrame, node: Node): Taken | null {
  const site = frame.function.file.table.values.get(node);
  if (site === undefined) return null;
  const taken = take(frame, site, node);
  followCalls(frame, node, taken);
  return taken;
}

function followCalls(frame: ReplayFrame, node: Node, { calls, value }: Taken): void {
  const { evidence, functionOf } = frame.replay;
  addTo(evidence.throws, node, false);
  const plan = evidence.plans.get(node);
  const method = plan?.kind === "each" ? methodName(node) : null;
  if (method === "map" || method === "filter") noteMade(frame, value, node);
  if (plan?.kind === "call") {
    if (node.type === "NewExpression") noteMade(frame, value, node);
    addTo(evidence.callees, node, functionOf(nth(calls, 0))!);
  } else if (node.type === "NewExpression" && calls.length === 0) {
    if (isOwnClass(frame, node)) noteMade(frame, value, node);
    else if (collectionOf(node) !== null) noteCollection(frame, value, node);
  }
  if (plan?.kind === "each") {
    for (const call of calls) addTo(evidence.rounds, node, { value: elementOf(call, functionOf(call), method) });
    addTo(evidence.rounds, node, null);
    evidence.longestArray = Math.max(evidence.longestArray, calls.length);
  }
  if (plan === undefined) return;
  for (const call of calls) {
    const callee = functionOf(call);
    if (callee !== null && isCaughtLater(call, callee)) evidence.threw.add(callee);
    frame.replay.follow(call);
  }
}

/** A promise was rejected, which is no exception where the call stands, and the caller did not end with the same error. */
function isCaughtLater({ outcome, parent }: LoggedCall, callee: RecordedFunction): boolean {
  if (outcome.kind !== "threw" || callee.node.async !== true) return false;
  return parent === null || parent.outcome.kind !== "threw" || parent.outcome.error !== outcome.error;
}

/** The element that a callback was called for is its first parameter, or the one behind what was reduced so far. */
function elementOf(call: LoggedCall, fn: RecordedFunction | null, method: string | null): Concrete {
  const at = method === "reduce" ? 1 : 0;
  const [parameter] = fn?.node.params.slice(at, at + 1) ?? [];
  if (fn === null || parameter?.type !== "Identifier") return unknownValue;
  const site = fn.sites.params.find((each) => each.node === parameter);
  const item = call.items.find((each) => each.kind === "value" && each.site === site?.index);
  return item?.kind === "value" ? item.value : unknownValue;
}

function isOwnClass(frame: ReplayFrame, node: Node): boolean {
  return node.callee.type === "Identifier" && frame.replay.classOf(node.callee.name) !== null;
}

function compute(frame: ReplayFrame, node: Node): Concrete {
  switch (node.type) {
    case "Literal":
      return literal(frame, node);
    case "Identifier":
      return identifier(frame, node);
    case "ThisExpression":
      return logged(frame, node)?.value ?? frame.self;
    case "MemberExpression":
      return member(frame, node);
    case "ChainExpression":
      return chain(frame, node);
    case "CallExpression":
    case "NewExpression":
      return call(frame, node);
    case "AssignmentExpression":
      return assignment(frame, node);
    case "UpdateExpression":
      return update(frame, node);
    case "UnaryExpression":
      return unary(frame, node);
    case "AwaitExpression":
    case "YieldExpression":
      if (node.argument !== null) evaluate(frame, node.argument);
      return logged(frame, node)?.value;
    case "ArrayExpression":
    case "ObjectExpression":
      return made(frame, node);
    case "BinaryExpression": {
      const left = node.left.type === "PrivateIdentifier" ? unknownValue : evaluate(frame, node.left);
      const right = evaluate(frame, node.right);
      const taken = logged(frame, node);
      return taken === null ? applyBinary(node.operator, left, right) : taken.value;
    }
    case "LogicalExpression":
      return logical(frame, node);
    case "ConditionalExpression":
      return evaluate(
        frame,
        evaluateTest(frame, present(node.test)) ? (node.consequent as Node) : present(node.alternate),
      );
    case "SequenceExpression":
      return node.expressions.map((each) => evaluate(frame, each)).at(-1);
    case "TemplateLiteral":
      return template(frame, node);
    case "TaggedTemplateExpression":
      return tagged(frame, node);
    case "ClassExpression":
      evaluateClass(frame, node);
      return unknownValue;
    default:
      return other(frame, node);
  }
}

function other(frame: ReplayFrame, node: Node): Concrete {
  if (isFunction(node)) return unknownValue;
  if (withoutTypes(node) !== node) return evaluate(frame, withoutTypes(node));
  for (const child of children(node)) evaluate(frame, child);
  return logged(frame, node)?.value;
}

function literal(frame: ReplayFrame, node: Node): Concrete {
  if (node.regex !== undefined && node.regex !== null) return logged(frame, node)?.value;
  if (typeof node.bigint === "string") return BigInt(node.bigint);
  return node.value as unknown as Recorded;
}

function identifier(frame: ReplayFrame, node: Node): Concrete {
  const { table } = frame.function.file;
  const taken = logged(frame, node);
  const binding = table.bindingOf.get(node) ?? null;
  // The value of a name that was never assigned is unknown: it may be a function.
  if (taken === null)
    return binding === null ? undefined : frame.locals.has(binding) ? frame.locals.get(binding) : unknownValue;
  if (binding !== null && binding.owner === null) {
    const { evidence } = frame.replay;
    identify(evidence, evidence.globals.get(frame.replay.globalOf(binding)), taken.value);
  }
  return taken.value;
}

function member(frame: ReplayFrame, node: Node): Concrete {
  const isSuper = node.object.type === "Super";
  const receiver = isSuper ? frame.self : evaluate(frame, node.object);
  const key = node.computed ? evaluate(frame, node.property) : memberName(node);
  noteReceiver(frame, node, receiver);
  const taken = logged(frame, node);
  if (taken === null) return unknownValue;
  noteLength(frame, node, key, taken);
  notePart(frame, receiver, key, taken.value);
  return taken.value;
}

function noteLength(frame: ReplayFrame, node: Node, key: Concrete, { value, length }: Taken): void {
  const { evidence } = frame.replay;
  const known = length ?? (memberName(node) === "length" && key === "length" ? value : null);
  if (typeof known === "number") evidence.longestArray = Math.max(evidence.longestArray, known);
}

/** An object that is first seen where it was put by a literal was made by it. */
function notePart(frame: ReplayFrame, receiver: Concrete, key: Concrete, value: Recorded): void {
  const object = objectOf(receiver);
  if (object === null || (typeof key !== "string" && typeof key !== "number")) return;
  const { evidence } = frame.replay;
  identify(evidence, evidence.made.get(object)?.parts.get(key), value);
}

/** The parts of an optional chain that are always evaluated, as the recorder has them, then the whole. */
function chain(frame: ReplayFrame, node: Node): Concrete {
  const spine = (part: Node): boolean => {
    const at = withoutTypes(part);
    if (at.type !== "MemberExpression" && at.type !== "CallExpression") return false;
    const base = at.type === "MemberExpression" ? at.object : at.callee;
    if (spine(base)) return true;
    if (!at.optional) return false;
    const head = withoutTypes(base);
    if (at.type === "CallExpression" && head.type === "MemberExpression") {
      evaluate(frame, head.object);
      if (head.computed) evaluate(frame, head.property);
    } else if (at.type === "MemberExpression") evaluate(frame, base);
    return true;
  };
  spine(node.expression);
  return logged(frame, node)?.value;
}

function call(frame: ReplayFrame, node: Node): Concrete {
  const callee = withoutTypes(node.callee);
  let receiver: Concrete = unknownValue;
  if (node.type === "CallExpression") {
    if (callee.type === "MemberExpression") {
      receiver = callee.object.type === "Super" ? frame.self : evaluate(frame, callee.object);
      if (callee.computed) evaluate(frame, callee.property);
      noteReceiver(frame, node, receiver);
    } else if (callee.type !== "Identifier" && callee.type !== "Super") evaluate(frame, callee);
  }
  const passed = node.arguments.map((argument) =>
    argument.type === "SpreadElement" ? evaluate(frame, present(argument.argument)) : evaluate(frame, argument),
  );
  const taken = logged(frame, node);
  if (taken === null) return unknownValue;
  noteEffects(frame, node, receiver, passed, taken);
  return taken.value;
}

function noteEffects(
  frame: ReplayFrame,
  node: Node,
  receiver: Concrete,
  passed: readonly Concrete[],
  taken: Taken,
): void {
  const { evidence } = frame.replay;
  const method = node.type === "CallExpression" ? methodName(node) : null;
  if (method === null || evidence.plans.get(node)?.kind === "call") return;
  noteEntry(frame, method, receiver, passed, taken.value);
  const changed = objectOf(method === "assign" ? passed[0] : receiver);
  if (mutators.has(method) && changed !== null) evidence.tainted.add(changed);
  if (method === "push" && typeof taken.value === "number")
    evidence.longestArray = Math.max(evidence.longestArray, taken.value);
}

function unary(frame: ReplayFrame, node: Node): Concrete {
  const operand = withoutTypes(present(node.argument));
  if (node.operator === "delete") {
    if (operand.type === "MemberExpression") {
      evaluate(frame, operand.object);
      if (operand.computed) evaluate(frame, operand.property);
    }
    return logged(frame, node)?.value;
  }
  const taken = node.operator === "typeof" && operand.type === "Identifier" ? logged(frame, node) : null;
  if (taken !== null) return taken.value;
  return applyUnary(node.operator, evaluate(frame, present(node.argument)));
}

function made(frame: ReplayFrame, node: Node): Concrete {
  for (const child of children(node)) {
    if (child.type === "SpreadElement") evaluate(frame, present(child.argument));
    else if (child.type !== "Property") evaluate(frame, child);
    else {
      if (child.computed) evaluate(frame, child.key);
      if (!isFunction(child.value)) evaluate(frame, child.value);
    }
  }
  const taken = logged(frame, node);
  if (taken === null) return unknownValue;
  if (isMaker(node)) noteMade(frame, taken.value, node);
  if (node.type === "ArrayExpression") {
    const { evidence } = frame.replay;
    evidence.longestArray = Math.max(evidence.longestArray, node.elements.length);
  }
  return taken.value;
}

function logical(frame: ReplayFrame, node: Node): Concrete {
  const { values, tests } = frame.function.file.table;
  let left = evaluate(frame, node.left);
  const site = tests.get(node.left);
  if (site !== undefined && !values.has(node.left)) left = take(frame, site, node.left).value;
  const goesOn =
    node.operator === "&&" ? truth(left) === true : node.operator === "||" ? truth(left) !== true : isNullish(left);
  return goesOn ? evaluate(frame, node.right) : left;
}

function template(frame: ReplayFrame, node: Node): Concrete {
  const parts = node.expressions.map((each) => evaluate(frame, each));
  if (!parts.every(isPrimitive)) return unknownValue;
  return node.quasis
    .map((quasi, i) => `${quasi.value.cooked ?? ""}${i < parts.length ? String(parts[i]) : ""}`)
    .join("");
}

/** The array of texts is made by the language: a function that gets it is the first to show it. */
function tagged(frame: ReplayFrame, node: Node): Concrete {
  for (const each of node.quasi.expressions) evaluate(frame, each);
  const next = frame.call.items[frame.at];
  const callee = next?.kind === "call" ? next.call : null;
  record(frame, node.quasi, callee === null ? unknownValue : elementOf(callee, frame.replay.functionOf(callee), null));
  return logged(frame, node)?.value;
}

export function evaluateClass(frame: ReplayFrame, node: Node): void {
  if (node.superClass !== null) evaluate(frame, node.superClass);
  for (const each of node.body.body) if (each.computed) evaluate(frame, each.key);
}
