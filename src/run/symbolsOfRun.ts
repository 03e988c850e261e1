import { type Expression, expressionOperands } from "../ir/expression.ts";
import { type Operation, operationExpressions } from "../ir/operation.ts";
import type { Terms } from "../logic/terms.ts";
import { createSymbols, type Symbols } from "../symbolic/symbols.ts";
import type { Run } from "./run.ts";

/** With more floating-point operations on a run solvers do not answer in time: then only known numbers are computed with. */
const mostOperations = 100;

/** Longer runs are not looked at: what remains to be proved of them is about loops. */
const mostSteps = 20_000;

/** Names for the logic of a run. Whoever makes them again, as a checker does, gets the same. */
export function symbolsOfRun(run: Pick<Run, "program" | "steps" | "walk">, terms: Terms): Symbols {
  return createSymbols(run.program, terms, hasFewFloats(run));
}

function hasFewFloats({ program, steps, walk }: Pick<Run, "program" | "steps" | "walk">): boolean {
  if (steps > mostSteps) return false;
  const counts = new Map<Operation, number>();
  let total = 0;
  for (const cursor = walk(); cursor.next(); ) {
    const { operation } = program.functions[cursor.function]!.edges[cursor.edge]!;
    let count = counts.get(operation);
    if (count === undefined) {
      count = operationExpressions(operation).reduce((sum, expression) => sum + floatsIn(expression), 0);
      counts.set(operation, count);
    }
    total += count;
    if (total > mostOperations) return false;
  }
  return true;
}

function floatsIn(expression: Expression): number {
  const inner = expressionOperands(expression).reduce((sum, operand) => sum + floatsIn(operand), 0);
  const operands = [expression, ...expressionOperands(expression)];
  const computes = expression.kind === "binary" || expression.kind === "comparison" || expression.kind === "convert";
  return computes && operands.some(({ type }) => type.kind === "float") ? inner + 1 : inner;
}
