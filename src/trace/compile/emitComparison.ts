import type { Comparison } from "../../ir/expression.ts";
import { type FunctionContext, newSite } from "./context.ts";
import { emitExpression } from "./emitExpression.ts";
import { variedOperands } from "./emitVaried.ts";

/**
 * JavaScript of boolean value. Canonical values compare exactly, numbers with bigints included; floats compare as C's do.
 * Pointers are ordered only within one object.
 */
export function emitComparison(context: FunctionContext, expression: Comparison): string {
  return variedOperands(context, expression, () => emitUsual(context, expression), " !== 0");
}

function emitUsual(context: FunctionContext, expression: Comparison): string {
  const left = emitExpression(context, expression.left);
  const right = emitExpression(context, expression.right);
  const { operator } = expression;
  if (operator === "==") return `(${left} === ${right})`;
  if (operator === "!=") return `(${left} !== ${right})`;
  if (expression.left.type.kind === "pointer") {
    return `(comparePointers(${left}, ${right}, ${newSite(context, expression)}) ${operator} 0)`;
  }
  return `(${left} ${operator} ${right})`;
}
