import type { SourceRange } from "../../../base/sourceRange.ts";
import { constant, negate, zero } from "../../../ir/builder.ts";
import type { BinaryOperator, ComparisonOperator, Expression } from "../../../ir/expression.ts";
import type { IntType, PointerType } from "../../../ir/type.ts";
import type { BinaryOperatorText } from "../ast.ts";
import { commonType, promote } from "../types/arithmeticConversions.ts";
import { isArithmetic, isInteger } from "../types/cType.ts";
import { offsetPointer } from "./address.ts";
import { type Context, inputError } from "./context.ts";
import { convert, fitPrecision } from "./convert.ts";
import { productOf, sizeOfType } from "./sizes.ts";

export type ValueOperator = Exclude<BinaryOperatorText, "&&" | "||">;

const comparisons: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);

/** A binary operator on two evaluated operands, with the conversions that C prescribes. */
export function applyBinary(
  cx: Context,
  operator: ValueOperator,
  left: Expression,
  right: Expression,
  range: SourceRange,
): Expression {
  const { types } = cx.unit;
  if (comparisons.has(operator)) return compare(cx, operator as ComparisonOperator, left, right, range);
  const a = left.type;
  const b = right.type;
  if (operator === "+" || operator === "-") {
    if (a.kind === "pointer" && b.kind === "pointer" && operator === "-") return difference(cx, left, right, range);
    if (a.kind === "pointer" && isInteger(b)) return movePointer(cx, left, right, operator, range);
    if (b.kind === "pointer" && isInteger(a) && operator === "+") return movePointer(cx, right, left, "+", range);
  }
  if (!isArithmetic(a) || !isArithmetic(b)) return wrongOperands(operator, range);
  if (operator === "<<" || operator === ">>") {
    if (!isInteger(a) || !isInteger(b)) return wrongOperands(operator, range);
    const type = promote(a, types);
    const shifted = convert(left, type, types.pointerBytes);
    const by = convert(right, promote(b, types), types.pointerBytes);
    return fitPrecision({ kind: "binary", operator, type, left: shifted, right: by });
  }
  const type = commonType(a, b, types);
  if (type.kind === "float" && !["+", "-", "*", "/"].includes(operator)) return wrongOperands(operator, range);
  return fitPrecision({
    kind: "binary",
    operator: operator as BinaryOperator,
    type,
    left: convert(left, type, types.pointerBytes),
    right: convert(right, type, types.pointerBytes),
  });
}

function wrongOperands(operator: string, range: SourceRange): never {
  return inputError("TF160", `operator ${operator} cannot be applied to operands of these types`, range);
}

function compare(
  cx: Context,
  operator: ComparisonOperator,
  left: Expression,
  right: Expression,
  range: SourceRange,
): Expression {
  const { types } = cx.unit;
  let type: Expression["type"];
  if (left.type.kind === "pointer" || right.type.kind === "pointer") {
    if (left.type.kind === "float" || right.type.kind === "float") return wrongOperands(operator, range);
    type = left.type.kind === "pointer" ? left.type : right.type;
  } else type = commonType(left.type, right.type, types);
  return {
    kind: "comparison",
    operator,
    type: types.int,
    left: convert(left, type, types.pointerBytes),
    right: convert(right, type, types.pointerBytes),
  };
}

/** `pointer ± index`. A subtracted index is negated in a type that holds its negation. */
function movePointer(
  cx: Context,
  pointer: Expression,
  index: Expression,
  operator: "+" | "-",
  range: SourceRange,
): Expression {
  const { types } = cx.unit;
  if (operator === "+") return offsetPointer(cx, pointer, index, false, range);
  return offsetPointer(cx, pointer, negate(convert(index, types.longLong, types.pointerBytes)), false, range);
}

function difference(cx: Context, left: Expression, right: Expression, range: SourceRange): Expression {
  const type: IntType = cx.unit.types.difference;
  const size = sizeOfType(cx, (left.type as PointerType).to, range);
  const parts = productOf(cx, size.factors, type);
  const distance: Expression = {
    kind: "pointerDifference",
    type,
    left,
    right,
    scale: Math.max(1, size.bytes),
  };
  return parts === null ? distance : { kind: "binary", operator: "/", type, left: distance, right: parts };
}

/** `!x`: 1 where x compares equal to zero. */
export function isZero(cx: Context, operand: Expression): Expression {
  const { types } = cx.unit;
  const left = isInteger(operand.type) ? convert(operand, promote(operand.type, types), types.pointerBytes) : operand;
  return { kind: "comparison", operator: "==", type: types.int, left, right: zero(left.type) };
}

/** The value of `++` or `--` before it is converted back to the place's type. */
export function step(cx: Context, operator: "++" | "--", value: Expression, range: SourceRange): Expression {
  return applyBinary(cx, operator === "++" ? "+" : "-", value, constant(cx.unit.types.int, 1n), range);
}
