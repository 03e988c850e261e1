import { addressParts } from "../../ir/addressParts.ts";
import type { Expression } from "../../ir/expression.ts";
import { expressionOperands } from "../../ir/expressionParts.ts";
import { operationExpressions } from "../../ir/operationParts.ts";
import type { Function, Program, Variable } from "../../ir/program.ts";
import { sizeOf } from "../../ir/typeFacts.ts";
import { roundRoom } from "../memory/memory.ts";

/** A local variable or parameter that lives in memory. */
export type LocalObject = {
  readonly variable: Variable;
  /** null for a variable-length array, which is allocated where it is declared. */
  readonly size: number | null;
  /** Offset in the function's frame. */
  readonly offset: number;
  /** Can a pointer to it be kept? Then each time its declaration is reached it is a new object. */
  readonly escapes: boolean;
};

export type LocalObjects = { readonly objects: readonly LocalObject[]; readonly frameSize: number };

export function localObjectsOf(program: Program, fn: Function): LocalObjects {
  const objects: LocalObject[] = [];
  const escaping = escapingVariables(fn);
  let frameSize = 0;
  for (const id of [...fn.parameters, ...fn.locals]) {
    const variable = program.variables[id]!;
    if (variable.storage !== "memory" || variable.kind === "static") continue;
    const size = sizeOf(variable.type, program.pointerBytes);
    objects.push({ variable, size, offset: frameSize, escapes: escaping.has(id) });
    if (size !== null) frameSize += roundRoom(size);
  }
  return { objects, frameSize };
}

/** Variables whose address is used for more than accessing them at once. */
function escapingVariables(fn: Function): ReadonlySet<number> {
  const escaping = new Set<number>();
  const value = (expression: Expression): void => {
    if (expression.kind === "addressOf") {
      if (expression.object.kind === "variable") escaping.add(expression.object.variable);
    } else if (expression.kind === "load") place(expression.address);
    else for (const operand of expressionOperands(expression)) value(operand);
  };
  const place = (address: Expression): void => {
    const { root, terms } = addressParts(address);
    if (root.kind !== "addressOf") value(root);
    for (const { index } of terms) value(index);
  };
  for (const { operation } of fn.edges) {
    if (operation.kind === "store") {
      place(operation.address);
      value(operation.value);
    } else if (operation.kind === "copy") {
      place(operation.to);
      place(operation.from);
    } else for (const expression of operationExpressions(operation)) value(expression);
  }
  return escaping;
}
