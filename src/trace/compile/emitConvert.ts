import { assertNever, Defect } from "../../base/errors.ts";
import type { Convert, Expression } from "../../ir/expression.ts";
import { integerShape } from "../../ir/scalarValue.ts";
import type { FloatType, IntType } from "../../ir/type.ts";
import { type FunctionContext, newSite } from "./context.ts";
import { wrapSmall } from "./emitArithmetic.ts";
import { emitComparison } from "./emitComparison.ts";
import { emitExpression } from "./emitExpression.ts";

export function emitConvert(context: FunctionContext, expression: Convert): string {
  const { type, operand } = expression;
  switch (type.kind) {
    case "bool":
      if (operand.kind === "comparison") return `(${emitComparison(context, operand)} ? 1 : 0)`;
      return operand.type.kind === "bool"
        ? emitExpression(context, operand)
        : `(${emitExpression(context, operand)} !== 0 ? 1 : 0)`;
    case "int":
      return toInteger(context, expression, type);
    case "float":
      return toFloat(context, operand, type);
    case "pointer":
      if (operand.type.kind === "pointer") return emitExpression(context, operand);
      if (operand.kind === "constant" && operand.value === 0n) return "0";
      return `integerToPointer(M, ${emitExpression(context, operand)}, ${newSite(context, expression)})`;
    default:
      return assertNever(type, "type");
  }
}

function toInteger(context: FunctionContext, expression: Convert, type: IntType): string {
  const { operand } = expression;
  const text = emitExpression(context, operand);
  switch (operand.type.kind) {
    case "int":
    case "bool":
      return integerToInteger(text, integerShape(operand.type), type);
    case "pointer":
      // With 64 bits the pointer itself, a number within the signed type; with 32 bits an unsigned address.
      return context.program.pointerBytes === 8
        ? integerToInteger(text, { bits: 64, signed: true }, type)
        : integerToInteger(`pointerToInteger(M, ${text})`, { bits: 32, signed: false }, type);
    case "float":
      return `floatToInt(${text}, ${type.bits}, ${type.signed}, ${newSite(context, expression)})`;
    default:
      return assertNever(operand.type, "type");
  }
}

type Shape = { readonly bits: number; readonly signed: boolean };

function integerToInteger(text: string, from: Shape, to: Shape): string {
  if (contains(to, from)) return text;
  if (to.bits > 32) return `toWide(${text}, ${to.bits}, ${to.signed})`;
  if (from.bits <= 32) return wrapSmall(to, text);
  return to.bits === 32 && to.signed ? `lowWord(${text})` : wrapSmall(to, `lowWord(${text})`);
}

/** Is every value of `inner` one of `outer`? */
function contains(outer: Shape, inner: Shape): boolean {
  if (outer.signed === inner.signed) return outer.bits >= inner.bits;
  return outer.signed && outer.bits > inner.bits;
}

function toFloat(context: FunctionContext, operand: Expression, type: FloatType): string {
  const text = emitExpression(context, operand);
  switch (operand.type.kind) {
    case "float":
      return type.bits === 32 && operand.type.bits === 64 ? `Math.fround(${text})` : text;
    case "int":
    case "bool":
      if (integerShape(operand.type).bits > 32) return `${type.bits === 32 ? "wideToFloat" : "wideToDouble"}(${text})`;
      return type.bits === 32 ? `Math.fround(${text})` : text;
    case "pointer":
      throw new Defect("a pointer cannot become a float");
    default:
      return assertNever(operand.type, "type");
  }
}
