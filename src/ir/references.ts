import { assertNever } from "../base/errors.ts";
import { type Expression, placedLike } from "./expression.ts";
import type { Operation } from "./operation.ts";
import type { FunctionId, VariableId } from "./program.ts";

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
