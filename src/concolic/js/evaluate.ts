import { present } from "../../base/checked.ts";
import { isObject, type Recorded } from "../../js/recorder/readLog.ts";
import { type Node, withoutTypes } from "../../js/recorder/syntax.ts";
import { applyUnary, isPrimitive, truth, unknownValue } from "../../js/recorder/valueRules.ts";
import {
  binary,
  constant,
  type EntryExpr,
  element,
  field,
  foldBinary,
  free,
  fresh,
  isBoolean,
  negated,
  type Primitive,
  type ShadowValue,
  unary,
} from "../expr.ts";
import { assign, update } from "./assign.ts";
import { evaluateCall, evaluateNew, throughGetter } from "./calls.ts";
import { LostCall } from "./cursor.ts";
import { addCondition, bounded, type CallFrame, freshOpaque, longestTerm, readFree, sourceOf } from "./frame.ts";
import { elementName } from "./heap.ts";
import { className, lengthOf } from "./natives.ts";

/** The value of an expression, in the run and in terms. */
export function evaluate(frame: CallFrame, given: Node): ShadowValue {
  const node = withoutTypes(given);
  const value = evaluateNode(frame, node);
  return value.term.key.length <= longestTerm ? value : bounded(frame, value, () => sourceOf(frame, node));
}

function evaluateNode(frame: CallFrame, node: Node): ShadowValue {
  const { table, cursor } = frame;
  const site = table.values.get(node);
  switch (node.type) {
    case "Literal":
      if (site !== undefined) return logged(frame, node);
      return constantValue((node.bigint != null ? BigInt(node.bigint) : node.value) as unknown as Primitive);
    case "Identifier":
      return evaluateName(frame, node);
    case "ThisExpression":
      if (site === undefined) return frame.receiver;
      return thisValue(frame, cursor.take(site).value);
    case "MemberExpression":
      return evaluateMember(frame, node);
    case "ChainExpression":
      return evaluateChain(frame, node);
    case "CallExpression":
      if (site === undefined) throw new LostCall("a call that is no site");
      return evaluateCall(frame, node, site);
    case "NewExpression":
      if (site === undefined) throw new LostCall("a construction that is no site");
      return evaluateNew(frame, node, site);
    case "AssignmentExpression":
      return assign(frame, node);
    case "UpdateExpression":
      return update(frame, node);
    case "UnaryExpression":
      return evaluateUnary(frame, node);
    case "BinaryExpression": {
      const left = node.left.type === "PrivateIdentifier" ? null : evaluate(frame, node.left);
      const right = evaluate(frame, node.right);
      if (site === undefined && left !== null) return foldBinary(node.operator, left, right);
      const { value } = cursor.take(site!);
      const name = left === null ? freshOpaque(frame, node.left.name) : left.term;
      return { concrete: value, term: binary(node.operator, name, right.term) };
    }
    case "LogicalExpression":
      return evaluateLogical(frame, node);
    case "ConditionalExpression":
      return evaluate(frame, evaluateTest(frame, present(node.test)) ? node.consequent : present(node.alternate));
    case "SequenceExpression":
      return present(node.expressions.map((one) => evaluate(frame, one)).at(-1));
    case "TemplateLiteral":
      return evaluateTemplate(frame, node);
    case "ArrayExpression":
      return evaluateArray(frame, node);
    case "ObjectExpression":
      return evaluateObject(frame, node);
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return { concrete: unknownValue, term: freshOpaque(frame, "a function") };
    case "ClassExpression":
      evaluateClass(frame, node);
      return { concrete: unknownValue, term: freshOpaque(frame, "a class") };
    case "TaggedTemplateExpression":
      for (const one of node.quasi.expressions) evaluate(frame, one);
      return logged(frame, node);
    case "ImportExpression":
    case "MetaProperty":
      return logged(frame, node);
    case "AwaitExpression":
      return evaluateAwait(frame, node);
    default:
      throw new LostCall(`${node.type} is not followed`);
  }
}

function constantValue(value: Primitive): ShadowValue {
  return { concrete: value, term: constant(value) };
}

/** A value that only the log knows. */
function logged(frame: CallFrame, node: Node): ShadowValue {
  const site = frame.table.values.get(node);
  if (site === undefined) throw new LostCall(`${node.type} is no site`);
  const { value } = frame.cursor.take(site);
  return { concrete: value, term: freshOpaque(frame, sourceOf(frame, node)) };
}

/** Other code runs while the call waits: what is read for the first time later is no place of the entry state. */
function evaluateAwait(frame: CallFrame, node: Node): ShadowValue {
  const awaited = evaluate(frame, present(node.argument));
  const value = logged(frame, node);
  frame.hasWaited = true;
  frame.heap.wait();
  return isPrimitive(awaited.concrete) && awaited.concrete === value.concrete ? awaited : value;
}

function thisValue(frame: CallFrame, value: Recorded): ShadowValue {
  if (frame.fn.sites.kind === "arrow") return readFree(frame, "this", value);
  return { concrete: value, term: frame.receiver.term };
}

function evaluateName(frame: CallFrame, node: Node): ShadowValue {
  const site = frame.table.values.get(node);
  const binding = frame.table.bindingOf.get(node) ?? null;
  if (site === undefined) {
    if (node.name === "undefined") return constantValue(undefined);
    if (binding === null) return { concrete: unknownValue, term: free(node.name) };
    return frame.locals.get(binding) ?? { concrete: unknownValue, term: freshOpaque(frame, node.name) };
  }
  const { value } = frame.cursor.take(site);
  if (binding === null && (node.name === "NaN" || node.name === "Infinity")) return constantValue(value as number);
  if (binding === null || binding.owner !== frame.fn.sites.node) return readFree(frame, node.name, value);
  // A local that an inner function assigns: believed as long as it is what the log says.
  const known = frame.locals.get(binding);
  if (known !== undefined && known.concrete === value) return known;
  const now = { concrete: value, term: freshOpaque(frame, node.name) };
  frame.locals.set(binding, now);
  return now;
}

function evaluateMember(frame: CallFrame, node: Node): ShadowValue {
  const base = node.object.type === "Super" ? { ...frame.receiver } : evaluate(frame, node.object);
  const key = node.computed ? evaluate(frame, node.property) : null;
  const site = frame.table.values.get(node);
  if (site === undefined) return { concrete: unknownValue, term: freshOpaque(frame, sourceOf(frame, node)) };
  if (key === null) {
    const name = memberName(node);
    const getter = throughGetter(frame, base, name, node);
    const { value } = frame.cursor.take(site);
    if (getter !== null) return { concrete: value, term: getter };
    return frame.heap.read(base, name, field(base.term, name), value);
  }
  const item = frame.cursor.take(site);
  return elementAt(frame, base, key, node, item.value, item.length);
}

export function memberName(node: Node): string {
  return node.property.type === "PrivateIdentifier" ? `#${node.property.name}` : node.property.name;
}

/** `a[i]`: whether the index was inside of the array is a condition of the path, as in Pex (§4.2.1). */
export function elementAt(
  frame: CallFrame,
  base: ShadowValue,
  key: ShadowValue,
  node: Node,
  value: Recorded,
  length: number | null,
): ShadowValue {
  if (typeof key.concrete === "number" && length !== null) {
    addBounds(frame, base, key, node, length);
    return frame.heap.read(base, elementName(key.concrete), element(base.term, key.term), value);
  }
  if (typeof key.concrete === "string") {
    const place = key.term.kind === "const" ? field(base.term, key.concrete) : element(base.term, key.term);
    return frame.heap.read(base, key.concrete, place, value);
  }
  return { concrete: value, term: freshOpaque(frame, sourceOf(frame, node)) };
}

function addBounds(frame: CallFrame, base: ShadowValue, key: ShadowValue, node: Node, length: number): void {
  const index = key.concrete as number;
  const size = lengthOf(frame, base, length).term;
  if (index < 0) addCondition(frame, binary("<", key.term, constant(0)), node, "bounds");
  else if (index >= length) addCondition(frame, binary(">=", key.term, size), node, "bounds");
  else {
    if (key.term.kind !== "const") addCondition(frame, binary(">=", key.term, constant(0)), node.object, "bounds");
    addCondition(frame, binary("<", key.term, size), node, "bounds");
  }
}

/** `a?.b`: one event for the whole; what comes after the first `?.` is not in the log. */
function evaluateChain(frame: CallFrame, node: Node): ShadowValue {
  const site = frame.table.values.get(node);
  if (site === undefined) return { concrete: unknownValue, term: freshOpaque(frame, sourceOf(frame, node)) };
  const head = chainHead(node.expression);
  const base = head === null ? null : evaluateHead(frame, head);
  const { value } = frame.cursor.take(site);
  const only = withoutTypes(node.expression);
  const simple = base !== null && only === head && only.type === "MemberExpression" && !only.computed;
  if (base === null || !simple) return { concrete: value, term: freshOpaque(frame, sourceOf(frame, node)) };
  const missing = base.concrete === null || base.concrete === undefined;
  addCondition(frame, binary(missing ? "==" : "!=", base.term, constant(null)), node, "branch");
  if (missing) return constantValue(undefined);
  return frame.heap.read(base, memberName(only), field(base.term, memberName(only)), value);
}

/** The innermost part with `?.`. */
function chainHead(part: Node): Node | null {
  const at = withoutTypes(part);
  if (at.type !== "MemberExpression" && at.type !== "CallExpression") return null;
  const inner = chainHead(at.type === "MemberExpression" ? at.object : at.callee);
  return inner ?? (at.optional ? at : null);
}

function evaluateHead(frame: CallFrame, head: Node): ShadowValue | null {
  if (head.type === "MemberExpression") return evaluate(frame, head.object);
  const callee = withoutTypes(head.callee);
  if (callee.type === "MemberExpression") {
    evaluate(frame, callee.object);
    if (callee.computed) evaluate(frame, callee.property);
  }
  return null;
}

function evaluateUnary(frame: CallFrame, node: Node): ShadowValue {
  const site = frame.table.values.get(node);
  const operand = withoutTypes(present(node.argument));
  if (node.operator === "delete") {
    if (operand.type === "MemberExpression") {
      const base = evaluate(frame, operand.object);
      const key = operand.computed ? evaluate(frame, operand.property) : constantValue(memberName(operand));
      const { value } = frame.cursor.take(site!);
      if (value === true && isPrimitive(key.concrete))
        frame.heap.write(base, String(key.concrete), element(base.term, key.term), constantValue(undefined));
      return { concrete: value, term: constant(value as boolean) };
    }
    return logged(frame, node);
  }
  if (site !== undefined) return logged(frame, node);
  const value = evaluate(frame, present(node.argument));
  const concrete = applyUnary(node.operator, value.concrete);
  if (node.operator === "!") return { concrete, term: negated(value.term) };
  if (node.operator === "void") return constantValue(undefined);
  return { concrete, term: unary(node.operator, value.term) };
}

function evaluateLogical(frame: CallFrame, node: Node): ShadowValue {
  const left = evaluate(frame, node.left);
  const site = frame.table.tests.get(node.left);
  const own = site !== undefined && !frame.table.values.has(node.left);
  const concrete = own ? frame.cursor.take(site).value : left.concrete;
  if (concrete === unknownValue) throw new LostCall("an operand without a value");
  const value = { concrete, term: left.term };
  if (node.operator === "??") {
    const missing = concrete === null || concrete === undefined;
    addCondition(frame, binary(missing ? "==" : "!=", left.term, constant(null)), node.left, "branch");
    return missing ? evaluate(frame, node.right) : value;
  }
  const way = truth(concrete) === true;
  addCondition(frame, way ? left.term : negated(left.term), node.left, "branch");
  if (way === (node.operator === "&&")) return evaluate(frame, node.right);
  // The condition says which it was.
  return isBoolean(left.term) ? constantValue(way) : value;
}

/** A condition: which way the run went, from the log; the condition joins the path (§4.1). */
export function evaluateTest(frame: CallFrame, node: Node): boolean {
  const value = evaluate(frame, node);
  const inner = withoutTypes(node);
  const site = frame.table.tests.get(node) ?? frame.table.tests.get(inner);
  const own = site !== undefined && !frame.table.values.has(node);
  const recomputed = truth(value.concrete);
  const way = own ? frame.cursor.take(site).value === true : recomputed;
  if (way === null) throw new LostCall("a condition without a value");
  if (recomputed !== null && recomputed !== way) frame.wrongDecisions.count++;
  addCondition(frame, way ? value.term : negated(value.term), node, "branch");
  return way;
}

function evaluateTemplate(frame: CallFrame, node: Node): ShadowValue {
  let value: ShadowValue = constantValue(node.quasis[0]?.value.cooked ?? "");
  node.expressions.forEach((one, at) => {
    value = foldBinary("+", value, evaluate(frame, one));
    const text = node.quasis[at + 1]?.value.cooked ?? "";
    if (text !== "") value = foldBinary("+", value, constantValue(text));
  });
  return value;
}

function evaluateArray(frame: CallFrame, node: Node): ShadowValue {
  const values = node.elements.map((one): ShadowValue | null => {
    if (one === null) return constantValue(undefined);
    if (one.type !== "SpreadElement") return evaluate(frame, one);
    evaluate(frame, present(one.argument));
    return null;
  });
  const array = made(frame, node);
  if (values.includes(null)) return array;
  values.forEach((value, at) => {
    frame.heap.write(array, elementName(at), element(array.term, constant(at)), value!);
  });
  frame.heap.write(array, "length", field(array.term, "length"), constantValue(values.length));
  return array;
}

function evaluateObject(frame: CallFrame, node: Node): ShadowValue {
  const cells: { readonly name: string; readonly value: ShadowValue }[] = [];
  for (const property of node.properties) {
    if (property.type === "SpreadElement") {
      evaluate(frame, present(property.argument));
      continue;
    }
    const key = property.computed ? evaluate(frame, property.key).concrete : propertyName(property);
    if (property.kind !== "init" || property.method) continue;
    const value = evaluate(frame, property.value);
    if (isPrimitive(key)) cells.push({ name: String(key), value });
  }
  const object = made(frame, node);
  for (const { name, value } of cells) frame.heap.write(object, name, field(object.term, name), value);
  return object;
}

function propertyName(property: Node): string {
  return property.key.type === "Identifier" ? property.key.name : String(property.key.value);
}

function made(frame: CallFrame, node: Node): ShadowValue {
  const site = frame.table.values.get(node);
  if (site === undefined) return { concrete: unknownValue, term: freshOpaque(frame, sourceOf(frame, node)) };
  const { value } = frame.cursor.take(site);
  const term: EntryExpr = fresh(frame.fresh++, className(value) ?? "Object", sourceOf(frame, node));
  if (isObject(value)) frame.heap.markFresh(value, term);
  return { concrete: value, term };
}

export function evaluateClass(frame: CallFrame, node: Node): void {
  if (node.superClass !== null) evaluate(frame, node.superClass);
  for (const member of node.body.body) if (member.computed) evaluate(frame, member.key);
}
