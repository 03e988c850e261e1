import { assertNever } from "../base/assertNever.ts";
import type { Expression } from "./expression.ts";

/** The direct subexpressions. */
export function expressionOperands(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "constant":
    case "variable":
    case "addressOf":
      return [];
    case "load":
      return [expression.address];
    case "offset":
      return [expression.pointer, expression.index];
    case "fieldAddress":
      return [expression.pointer];
    case "unary":
    case "convert":
      return [expression.operand];
    case "binary":
    case "comparison":
    case "pointerDifference":
      return [expression.left, expression.right];
    default:
      return assertNever(expression, "expression");
  }
}

export function forEachVariableRead(expression: Expression, visit: (variable: number) => void): void {
  if (expression.kind === "variable") visit(expression.variable);
  else for (const operand of expressionOperands(expression)) forEachVariableRead(operand, visit);
}
