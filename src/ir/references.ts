import { type Expression, mapOperands, placedLike } from "./expression.ts";
import { expressionsWithin, mapExpressions, type Operation } from "./operation.ts";
import type { FunctionId, VariableId } from "./program.ts";

/** What edges mention, in order of first mention. */
export type References = { readonly variables: Set<VariableId>; readonly functions: Set<FunctionId> };

export function referencesOf(edges: readonly { readonly operation: Operation }[]): References {
  const references: References = { variables: new Set(), functions: new Set() };
  const { variables, functions } = references;
  for (const { operation } of edges) {
    if (operation.kind === "call" && operation.callee.kind === "direct") functions.add(operation.callee.function);
    if (operation.kind === "declare") variables.add(operation.variable);
    if (operation.kind === "assign" || operation.kind === "input") variables.add(operation.target);
    for (const expression of expressionsWithin(operation)) {
      if (expression.kind === "variable") variables.add(expression.variable);
      if (expression.kind !== "addressOf") continue;
      if (expression.object.kind === "variable") variables.add(expression.object.variable);
      else functions.add(expression.object.function);
    }
    const isCall = operation.kind === "call" || operation.kind === "callLibrary";
    if (isCall && operation.target !== null) variables.add(operation.target);
  }
  return references;
}

/** Replaces every id in operations. A condition or selector that sibling edges share stays shared. */
export type Renaming = {
  readonly variable: (id: VariableId) => VariableId;
  readonly function: (id: FunctionId) => FunctionId;
};

export function operationRenamer(renaming: Renaming): (operation: Operation) => Operation {
  const rename = (expression: Expression): Expression => {
    const renamed = renameOwn(expression, renaming);
    return renamed === null ? mapOperands(expression, rename) : placedLike(renamed, expression);
  };
  let last: { readonly from: Expression; readonly to: Expression } | null = null;
  /** Siblings stand next to each other. */
  const renameShared = (expression: Expression): Expression => {
    if (last?.from !== expression) last = { from: expression, to: rename(expression) };
    return last.to;
  };
  return (operation) => {
    const isShared = operation.kind === "assume" || operation.kind === "case";
    return renameTargets(mapExpressions(operation, isShared ? renameShared : rename), renaming);
  };
}

/** Null where the expression itself has no id. */
function renameOwn(expression: Expression, renaming: Renaming): Expression | null {
  if (expression.kind === "variable") return { ...expression, variable: renaming.variable(expression.variable) };
  if (expression.kind !== "addressOf") return null;
  const { object } = expression;
  return {
    ...expression,
    object:
      object.kind === "variable"
        ? { kind: "variable", variable: renaming.variable(object.variable) }
        : { kind: "function", function: renaming.function(object.function) },
  };
}

function renameTargets(operation: Operation, renaming: Renaming): Operation {
  switch (operation.kind) {
    case "assign":
    case "input":
      return { ...operation, target: renaming.variable(operation.target) };
    case "declare":
      return { ...operation, variable: renaming.variable(operation.variable) };
    case "call":
    case "callLibrary": {
      const target = operation.target === null ? null : renaming.variable(operation.target);
      if (operation.kind === "callLibrary" || operation.callee.kind !== "direct") return { ...operation, target };
      return {
        ...operation,
        target,
        callee: { kind: "direct", function: renaming.function(operation.callee.function) },
      };
    }
    default:
      return operation;
  }
}
