import type { Expression } from "./expression.ts";
import type { VariableId } from "./ids.ts";
import type { Operation } from "./operation.ts";

/** Does the operation write the variable by name? What it may do through pointers is not looked at. */
export function writesVariable(operation: Operation, variable: VariableId): boolean {
  switch (operation.kind) {
    case "assign":
    case "input":
    case "call":
    case "callLibrary":
      return operation.target === variable;
    case "store": {
      const root = rootOfAddress(operation.address);
      return root.kind === "addressOf" && root.object.kind === "variable" && root.object.variable === variable;
    }
    default:
      return false;
  }
}

/** What an address is computed from: the object, or the pointer. */
export function rootOfAddress(address: Expression): Expression {
  let root = address;
  while (root.kind === "offset" || root.kind === "fieldAddress") root = root.pointer;
  return root;
}
