import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import { type Expression, expressionOperands } from "../../ir/expression.ts";
import { type Operation, operationExpressions, type UndefinedBehaviour } from "../../ir/operation.ts";

/** The parts of an undefined operation that made it so, which is what there is to ask about. */
export function trapOperands(graph: DependenceGraph, step: number, problem: UndefinedBehaviour): readonly Expression[] {
  const { operation } = graph.edge(step);
  const culprit = operationExpressions(operation)
    .map((expression) => firstUndefined(graph, step, expression))
    .find((found) => found !== null);
  // A variable without a value has none to show, and neither has what is made of it.
  if (culprit == null && problem === "uninitialised-read") return [];
  const parts = culprit == null ? partsOfOperation(operation, problem) : partsOf(culprit, problem);
  return parts.length > 0 ? parts : operationExpressions(operation);
}

/** The innermost expression without a value whose parts all have one. */
function firstUndefined(graph: DependenceGraph, step: number, expression: Expression): Expression | null {
  for (const operand of expressionOperands(expression)) {
    const inner = firstUndefined(graph, step, operand);
    if (inner !== null) return inner;
  }
  return graph.valueOf(step, expression) === undefined ? expression : null;
}

function partsOf(culprit: Expression, problem: UndefinedBehaviour): readonly Expression[] {
  switch (culprit.kind) {
    case "load":
      return problem === "uninitialised-read" ? [culprit] : accessParts(culprit.address, problem);
    case "binary":
      if (problem === "division-by-zero") return [culprit.right];
      return problem === "bad-shift" ? [culprit.right, culprit.left] : [culprit.left, culprit.right];
    case "offset":
      return [culprit.index, culprit.pointer];
    case "comparison":
    case "pointerDifference":
      return [culprit.left, culprit.right];
    case "unary":
    case "convert":
      return [culprit.operand];
    default:
      return [culprit];
  }
}

/** All parts had values: the access itself, the call or the copy is what was undefined. */
function partsOfOperation(operation: Operation, problem: UndefinedBehaviour): readonly Expression[] {
  switch (operation.kind) {
    case "store":
      return accessParts(operation.address, problem);
    case "copy":
      return [operation.to, operation.from];
    case "call":
      return operation.callee.kind === "pointer" ? [operation.callee.pointer] : operation.arguments;
    default:
      return operationExpressions(operation);
  }
}

/** Which pointer it was, or, where it went outside of its object, how far. */
function accessParts(address: Expression, problem: UndefinedBehaviour): readonly Expression[] {
  const isOutside = problem === "out-of-bounds-read" || problem === "out-of-bounds-write";
  if (isOutside && address.kind === "offset") return [address.index, address.pointer];
  switch (address.kind) {
    case "offset":
    case "fieldAddress":
      return accessParts(address.pointer, problem);
    case "convert":
      return accessParts(address.operand, problem);
    default:
      return [address];
  }
}
