import type { BinaryOperator, Comparison } from "../../../ir/expression.ts";
import type { IntType } from "../../../ir/type.ts";
import { children, isFunction, type Node, withoutTypes } from "../../../recorder/syntax.ts";
import { emit, fallInto, jump, newLocation } from "../../c/lower/graph.ts";
import type { Tag } from "../concrete.ts";
import { numberType, special } from "../encoding.ts";
import { lowerAssignment, lowerUpdate } from "./assignment.ts";
import { lowerCall } from "./call.ts";
import {
  type Context,
  held,
  newTemporary,
  placed,
  rangeAt,
  read,
  reprAt,
  tagsAt,
  type Value,
  wasExecuted,
} from "./context.ts";
import { lowerLiteralObject } from "./literals.ts";
import { lowerMember } from "./member.ts";
import { branch, opaque, unrecorded } from "./opaque.ts";
import { aligned, asRepr, binary, compare, constantOf, convertTo, double, int, truthOf } from "./values.ts";
import { readVariable, selfValue } from "./variables.ts";

/** The value of an expression. Operands that later ones might change are held first. */
export function lower(cx: Context, node: Node): Value {
  const value = lowerPlain(cx, node);
  return cx.model.nodeOf.has(value.expr) ? value : placed(cx, node, value);
}

/** One function: a case for each kind of expression. */
function lowerPlain(cx: Context, node: Node): Value {
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
      return node.expressions.map((each) => lower(cx, each)).at(-1)!;
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

/** What the parts of a node are worth, where only that they matter is known. */
export function operandsBelow(cx: Context, node: Node): readonly Value[] {
  if (node.type === "ChainExpression") return chainOperands(cx, node);
  return children(node).flatMap((child) => {
    if (isFunction(child) || !isExpression(child)) return [];
    const part = child.type === "SpreadElement" ? child.argument! : child;
    if (!wasExecuted(cx, part) && part.type !== "Literal") return [];
    const value = lower(cx, part);
    return [held(cx, part, value)];
  });
}

/** The head of an optional chain: what comes behind it was evaluated or not, which only the log knows. */
function chainOperands(cx: Context, node: Node): readonly Value[] {
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

function lowerLiteral(cx: Context, node: Node): Value {
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

const comparisons: Readonly<Record<string, Comparison["operator"]>> = {
  "===": "==",
  "!==": "!=",
  "==": "==",
  "!=": "!=",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
};

function lowerBinary(cx: Context, node: Node): Value {
  if (node.left.type === "PrivateIdentifier") return opaque(cx, node, [lower(cx, node.right)]);
  let left = lower(cx, node.left);
  if (mayAct(node.right)) left = held(cx, node.left, left);
  const right = lower(cx, node.right);
  if (cx.model.demoted.has(node) || node.operator === "in" || node.operator === "instanceof")
    return opaque(cx, node, [left, right]);
  return applyOperator(
    cx,
    node,
    node.operator,
    { value: left, tags: tagsAt(cx, node.left) },
    { value: right, tags: tagsAt(cx, node.right) },
  );
}

type Operand = { readonly value: Value; readonly tags: ReadonlySet<Tag> };

/** `a op b` as the language has it for values of these kinds; from the log where the model has no such operation. */
export function applyOperator(cx: Context, node: Node, operator: string, a: Operand, b: Operand): Value {
  const comparison = comparisons[operator];
  if (comparison !== undefined) return lowerComparison(cx, node, operator, comparison, a, b);
  const isNumeric = ({ value, tags }: Operand) =>
    value.repr === "int" || value.repr === "double" || (tags.size > 0 && [...tags].every((tag) => tag === "int"));
  if (!isNumeric(a) || !isNumeric(b)) return opaque(cx, node, [a.value, b.value]);
  const asInt = (value: Value) => (value.repr === "any" ? asRepr(cx.model, value, "int") : value);
  const [left, right] = [asInt(a.value), asInt(b.value)];
  const repr = reprAt(cx, node);
  if ("+-*".includes(operator) && operator.length === 1) {
    const [x, y] = aligned(cx.model, left, right);
    // Integers that grow too large go on as numbers with fractions.
    if (x.repr === "int" && repr === "double")
      return { repr, expr: arithmetic(operator, asRepr(cx.model, x, repr), asRepr(cx.model, y, repr)) };
    return { repr: x.repr, expr: arithmetic(operator, x, y) };
  }
  if (operator === "/") {
    const [x, y] = [asRepr(cx.model, left, "double"), asRepr(cx.model, right, "double")];
    const quotient: Value = { repr: "double", expr: arithmetic("/", x, y) };
    // A quotient that was always whole is a whole number wherever it goes.
    return repr === "int" ? asRepr(cx.model, quotient, "int") : quotient;
  }
  if (left.repr !== "int" || right.repr !== "int") return opaque(cx, node, [left, right]);
  if (operator === "%") return { repr: "int", expr: binary("%", left.expr, right.expr) };
  return lowerBitwise(cx, node, operator, left, right);
}

function arithmetic(operator: string, a: Value, b: Value) {
  return binary(operator as BinaryOperator, a.expr, b.expr);
}

const int32: IntType = { kind: "int", bits: 32, signed: true, name: "int32" };
const uint32: IntType = { kind: "int", bits: 32, signed: false, name: "uint32" };

/** Bitwise operators work on 32 bits. */
function lowerBitwise(cx: Context, node: Node, operator: string, left: Value, right: Value): Value {
  const shift = (type: IntType, way: "<<" | ">>") => {
    const count = binary("&", convertTo(uint32, right.expr), int(31, uint32));
    return convertTo(
      numberType,
      convertTo(operator === "<<" ? int32 : type, binary(way, convertTo(type, left.expr), count)),
    );
  };
  switch (operator) {
    case "&":
    case "|":
    case "^":
      return {
        repr: "int",
        expr: convertTo(numberType, binary(operator, convertTo(int32, left.expr), convertTo(int32, right.expr))),
      };
    case "<<":
      return { repr: "int", expr: shift(uint32, "<<") };
    case ">>":
      return { repr: "int", expr: shift(int32, ">>") };
    case ">>>":
      return { repr: "int", expr: shift(uint32, ">>") };
    default:
      return opaque(cx, node, [left, right]);
  }
}

function lowerComparison(
  cx: Context,
  node: Node,
  operator: string,
  comparison: Comparison["operator"],
  a: Operand,
  b: Operand,
): Value {
  const isEquality = comparison === "==" || comparison === "!=";
  const [x, y] = aligned(cx.model, a.value, b.value);
  const kinds = new Set([...a.tags, ...b.tags]);
  if (x.repr === "any" && !isEquality) {
    const only = (tag: Tag) => [...kinds].every((each) => each === tag);
    if (kinds.size === 0 || !(only("string") || only("int"))) return opaque(cx, node, [x, y]);
  }
  const nullish = operator.length === 2 && isEquality ? nullishOperand(a, b) : null;
  if (nullish !== null) {
    const value = asRepr(cx.model, nullish, "any");
    const { anyType } = cx.model.encoding;
    const isNull = compare("==", value.expr, int(special.null, anyType));
    const isUndefined = compare("==", value.expr, int(special.undefined, anyType));
    const either = binary("|", isNull, isUndefined);
    return { repr: "bool", expr: comparison === "==" ? either : compare("==", either, int(0)) };
  }
  return { repr: "bool", expr: compare(comparison, x.expr, y.expr) };
}

/** In `x == null`: x. */
function nullishOperand(a: Operand, b: Operand): Value | null {
  const isNullish = ({ value: { expr } }: Operand) =>
    expr.kind === "constant" && (expr.value === BigInt(special.null) || expr.value === BigInt(special.undefined));
  return isNullish(b) ? a.value : isNullish(a) ? b.value : null;
}

function lowerUnary(cx: Context, node: Node): Value {
  const operand = lower(cx, node.argument!);
  if (cx.model.demoted.has(node)) return opaque(cx, node, [operand]);
  const tags = tagsAt(cx, node.argument!);
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

function negated({ repr, expr }: Value): Value {
  const { value } = expr as { readonly value: bigint | number };
  return repr === "int" ? { repr, expr: int(-Number(value)) } : { repr, expr: double(-Number(value)) };
}

/** `a && b`, `a || b`, `a ?? b`, `c ? a : b`: whichever is evaluated is the value. */
function lowerChoice(cx: Context, node: Node): Value {
  const isLogical = node.type === "LogicalExpression";
  const repr = reprAt(cx, node);
  const range = rangeAt(cx, node);
  const result = newTemporary(cx, repr, range);
  const [yes, no, end] = [newLocation(cx), newLocation(cx), newLocation(cx)];
  const put = (value: Value, at: Node): void => {
    const converted = asRepr(cx.model, value, repr);
    emit(cx, { kind: "assign", target: result.id, value: converted.expr }, rangeAt(cx, at));
  };
  if (isLogical) {
    const left = held(cx, node.left, lower(cx, node.left));
    put(left, node.left);
    const { anyType } = cx.model.encoding;
    const goesOn =
      node.operator === "??"
        ? binary(
            "|",
            compare("==", asRepr(cx.model, left, "any").expr, int(special.null, anyType)),
            compare("==", asRepr(cx.model, left, "any").expr, int(special.undefined, anyType)),
          )
        : truthOf(cx.model, left, tagsAt(cx, node.left));
    if (node.operator === "||") branch(cx, goesOn, no, yes, "shortCircuit", node.left);
    else branch(cx, goesOn, yes, no, "shortCircuit", node.left);
    cx.here = yes;
    put(lower(cx, node.right), node.right);
    jump(cx, end, range);
    cx.here = no;
  } else {
    lowerCondition(cx, node.test!, yes, no, "conditional");
    cx.here = yes;
    put(lower(cx, node.consequent as Node), node.consequent as Node);
    jump(cx, end, range);
    cx.here = no;
    put(lower(cx, node.alternate!), node.alternate!);
  }
  fallInto(cx, end, range);
  const value: Value = placed(cx, node, { repr, expr: read(result) });
  return cx.model.demoted.has(node) ? opaque(cx, node, [value]) : value;
}

/** Branches on an expression: operands of `&&`, `||` and `!` one by one. */
export function lowerCondition(
  cx: Context,
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
    return lowerCondition(cx, node.argument!, no, yes, origin);
  const value = lower(cx, node);
  branch(cx, truthOf(cx.model, value, tagsAt(cx, node)), yes, no, origin, node);
}

/** A function of the project that waits returns, in the model, what it is resolved with. */
function lowerAwait(cx: Context, node: Node): Value {
  const argument = withoutTypes(node.argument!);
  const plan = cx.model.evidence.plans.get(argument);
  if (plan?.kind === "call" && [...plan.functions].every((fn) => fn.node.async) && !cx.model.demoted.has(node))
    return lowerCall(cx, argument, node);
  const operand = lower(cx, node.argument!);
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
      return true;
    default:
      return !isFunction(node) && children(node).some(mayAct);
  }
}
