import type { EdgeId, FunctionId, LocationId, VariableId } from "../../../ir/ids.ts";
import type { Function, Variable } from "../../../ir/program.ts";
import type { UnitContext } from "./context.ts";
import type { LoweredFunction } from "./lowerFunction.ts";
import { referencesOf } from "./references.ts";
import { operationRenamer } from "./renameOperations.ts";

/** Final, dense ids for the functions and the variables that they mention; everything else is dropped. */
export function compactProgram(
  unit: UnitContext,
  lowered: readonly LoweredFunction[],
): {
  readonly functions: readonly Function[];
  readonly variables: readonly Variable[];
  readonly errorFlag?: VariableId;
  readonly watched?: VariableId;
} {
  const functionIds = new Map(lowered.map(({ id }, i) => [id, i as FunctionId]));
  const mentioned = lowered.map(({ graph }) => referencesOf(graph).variables);
  const order = variableOrder(unit, lowered, mentioned);
  const variableIds = new Map(order.map((id, i) => [id, i as VariableId]));
  const newFunction = (id: FunctionId) => functionIds.get(id)!;
  const newVariable = (id: VariableId) => variableIds.get(id)!;

  const variables = order.map((id, i): Variable => {
    const variable = unit.variables[id]!;
    // A static local of a function that is itself never called may still be reached through a pointer.
    const owner = variable.function === null ? null : (functionIds.get(variable.function) ?? null);
    return { ...variable, id: i as VariableId, function: owner };
  });
  const functions = lowered.map((fn, i): Function => {
    const rename = operationRenamer({ variable: newVariable, function: newFunction });
    const parameters = fn.parameters.map(newVariable);
    const isParameter = new Set(fn.parameters);
    const locals = [...mentioned[i]!].filter((id) => unit.variables[id]!.kind !== "static" && !isParameter.has(id));
    return {
      id: i as FunctionId,
      name: fn.name,
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
  const flag = unit.errorVariable === null ? undefined : variableIds.get(unit.errorVariable);
  const watched = unit.watchVariable === null ? undefined : variableIds.get(unit.watchVariable);
  return {
    functions,
    variables,
    ...(flag === undefined ? {} : { errorFlag: flag }),
    ...(watched === undefined ? {} : { watched }),
  };
}

/** Statics in the order of their declarations, then each function's parameters and locals. */
function variableOrder(
  unit: UnitContext,
  lowered: readonly LoweredFunction[],
  mentioned: readonly ReadonlySet<VariableId>[],
): VariableId[] {
  const statics = new Set<VariableId>();
  const others: VariableId[] = [];
  const seen = new Set<VariableId>();
  lowered.forEach((fn, i) => {
    const locals: VariableId[] = [];
    for (const id of mentioned[i]!) {
      if (unit.variables[id]!.kind === "static") statics.add(id);
      else if (!fn.parameters.includes(id)) locals.push(id);
    }
    for (const id of [...fn.parameters, ...locals.sort((a, b) => a - b)]) {
      if (!seen.has(id)) others.push(id);
      seen.add(id);
    }
  });
  const rank = (id: VariableId) => unit.statics.get(id)?.order ?? Number.POSITIVE_INFINITY;
  const byDeclaration = [...statics].sort((a, b) => {
    const [ra, rb] = [rank(a), rank(b)];
    return ra === rb ? a - b : ra - rb;
  });
  return [...byDeclaration, ...others];
}
