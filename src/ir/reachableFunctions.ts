import type { Expression } from "./expression.ts";
import { expressionOperands } from "./expressionParts.ts";
import { operationExpressions } from "./operationParts.ts";
import type { Program } from "./program.ts";

/** Functions that a run from the program's entry or another one can reach: called, or with their address taken, in a function that it can reach. */
export function reachableFunctions(program: Program, entries: readonly number[] = []): ReadonlySet<number> {
  const reachable = new Set<number>();
  const work: number[] = [];
  const reach = (id: number) => {
    if (reachable.has(id)) return;
    reachable.add(id);
    work.push(id);
  };
  const scan = (expression: Expression): void => {
    if (expression.kind === "addressOf" && expression.object.kind === "function") reach(expression.object.function);
    for (const operand of expressionOperands(expression)) scan(operand);
  };
  reach(program.initializer);
  reach(program.entry);
  for (const entry of entries) reach(entry);
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    for (const { operation } of program.functions[id]!.edges) {
      if (operation.kind === "call" && operation.callee.kind === "direct") reach(operation.callee.function);
      for (const expression of operationExpressions(operation)) scan(expression);
    }
  }
  return reachable;
}
