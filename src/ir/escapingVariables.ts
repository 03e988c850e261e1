import { addressParts } from "./addressParts.ts";
import type { Expression } from "./expression.ts";
import { expressionOperands } from "./expressionParts.ts";
import type { VariableId } from "./ids.ts";
import { operationExpressions } from "./operationParts.ts";
import type { Function } from "./program.ts";

/** Variables whose address is used for more than accessing them at once. */
export function escapingVariables(fn: Function): ReadonlySet<VariableId> {
  const escaping = new Set<VariableId>();
  const value = (expression: Expression): void => {
    if (expression.kind === "addressOf") {
      if (expression.object.kind === "variable") escaping.add(expression.object.variable);
    } else if (expression.kind === "load") place(expression.address);
    else for (const operand of expressionOperands(expression)) value(operand);
  };
  const place = (address: Expression): void => {
    const { root, terms } = addressParts(address);
    if (root.kind !== "addressOf") value(root);
    for (const { index } of terms) value(index);
  };
  for (const { operation } of fn.edges) {
    if (operation.kind === "store") {
      place(operation.address);
      value(operation.value);
    } else if (operation.kind === "copy") {
      place(operation.to);
      place(operation.from);
    } else for (const expression of operationExpressions(operation)) value(expression);
  }
  return escaping;
}
