import { type Expression, expressionOperands } from "../ir/expression.ts";
import { operationExpressions } from "../ir/operation.ts";
import type { Program, VariableId } from "../ir/program.ts";
import type { Type } from "../ir/type.ts";

const cache = new WeakMap<Program, Map<VariableId, Type | null>>();

/** What a block whose address a call leaves in the variable is an array of, as its first conversion says; null if none. */
export function blockElement(program: Program, target: VariableId): Type | null {
  let known = cache.get(program);
  if (known === undefined) {
    known = new Map();
    cache.set(program, known);
  }
  let element = known.get(target);
  if (element === undefined) {
    element = findElement(program, target);
    known.set(target, element);
  }
  return element;
}

function findElement(program: Program, target: VariableId): Type | null {
  const { type, function: owner } = program.variables[target]!;
  if (type.kind === "pointer" && isElement(type.to)) return type.to;
  if (owner === null) return null;
  let found: Type | null = null;
  const visit = (expression: Expression): void => {
    if (found !== null) return;
    if (expression.kind === "convert" && expression.type.kind === "pointer" && isElement(expression.type.to)) {
      const { operand } = expression;
      if (operand.kind === "variable" && operand.variable === target) found = expression.type.to;
    }
    expressionOperands(expression).forEach(visit);
  };
  for (const { operation } of program.functions[owner]!.edges) operationExpressions(operation).forEach(visit);
  return found;
}

function isElement(type: Type): boolean {
  return type.kind !== "void" && type.kind !== "function";
}
