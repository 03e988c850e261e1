import type { FunctionId, VariableId } from "../../../ir/ids.ts";
import type { FinishedGraph } from "./finishGraph.ts";
import { operationRenamer } from "./renameOperations.ts";

/** What a function's reachable edges mention, in order of first mention. */
export type References = { readonly variables: Set<VariableId>; readonly functions: Set<FunctionId> };

export function referencesOf(graph: FinishedGraph): References {
  const variables = new Set<VariableId>();
  const functions = new Set<FunctionId>();
  const visit = operationRenamer({
    variable: (id) => {
      variables.add(id);
      return id;
    },
    function: (id) => {
      functions.add(id);
      return id;
    },
  });
  for (const { operation } of graph.edges) visit(operation);
  return { variables, functions };
}
