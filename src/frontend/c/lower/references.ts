import { assertNever } from "../../../base/assertNever.ts";
import type { Expression } from "../../../ir/expression.ts";
import type { FunctionId, VariableId } from "../../../ir/ids.ts";
import type { Operation } from "../../../ir/operation.ts";

/** What edges mention, in order of first mention. */
export type References = { readonly variables: Set<VariableId>; readonly functions: Set<FunctionId> };

export function referencesOf(edges: readonly { readonly operation: Operation }[]): References {
  const references: References = { variables: new Set(), functions: new Set() };
  for (const { operation } of edges) visitOperation(operation, references);
  return references;
}

function visitOperation(o: Operation, references: References): void {
  const target = (id: VariableId | null) => {
    if (id !== null) references.variables.add(id);
  };
  switch (o.kind) {
    case "assign":
      target(o.target);
      return visit(o.value, references);
    case "store":
      visit(o.address, references);
      return visit(o.value, references);
    case "copy":
      visit(o.to, references);
      return visit(o.from, references);
    case "assume":
      return visit(o.condition, references);
    case "case":
      return visit(o.selector, references);
    case "declare":
      target(o.variable);
      if (o.variableLength !== undefined) visit(o.variableLength.length, references);
      return;
    case "input":
      return target(o.target);
    case "call":
      if (o.callee.kind === "direct") references.functions.add(o.callee.function);
      else visit(o.callee.pointer, references);
      for (const argument of o.arguments) visit(argument, references);
      return target(o.target);
    case "callLibrary":
      for (const argument of o.arguments) visit(argument, references);
      return target(o.target);
    case "return":
      if (o.value !== null) visit(o.value, references);
      return;
    case "fail":
      if (o.code !== null) visit(o.code, references);
      return;
    case "skip":
      return;
    default:
      return assertNever(o, "operation");
  }
}

function visit(e: Expression, references: References): void {
  switch (e.kind) {
    case "constant":
      return;
    case "variable":
      references.variables.add(e.variable);
      return;
    case "addressOf":
      if (e.object.kind === "variable") references.variables.add(e.object.variable);
      else references.functions.add(e.object.function);
      return;
    case "load":
      return visit(e.address, references);
    case "offset":
      visit(e.pointer, references);
      return visit(e.index, references);
    case "fieldAddress":
      return visit(e.pointer, references);
    case "unary":
    case "convert":
      return visit(e.operand, references);
    case "binary":
    case "comparison":
    case "pointerDifference":
      visit(e.left, references);
      return visit(e.right, references);
    default:
      return assertNever(e, "expression");
  }
}
