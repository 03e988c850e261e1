import { writtenParameter } from "../../c/library/memoryUse.ts";
import { libraryFunction, parameterIndex } from "../../c/library/table.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { Expression } from "../../ir/expression.ts";
import type { CallLibrary } from "../../ir/operation.ts";
import { isScalar, type ScalarType } from "../../ir/type.ts";

/** An argument of a library call that says where to write. */
export type WrittenArgument = {
  readonly argument: Expression;
  readonly pointer: number;
  /** What it points to. */
  readonly type: ScalarType;
};

/** The places that a library call was given to write to; those whose type the program does not say are left out. */
export function writtenArguments(graph: DependenceGraph, step: number): readonly WrittenArgument[] {
  const { operation } = graph.edge(step);
  if (operation.kind !== "callLibrary") return [];
  return writtenIndices(operation).flatMap((i) => {
    const argument = operation.arguments[i];
    if (argument === undefined) return [];
    const place = plain(argument);
    const pointer = graph.valueOf(step, place);
    const type = place.type.kind === "pointer" ? place.type.to : null;
    if (type === null || !isScalar(type) || typeof pointer !== "number" || pointer === 0) return [];
    return [{ argument, pointer, type }];
  });
}

function writtenIndices(operation: CallLibrary): readonly number[] {
  const known = libraryFunction(operation.name);
  const named = known.parameters.length;
  const indices = known.memory.flatMap((use) => {
    const at = writtenParameter(use);
    if (at === null) return [];
    if (at !== "...") return [parameterIndex(known, at)];
    return operation.arguments.slice(named).map((_, i) => named + i);
  });
  return [...new Set(indices)];
}

/** Without what the parameter's type made of it. */
function plain(expression: Expression): Expression {
  const isVoid = expression.type.kind === "pointer" && expression.type.to.kind === "void";
  return expression.kind === "convert" && isVoid ? plain(expression.operand) : expression;
}
