import { immediatePostDominators } from "../../src/ir/dominators.ts";
import { type Expression, expressionOperands } from "../../src/ir/expression.ts";
import { operationExpressions } from "../../src/ir/operation.ts";
import type { Edge, Function, FunctionId, Program, VariableId } from "../../src/ir/program.ts";

/**
 * The edges that a static backward slice leaves (M. Weiser 1981): what may set a wanted variable or decide whether that is
 * done, among the edges that can be taken. The authors of the paper had Frama-C slice their programs first, so only these steps
 * compare with theirs. Which statement comes first is not looked at, and all calls of a function are one: the slice is larger
 * than it need be. A return is in it for the value that somebody wants, not for being the end of its function.
 */
export function staticSlice(
  program: Program,
  wanted: readonly VariableId[],
  live: ReadonlySet<Edge>,
): ReadonlySet<Edge> {
  const slice = new Set<Edge>();
  const variables = new Set(wanted);
  const functions = new Set<FunctionId>([program.entry]);
  const results = new Set<FunctionId>();
  const regions = program.functions.map((fn) => controlledRegions(fn, live));
  const read = (expression: Expression): void => {
    if (expression.kind === "variable") variables.add(expression.variable);
    expressionOperands(expression).forEach(read);
  };
  const size = () => slice.size + variables.size + functions.size + results.size;
  for (let before = -1; before !== size(); ) {
    before = size();
    for (const fn of program.functions) {
      for (const edge of fn.edges) if (live.has(edge) && isWanted(fn, edge)) include(fn, edge);
      for (const { branches, region } of regions[fn.id]!) {
        if (region.some((edge) => slice.has(edge))) for (const branch of branches) include(fn, branch);
      }
    }
  }
  return slice;

  function isWanted(fn: Function, { operation }: Edge): boolean {
    switch (operation.kind) {
      case "assign":
      case "input":
        return variables.has(operation.target);
      case "call":
        if (operation.callee.kind === "pointer") return true;
        if (operation.target !== null && variables.has(operation.target)) return true;
        return functions.has(operation.callee.function);
      case "return":
        return results.has(fn.id);
      case "store":
      case "copy":
      case "callLibrary":
        return true;
      default:
        return false;
    }
  }

  function include(fn: Function, edge: Edge): void {
    const { operation } = edge;
    slice.add(edge);
    // A function is needed for what it does or returns, not for being left.
    if (operation.kind !== "return") functions.add(fn.id);
    if (operation.kind === "call" && operation.callee.kind === "direct") {
      const callee = program.functions[operation.callee.function]!;
      operation.arguments.forEach((argument, i) => {
        if (variables.has(callee.parameters[i]!)) read(argument);
      });
      if (operation.target === null || !variables.has(operation.target)) return;
      functions.add(callee.id);
      results.add(callee.id);
    } else operationExpressions(operation).forEach(read);
  }
}

type Controlled = { readonly branches: readonly Edge[]; readonly region: readonly Edge[] };

/** For each branch the edges between it and the place where its ways meet again. */
function controlledRegions(fn: Function, live: ReadonlySet<Edge>): readonly Controlled[] {
  const outgoing = new Map<number, Edge[]>();
  for (const edge of fn.edges) if (live.has(edge)) outgoing.set(edge.from, [...(outgoing.get(edge.from) ?? []), edge]);
  const immediate = immediatePostDominators(fn, (edge) => live.has(edge));
  return [...outgoing].flatMap(([location, branches]) => {
    if (branches.length < 2) return [];
    const join = immediate[location]!;
    const region = new Set<Edge>();
    const open = branches.map(({ to }) => to as number);
    const seen = new Set(open);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at === join) continue;
      for (const edge of outgoing.get(at) ?? []) {
        // Being left is what every way ends with.
        if (edge.operation.kind !== "return") region.add(edge);
        if (!seen.has(edge.to)) {
          seen.add(edge.to);
          open.push(edge.to);
        }
      }
    }
    return [{ branches, region: [...region] }];
  });
}
