import { nth } from "../../base/checked.ts";
import { assertNever } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { insertAt, type Mark, read } from "../../ir/builder.ts";
import type { Expression } from "../../ir/expression.ts";
import type { Operation } from "../../ir/operation.ts";
import type { VariableId } from "../../ir/program.ts";
import { type LibraryFunction, libraryFunction, mayWrite } from "../library/table.ts";
import { type Context, newTemporary, type UnitContext } from "./context.ts";

/**
 * An operand that was evaluated at `at` is used only now. If something emitted since then may have changed what it
 * reads, its value is saved to a temporary back there; otherwise it can be evaluated where it is used.
 */
export function keepValue(cx: Context, at: Mark, operand: Expression, range: SourceRange): Expression {
  const edges = cx.graph.edges;
  if (at.edges === edges.length) return operand;
  const reads = readsOf(operand);
  if (reads.variables.size === 0 && reads.loads.length === 0) return operand;
  for (let i = at.edges; i < edges.length; i++) {
    if (!changes(cx.unit, nth(edges, i).operation, reads)) continue;
    const temporary = newTemporary(cx, operand.type, range);
    insertAt(cx, at, { kind: "assign", target: temporary.id, value: operand }, range);
    return read(temporary);
  }
  return operand;
}

type Reads = {
  readonly variables: Set<VariableId>;
  /** The object that a load reads from, or null where only a pointer says. */
  readonly loads: (VariableId | null)[];
};

function readsOf(expression: Expression): Reads {
  const reads: Reads = { variables: new Set(), loads: [] };
  collect(expression, reads);
  return reads;
}

function collect(expression: Expression, reads: Reads): void {
  switch (expression.kind) {
    case "constant":
    case "addressOf":
      return;
    case "variable":
      reads.variables.add(expression.variable);
      return;
    case "load":
      reads.loads.push(rootOf(expression.address));
      return collect(expression.address, reads);
    case "offset":
      collect(expression.pointer, reads);
      return collect(expression.index, reads);
    case "fieldAddress":
      return collect(expression.pointer, reads);
    case "unary":
    case "convert":
      return collect(expression.operand, reads);
    case "binary":
    case "comparison":
    case "pointerDifference":
      collect(expression.left, reads);
      return collect(expression.right, reads);
    default:
      return assertNever(expression, "expression");
  }
}

/** The named object that an address lies in; null where it comes from a pointer's value. */
function rootOf(address: Expression): VariableId | null {
  switch (address.kind) {
    case "addressOf":
      return address.object.kind === "variable" ? address.object.variable : null;
    case "offset":
    case "fieldAddress":
      return rootOf(address.pointer);
    case "convert":
      return rootOf(address.operand);
    default:
      return null;
  }
}

function changedByLibrary(unit: UnitContext, known: LibraryFunction, reads: Reads): boolean {
  if (mayWrite(known)) return reads.loads.length > 0;
  const readsErrno = reads.loads.some((loaded) => loaded !== null && nth(unit.variables, loaded).role === "errno");
  return readsErrno && Object.keys(known.errno).length > 0;
}

function changes(unit: UnitContext, operation: Operation, reads: Reads): boolean {
  const register = (target: VariableId | null) => target !== null && reads.variables.has(target);
  const memory = (address: Expression) => {
    const written = rootOf(address);
    return reads.loads.some((loaded) => loaded === null || written === null || loaded === written);
  };
  switch (operation.kind) {
    case "assign":
    case "input":
      return register(operation.target);
    case "store":
      return memory(operation.address);
    case "copy":
      return memory(operation.to);
    case "declare":
      return reads.variables.has(operation.variable) || reads.loads.includes(operation.variable);
    case "call":
      if (reads.loads.length > 0 || register(operation.target)) return true;
      for (const id of reads.variables) if (nth(unit.variables, id).kind === "static") return true;
      return false;
    case "callLibrary":
      if (register(operation.target)) return true;
      return changedByLibrary(unit, libraryFunction(operation.name), reads);
    case "assume":
    case "case":
    case "return":
    case "fail":
    case "skip":
      return false;
    default:
      return assertNever(operation, "operation");
  }
}
