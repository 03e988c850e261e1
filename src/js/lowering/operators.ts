import type { BinaryOperator, Comparison } from "../../ir/expression.ts";
import type { IntType } from "../../ir/type.ts";
import type { Node } from "../recorder/syntax.ts";
import { numberType, special, type Tag } from "../replay/encoding.ts";
import type { JsContext, ModelValue } from "./context.ts";
import { lower, mayAct } from "./expression.ts";
import { held, opaque, reprAt, tagsAt } from "./opaque.ts";
import { aligned, asRepr, binary, compare, convertTo, int } from "./values.ts";

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

export function lowerBinary(cx: JsContext, node: Node): ModelValue {
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

type Operand = { readonly value: ModelValue; readonly tags: ReadonlySet<Tag> };

/** `a op b` as the language has it for values of these kinds; from the log where the model has no such operation. */
export function applyOperator(cx: JsContext, node: Node, operator: string, a: Operand, b: Operand): ModelValue {
  const comparison = comparisons[operator];
  if (comparison !== undefined) return lowerComparison(cx, node, operator, comparison, a, b);
  const isNumeric = ({ value, tags }: Operand) =>
    value.repr === "int" || value.repr === "double" || (tags.size > 0 && [...tags].every((tag) => tag === "int"));
  if (!isNumeric(a) || !isNumeric(b)) return opaque(cx, node, [a.value, b.value]);
  const asInt = (value: ModelValue) => (value.repr === "any" ? asRepr(cx.model, value, "int") : value);
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
    const quotient: ModelValue = { repr: "double", expr: arithmetic("/", x, y) };
    // A quotient that was always whole is a whole number wherever it goes.
    return repr === "int" ? asRepr(cx.model, quotient, "int") : quotient;
  }
  if (left.repr !== "int" || right.repr !== "int") return opaque(cx, node, [left, right]);
  if (operator === "%") return { repr: "int", expr: binary("%", left.expr, right.expr) };
  return lowerBitwise(cx, node, operator, left, right);
}

function arithmetic(operator: string, a: ModelValue, b: ModelValue) {
  return binary(operator as BinaryOperator, a.expr, b.expr);
}

const int32: IntType = { kind: "int", bits: 32, signed: true, name: "int32" };
const uint32: IntType = { kind: "int", bits: 32, signed: false, name: "uint32" };

/** Bitwise operators work on 32 bits. */
function lowerBitwise(cx: JsContext, node: Node, operator: string, left: ModelValue, right: ModelValue): ModelValue {
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
  cx: JsContext,
  node: Node,
  operator: string,
  comparison: Comparison["operator"],
  a: Operand,
  b: Operand,
): ModelValue {
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
    const either = binary("+", isNull, isUndefined);
    return { repr: "bool", expr: comparison === "==" ? either : compare("==", either, int(0)) };
  }
  return { repr: "bool", expr: compare(comparison, x.expr, y.expr) };
}

/** In `x == null`: x. */
function nullishOperand(a: Operand, b: Operand): ModelValue | null {
  const isNullish = ({ value: { expr } }: Operand) =>
    expr.kind === "constant" && (expr.value === BigInt(special.null) || expr.value === BigInt(special.undefined));
  return isNullish(b) ? a.value : isNullish(a) ? b.value : null;
}
