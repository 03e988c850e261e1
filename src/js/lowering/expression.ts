import { present } from "../../base/checked.ts";
import { emit, fallInto, jump, newLocation } from "../../ir/builder.ts";
import { placedAt, spelledAs } from "../../ir/expression.ts";
import { children, isFunction, type Node, withoutTypes } from "../recorder/syntax.ts";
import { special } from "../replay/encoding.ts";
import { lowerAssignment, lowerUpdate } from "./assignment.ts";
import { lowerCall, lowerTagged } from "./call.ts";
import type { JsContext, ModelValue } from "./context.ts";
import { lowerLiteralObject } from "./literals.ts";
import { lowerMember } from "./member.ts";
import { branch, held, opaque, placed, rangeAt, reprAt, tagsAt, unrecorded, wasExecuted } from "./opaque.ts";
import { lowerBinary } from "./operators.ts";
import { asRepr, binary, compare, constantOf, double, int, truthOf } from "./values.ts";
import { newTemporary, read, readVariable, selfValue } from "./variables.ts";

/** The value of an expression. Operands that later ones might change are held first. */
export function lower(cx: JsContext, node: Node): ModelValue {
  const value = lowerPlain(cx, node);
  return cx.model.nodeOf.has(value.expr) ? value : placed(cx, node, value);
}

function lowerPlain(cx: JsContext, node: Node): ModelValue {
  switch (node.type) {
    case "Literal":
      return lowerLiteral(cx, node);
    case "Identifier":
      return node.name === "undefined" ? constantOf(cx.model, special.undefined) : readVariable(cx, node);
    case "ThisExpression":
      return selfValue(cx, node);
    case "MemberExpression":
      return lowerMember(cx, node);
    case "CallExpression":
    case "NewExpression":
      return lowerCall(cx, node);
    case "TaggedTemplateExpression":
      return lowerTagged(cx, node);
    case "AssignmentExpression":
      return lowerAssignment(cx, node);
    case "UpdateExpression":
      return lowerUpdate(cx, node);
    case "UnaryExpression":
      return lowerUnary(cx, node);
    case "BinaryExpression":
      return lowerBinary(cx, node);
    case "LogicalExpression":
    case "ConditionalExpression":
      return lowerChoice(cx, node);
    case "SequenceExpression":
      return present(node.expressions.map((each) => lower(cx, each)).at(-1));
    case "ArrayExpression":
    case "ObjectExpression":
      return lowerLiteralObject(cx, node);
    case "AwaitExpression":
      return lowerAwait(cx, node);
    default:
      if (isFunction(node) || node.type === "ClassExpression") return constantOf(cx.model, special.function);
      if (withoutTypes(node) !== node) return lower(cx, withoutTypes(node));
      return opaque(cx, node, operandsBelow(cx, node));
  }
}

/** The values of the parts of a node that the model does not compute. */
export function operandsBelow(cx: JsContext, node: Node): readonly ModelValue[] {
  if (node.type === "ChainExpression") return chainOperands(cx, node);
  return children(node).flatMap((child) => {
    if (isFunction(child) || !isExpression(child)) return [];
    const part = child.type === "SpreadElement" ? present(child.argument) : child;
    if (!wasExecuted(cx, part) && part.type !== "Literal") return [];
    const value = lower(cx, part);
    return [held(cx, part, value)];
  });
}

/** The head of an optional chain: what comes behind it was evaluated or not, which only the log knows. */
function chainOperands(cx: JsContext, node: Node): readonly ModelValue[] {
  let head: Node = node.expression as Node;
  while (head.type === "MemberExpression" || head.type === "CallExpression" || withoutTypes(head) !== head) {
    const inner = withoutTypes(head);
    head = inner.type === "MemberExpression" ? inner.object : inner.type === "CallExpression" ? inner.callee : inner;
    if (wasExecuted(cx, head)) return [held(cx, head, lower(cx, head))];
  }
  return [];
}

function isExpression(node: Node): boolean {
  return /Expression$|^Identifier$|Literal$|^SpreadElement$/.test(node.type);
}

function lowerLiteral(cx: JsContext, node: Node): ModelValue {
  const value = node.value as unknown;
  if (node.regex != null || typeof node.bigint === "string") return opaque(cx, node, []);
  switch (typeof value) {
    case "number":
      return Number.isInteger(value) && Math.abs(value) < 2 ** 50
        ? { repr: "int", expr: int(value) }
        : { repr: "double", expr: double(value) };
    case "boolean":
      return { repr: "bool", expr: int(value ? 1 : 0) };
    case "string": {
      const number = Number(cx.model.encoding.encode(value, "any"));
      return constantOf(cx.model, number);
    }
    default:
      return constantOf(cx.model, special.null);
  }
}

function lowerUnary(cx: JsContext, node: Node): ModelValue {
  const operand = lower(cx, present(node.argument));
  if (cx.model.demoted.has(node)) return opaque(cx, node, [operand]);
  const tags = tagsAt(cx, present(node.argument));
  switch (node.operator) {
    case "!":
      return {
        repr: "bool",
        expr: compare("==", truthOf(cx.model, operand, tags), operand.repr === "double" ? double(0) : int(0)),
      };
    case "-":
      if (operand.repr === "int" || operand.repr === "double") {
        if (operand.expr.kind === "constant") return negated(operand);
        return {
          repr: operand.repr,
          expr: { kind: "unary", operator: "negate", type: operand.expr.type, operand: operand.expr },
        };
      }
      return opaque(cx, node, [operand]);
    case "+":
      return operand.repr === "int" || operand.repr === "double" ? operand : opaque(cx, node, [operand]);
    case "void":
      return constantOf(cx.model, special.undefined);
    default:
      return opaque(cx, node, [operand]);
  }
}

function negated({ repr, expr }: ModelValue): ModelValue {
  const { value } = expr as { readonly value: bigint | number };
  return repr === "int" ? { repr, expr: int(-Number(value)) } : { repr, expr: double(-Number(value)) };
}

/** `a && b`, `a || b`, `a ?? b`, `c ? a : b`: whichever is evaluated is the value. */
function lowerChoice(cx: JsContext, node: Node): ModelValue {
  const isLogical = node.type === "LogicalExpression";
  const repr = reprAt(cx, node);
  const range = rangeAt(cx, node);
  const result = newTemporary(cx, repr, range);
  const [yes, no, end] = [newLocation(cx), newLocation(cx), newLocation(cx)];
  const put = (value: ModelValue, at: Node): void => {
    const converted = asRepr(cx.model, value, repr);
    emit(cx, { kind: "assign", target: result.id, value: converted.expr }, rangeAt(cx, at));
  };
  if (isLogical) {
    const left = held(cx, node.left, lower(cx, node.left));
    put(left, node.left);
    const goesOn =
      node.operator === "??" ? isNothing(cx, node.left, left) : truthOf(cx.model, left, tagsAt(cx, node.left));
    if (node.operator === "||") branch(cx, goesOn, no, yes, "shortCircuit", node.left);
    else branch(cx, goesOn, yes, no, "shortCircuit", node.left);
    cx.here = yes;
    put(lower(cx, node.right), node.right);
    jump(cx, end, range);
    cx.here = no;
  } else {
    lowerCondition(cx, present(node.test), yes, no, "conditional");
    cx.here = yes;
    put(lower(cx, node.consequent as Node), node.consequent as Node);
    jump(cx, end, range);
    cx.here = no;
    put(lower(cx, present(node.alternate)), present(node.alternate));
  }
  fallInto(cx, end, range);
  const value: ModelValue = placed(cx, node, { repr, expr: read(result) });
  return cx.model.demoted.has(node) ? opaque(cx, node, [value]) : value;
}

/** `x == null` */
function isNothing(cx: JsContext, node: Node, value: ModelValue) {
  const { anyType } = cx.model.encoding;
  const { expr } = asRepr(cx.model, value, "any");
  const isNull = compare("==", expr, int(special.null, anyType));
  const either = binary("+", isNull, compare("==", expr, int(special.undefined, anyType)));
  return spelledAs(either, `${cx.function.file.text.slice(node.start, node.end).replace(/\s+/g, " ")} == null`);
}

/** Branches on an expression: operands of `&&`, `||` and `!` one by one. */
export function lowerCondition(
  cx: JsContext,
  given: Node,
  yes: number,
  no: number,
  origin: "branch" | "loop" | "conditional" | "assert",
): void {
  const node = withoutTypes(given);
  if (node.type === "LogicalExpression" && node.operator !== "??" && !cx.model.demoted.has(node)) {
    const middle = newLocation(cx);
    const inner = origin === "conditional" ? origin : origin === "assert" ? origin : "branch";
    if (node.operator === "&&") lowerCondition(cx, node.left, middle, no, inner);
    else lowerCondition(cx, node.left, yes, middle, inner);
    cx.here = middle;
    return lowerCondition(cx, node.right, yes, no, origin);
  }
  if (node.type === "UnaryExpression" && node.operator === "!" && !cx.model.demoted.has(node))
    return lowerCondition(cx, present(node.argument), no, yes, origin);
  const value = lower(cx, node);
  branch(cx, placedAt(truthOf(cx.model, value, tagsAt(cx, node)), rangeAt(cx, node)), yes, no, origin, node);
}

/** A function of the project that waits returns, in the model, what it is resolved with. */
function lowerAwait(cx: JsContext, node: Node): ModelValue {
  const argument = withoutTypes(present(node.argument));
  const plan = cx.model.evidence.plans.get(argument);
  if (plan?.kind === "call" && [...plan.functions].every((fn) => fn.node.async) && !cx.model.demoted.has(node))
    return lowerCall(cx, argument, node);
  const operand = lower(cx, present(node.argument));
  const same = reprAt(cx, node) === operand.repr && operand.repr !== "any";
  if (same && !cx.model.demoted.has(node)) return operand;
  return wasExecuted(cx, node) ? opaque(cx, node, [operand]) : unrecorded(cx, node);
}

/** Could evaluating it change what was evaluated before? */
export function mayAct(node: Node): boolean {
  switch (node.type) {
    case "Literal":
    case "Identifier":
    case "ThisExpression":
      return false;
    case "CallExpression":
    case "NewExpression":
    case "AssignmentExpression":
    case "UpdateExpression":
    case "AwaitExpression":
    case "TaggedTemplateExpression":
      return true;
    default:
      return !isFunction(node) && children(node).some(mayAct);
  }
}
