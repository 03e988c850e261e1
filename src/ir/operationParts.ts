import { assertNever } from "../base/assertNever.ts";
import type { Expression } from "./expression.ts";
import type { Operation } from "./operation.ts";

/** The expressions that an operation evaluates, in order. */
export function operationExpressions(operation: Operation): readonly Expression[] {
  switch (operation.kind) {
    case "assign":
      return [operation.value];
    case "store":
      return [operation.address, operation.value];
    case "copy":
      return [operation.to, operation.from];
    case "assume":
      return [operation.condition];
    case "case":
      return [operation.selector];
    case "declare":
      return operation.variableLength === undefined ? [] : [operation.variableLength.length];
    case "call":
      return operation.callee.kind === "pointer"
        ? [operation.callee.pointer, ...operation.arguments]
        : operation.arguments;
    case "callLibrary":
      return operation.arguments;
    case "return":
      return operation.value === null ? [] : [operation.value];
    case "fail":
      return operation.code === null ? [] : [operation.code];
    case "input":
    case "skip":
      return [];
    default:
      return assertNever(operation, "operation");
  }
}
