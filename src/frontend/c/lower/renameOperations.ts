import { assertNever } from "../../../base/assertNever.ts";
import type { Expression } from "../../../ir/expression.ts";
import { placedLike } from "../../../ir/expressionRange.ts";
import type { FunctionId, VariableId } from "../../../ir/ids.ts";
import type { Operation } from "../../../ir/operation.ts";

/** Replaces every id in operations. A condition or selector that sibling edges share stays shared. */
export type Renaming = {
  readonly variable: (id: VariableId) => VariableId;
  readonly function: (id: FunctionId) => FunctionId;
};

export function operationRenamer(renaming: Renaming): (operation: Operation) => Operation {
  const rename = (e: Expression): Expression => placedLike(renameParts(e, renaming, rename), e);
  let last: { readonly from: Expression; readonly to: Expression } | null = null;
  /** Siblings stand next to each other. */
  const renameShared = (e: Expression): Expression => {
    if (last?.from !== e) last = { from: e, to: rename(e) };
    return last.to;
  };
  return (operation) => {
    if (operation.kind === "assume") return { ...operation, condition: renameShared(operation.condition) };
    if (operation.kind === "case") return { ...operation, selector: renameShared(operation.selector) };
    return renameOperation(operation, renaming, rename);
  };
}

function renameParts(e: Expression, renaming: Renaming, rename: (e: Expression) => Expression): Expression {
  switch (e.kind) {
    case "constant":
      return e;
    case "variable":
      return { ...e, variable: renaming.variable(e.variable) };
    case "addressOf": {
      const { object } = e;
      return {
        ...e,
        object:
          object.kind === "variable"
            ? { kind: "variable", variable: renaming.variable(object.variable) }
            : { kind: "function", function: renaming.function(object.function) },
      };
    }
    case "load":
      return { ...e, address: rename(e.address) };
    case "offset":
      return { ...e, pointer: rename(e.pointer), index: rename(e.index) };
    case "fieldAddress":
      return { ...e, pointer: rename(e.pointer) };
    case "unary":
    case "convert":
      return { ...e, operand: rename(e.operand) };
    case "binary":
    case "comparison":
    case "pointerDifference":
      return { ...e, left: rename(e.left), right: rename(e.right) };
    default:
      return assertNever(e, "expression");
  }
}

function renameOperation(
  o: Exclude<Operation, { kind: "assume" | "case" }>,
  renaming: Renaming,
  rename: (e: Expression) => Expression,
): Operation {
  const target = (id: VariableId | null) => (id === null ? null : renaming.variable(id));
  switch (o.kind) {
    case "assign":
      return { ...o, target: renaming.variable(o.target), value: rename(o.value) };
    case "store":
      return { ...o, address: rename(o.address), value: rename(o.value) };
    case "copy":
      return { ...o, to: rename(o.to), from: rename(o.from) };
    case "declare": {
      const { variableLength } = o;
      const variable = renaming.variable(o.variable);
      if (variableLength === undefined) return { ...o, variable };
      return { ...o, variable, variableLength: { ...variableLength, length: rename(variableLength.length) } };
    }
    case "input":
      return { ...o, target: renaming.variable(o.target) };
    case "call": {
      const callee =
        o.callee.kind === "direct"
          ? ({ kind: "direct", function: renaming.function(o.callee.function) } as const)
          : ({ kind: "pointer", pointer: rename(o.callee.pointer) } as const);
      return { ...o, callee, arguments: o.arguments.map(rename), target: target(o.target) };
    }
    case "callLibrary":
      return { ...o, arguments: o.arguments.map(rename), target: target(o.target) };
    case "return":
      return o.value === null ? o : { ...o, value: rename(o.value) };
    case "fail":
      return o.code === null ? o : { ...o, code: rename(o.code) };
    case "skip":
      return o;
    default:
      return assertNever(o, "operation");
  }
}
