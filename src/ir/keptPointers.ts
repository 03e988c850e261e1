import { nth } from "../base/checked.ts";
import { memoised } from "../base/memo.ts";
import { addressParts } from "./dataFlow.ts";
import { type Expression, expressionOperands } from "./expression.ts";
import { type Operation, operationExpressions } from "./operation.ts";
import type { Program, VariableId } from "./program.ts";

/**
 * The variables in memory to which a pointer may be kept beyond a call, and the parameters whose pointer the function may
 * keep. A pointer is not kept by a function that only accesses memory through it, compares it, or passes it on to such a
 * function.
 */
export const keptPointersOf = memoised((program: Program): ReadonlySet<VariableId> => {
  const kept = new Set(program.variables.filter(({ storage }) => storage === "memory").map(({ id }) => id));
  for (const { id, kind } of program.variables) if (kind !== "parameter") kept.delete(id);
  const keep = (id: VariableId): void => {
    kept.add(id);
  };
  // Until no parameter is added: each may make others kept that are passed on to it.
  for (let size = -1; size !== kept.size; ) {
    size = kept.size;
    for (const { edges } of program.functions)
      for (const { operation } of edges) visitKept(program, operation, kept, keep);
  }
  return kept;
});

function visitKept(
  program: Program,
  operation: Operation,
  kept: ReadonlySet<VariableId>,
  keep: (id: VariableId) => void,
): void {
  const value = (expression: Expression): void => {
    if (expression.kind === "addressOf") {
      if (expression.object.kind === "variable") keep(expression.object.variable);
    } else if (expression.kind === "variable") keep(expression.variable);
    else if (expression.kind === "load") used(expression.address);
    else if (expression.kind === "comparison" || expression.kind === "pointerDifference") {
      used(expression.left);
      used(expression.right);
    } else for (const operand of expressionOperands(expression)) value(operand);
  };
  /** A pointer that is not kept. */
  const used = (pointer: Expression): void => {
    const { root, terms } = addressParts(pointer);
    if (root.kind !== "addressOf" && root.kind !== "variable") value(root);
    for (const { index } of terms) value(index);
  };
  if (operation.kind === "store") {
    used(operation.address);
    value(operation.value);
  } else if (operation.kind === "copy") {
    used(operation.to);
    used(operation.from);
  } else if (operation.kind === "assign") {
    // `p = p + 1` gives the pointer to nobody else.
    const { root } = addressParts(operation.value);
    if (root.kind === "variable" && root.variable === operation.target) used(operation.value);
    else value(operation.value);
  } else if (operation.kind === "call" && operation.callee.kind === "direct") {
    const { parameters } = nth(program.functions, operation.callee.function);
    operation.arguments.forEach((argument, i) => {
      const parameter = parameters[i];
      if (parameter === undefined || kept.has(parameter)) value(argument);
      else used(argument);
    });
  } else for (const expression of operationExpressions(operation)) value(expression);
}
