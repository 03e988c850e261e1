import { controlFlowOf } from "../../ir/controlFlow.ts";
import { writesVariable } from "../../ir/dataFlow.ts";
import { type Expression, expressionOperands } from "../../ir/expression.ts";
import { operationExpressions } from "../../ir/operation.ts";
import type { Edge, Function, LocationId, VariableId } from "../../ir/program.ts";
import type { Variable } from "../../logic/term.ts";
import type { InlinedNode } from "../../symbolic/inlinedNode.ts";
import type { Symbols } from "../../symbolic/symbols.ts";

/** Is a place a register of the node's own function that is written before it is read again, or never read? */
export function isDeadAt(symbols: Symbols, node: InlinedNode, place: Variable): boolean {
  const cell = symbols.cellOf(place);
  if (cell?.kind !== "register") return false;
  const variable = symbols.program.variables[cell.variable]!;
  // Registers of functions that were left are gone, and those of callers are not changed here.
  if (variable.kind === "static" || cell.frame !== node.frame)
    return variable.kind !== "static" && cell.frame !== node.frame;
  return !isRead(node.function, node.location, cell.variable);
}

function isRead(fn: Function, from: LocationId, variable: VariableId): boolean {
  const { outgoing } = controlFlowOf(fn);
  const seen = new Set<LocationId>([from]);
  for (const location of seen) {
    for (const edge of outgoing[location]!) {
      if (reads(edge, variable)) return true;
      if (!overwrites(edge, variable)) seen.add(edge.to);
    }
  }
  return false;
}

function reads({ operation }: Edge, variable: VariableId): boolean {
  const occurs = (expression: Expression): boolean =>
    (expression.kind === "variable" && expression.variable === variable) || expressionOperands(expression).some(occurs);
  return operationExpressions(operation).some(occurs);
}

function overwrites({ operation }: Edge, variable: VariableId): boolean {
  return writesVariable(operation, variable) || (operation.kind === "declare" && operation.variable === variable);
}
