import { reachableFunctions } from "../ir/calls.ts";
import { type Expression, expressionOperands } from "../ir/expression.ts";
import { operationExpressions } from "../ir/operation.ts";
import type { Program, VariableId } from "../ir/program.ts";

/**
 * Variables that live as long as the program's entry function and whose address is kept somewhere: what a pointer may point to
 * that was there before a loop. Those that are only accessed by name are none of them.
 */
export function escapingVariables(program: Program): readonly VariableId[] {
  const found = new Set<VariableId>();
  const isLasting = (id: VariableId) =>
    program.variables[id]!.kind === "static" || program.functions[program.entry]!.locals.includes(id);
  /** `isAccess`: what is there is read or written, the address is not kept. */
  const visit = (expression: Expression, isAccess: boolean): void => {
    if (expression.kind === "addressOf") {
      const { object } = expression;
      if (isAccess || object.kind !== "variable") return;
      if (isLasting(object.variable) && program.variables[object.variable]!.literal === undefined) {
        found.add(object.variable);
      }
      return;
    }
    const isPlace = expression.kind === "offset" || expression.kind === "fieldAddress";
    for (const operand of expressionOperands(expression)) {
      const isRoot = isPlace && operand === expression.pointer;
      visit(operand, expression.kind === "load" || (isRoot && isAccess));
    }
  };
  for (const id of reachableFunctions(program)) {
    for (const { operation } of program.functions[id]!.edges) {
      const accessed: readonly Expression[] =
        operation.kind === "store"
          ? [operation.address]
          : operation.kind === "copy"
            ? [operation.to, operation.from]
            : [];
      for (const expression of operationExpressions(operation)) visit(expression, accessed.includes(expression));
    }
  }
  return [...found];
}
