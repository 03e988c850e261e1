import { fitsSignature, signatureOf } from "../ir/calls.ts";
import { type Expression, expressionOperands } from "../ir/expression.ts";
import { operationExpressions } from "../ir/operation.ts";
import type { Function, FunctionId, Program } from "../ir/program.ts";
import type { ScalarType } from "../ir/type.ts";
import type { CallEdge } from "./inlinedNode.ts";

/**
 * The functions that a call may enter: for one through a pointer, all whose address the program takes and that fit. A call
 * of anything else ends the run as undefined, so the list is complete.
 */
export function calleesOf(program: Program, edge: CallEdge): readonly Function[] {
  const { callee, target, arguments: args } = edge.operation;
  if (callee.kind === "direct") return [program.functions[callee.function]!];
  const { pointer } = callee;
  if (pointer.kind === "addressOf" && pointer.object.kind === "function") {
    return [program.functions[pointer.object.function]!];
  }
  const result = target === null ? null : (program.variables[target]!.type as ScalarType);
  const signatures = new Map<string, number>();
  signatureOf(
    signatures,
    args.map(({ type }) => type),
    result,
  );
  const [key] = [...signatures.keys()];
  return addressTaken(program).filter((fn) => fitsSignature(program, fn, key!));
}

const cache = new WeakMap<Program, readonly Function[]>();

function addressTaken(program: Program): readonly Function[] {
  let known = cache.get(program);
  if (known === undefined) {
    const found = new Set<FunctionId>();
    const visit = (expression: Expression): void => {
      if (expression.kind === "addressOf" && expression.object.kind === "function")
        found.add(expression.object.function);
      expressionOperands(expression).forEach(visit);
    };
    for (const fn of program.functions)
      for (const { operation } of fn.edges) operationExpressions(operation).forEach(visit);
    known = program.functions.filter(({ id }) => found.has(id));
    cache.set(program, known);
  }
  return known;
}
