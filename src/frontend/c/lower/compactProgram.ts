import type { EdgeId, Function, FunctionId, LocationId, ProgramVariable, VariableId } from "../../../ir/program.ts";
import { operationRenamer, referencesOf } from "../../../ir/references.ts";
import { ambiguousNames } from "./ambiguousNames.ts";
import type { ProgramContext } from "./context.ts";
import type { LoweredFunction } from "./lowerFunction.ts";

/** Final, dense ids for the functions and the variables that they mention; everything else is dropped. */
export function compactProgram(
  program: ProgramContext,
  lowered: readonly LoweredFunction[],
): {
  readonly functions: readonly Function[];
  readonly variables: readonly ProgramVariable[];
  readonly errorFlag?: VariableId;
  readonly watched?: VariableId;
} {
  const functionIds = new Map(lowered.map(({ id }, i) => [id, i as FunctionId]));
  const mentioned = lowered.map(({ graph }) => referencesOf(graph.edges).variables);
  const order = variableOrder(program, lowered, mentioned);
  const variableIds = new Map(order.map((id, i) => [id, i as VariableId]));
  const files = ambiguousNames(program, lowered, order);
  const newFunction = (id: FunctionId) => functionIds.get(id)!;
  const newVariable = (id: VariableId) => variableIds.get(id)!;

  const variables = order.map((id, i): ProgramVariable => {
    const variable = program.variables[id]!;
    // A static local of a function that is itself never called may still be reached through a pointer.
    const owner = variable.function === null ? null : (functionIds.get(variable.function) ?? null);
    const file = files.ofVariable(id);
    return { ...variable, id: i as VariableId, function: owner, ...(file === undefined ? {} : { file }) };
  });
  const functions = lowered.map((fn, i): Function => {
    const rename = operationRenamer({ variable: newVariable, function: newFunction });
    const parameters = fn.parameters.map(newVariable);
    const isParameter = new Set(fn.parameters);
    const file = files.ofFunction(fn);
    const locals = [...mentioned[i]!].filter((id) => program.variables[id]!.kind !== "static" && !isParameter.has(id));
    return {
      id: i as FunctionId,
      name: fn.name,
      ...(file === undefined ? {} : { file }),
      type: fn.type,
      parameters,
      locals: locals.map(newVariable).sort((a, b) => a - b),
      entry: fn.graph.entry as LocationId,
      exit: fn.graph.exit as LocationId,
      locations: fn.graph.locations,
      edges: fn.graph.edges.map((edge, e) => ({
        id: e as EdgeId,
        from: edge.from as LocationId,
        to: edge.to as LocationId,
        operation: rename(edge.operation),
        range: edge.range,
      })),
      ...(fn.statements === undefined ? {} : { statements: fn.statements }),
      range: fn.range,
    };
  });
  const flag = program.made.errorVariable === null ? undefined : variableIds.get(program.made.errorVariable);
  const watched = program.made.watchVariable === null ? undefined : variableIds.get(program.made.watchVariable);
  return {
    functions,
    variables,
    ...(flag === undefined ? {} : { errorFlag: flag }),
    ...(watched === undefined ? {} : { watched }),
  };
}

/** Statics in the order of their declarations, then each function's parameters and locals. */
function variableOrder(
  program: ProgramContext,
  lowered: readonly LoweredFunction[],
  mentioned: readonly ReadonlySet<VariableId>[],
): VariableId[] {
  const statics = new Set<VariableId>();
  const others: VariableId[] = [];
  const seen = new Set<VariableId>();
  lowered.forEach((fn, i) => {
    const locals: VariableId[] = [];
    for (const id of mentioned[i]!) {
      if (program.variables[id]!.kind === "static") statics.add(id);
      else if (!fn.parameters.includes(id)) locals.push(id);
    }
    for (const id of [...fn.parameters, ...locals.sort((a, b) => a - b)]) {
      if (!seen.has(id)) others.push(id);
      seen.add(id);
    }
  });
  const rank = (id: VariableId) => program.statics.get(id)?.order ?? Number.POSITIVE_INFINITY;
  const byDeclaration = [...statics].sort((a, b) => {
    const [ra, rb] = [rank(a), rank(b)];
    return ra === rb ? a - b : ra - rb;
  });
  return [...byDeclaration, ...others];
}
