import { nth } from "../base/checked.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import type { DraftEdge, Graph, JumpMark } from "./builder.ts";
import { reversePostorder } from "./controlFlow.ts";
import { type Expression, mapOperands, placedLike } from "./expression.ts";
import { type Case, expressionsWithin, mapExpressions, type Operation, writtenRegister } from "./operation.ts";
import type { FunctionId, VariableId } from "./program.ts";

/** A function's edges in their final form; ids are positions. */
export type FinishedGraph = {
  readonly entry: number;
  readonly exit: number;
  readonly locations: number;
  readonly edges: readonly FinishedEdge[];
};

export type FinishedEdge = {
  readonly from: number;
  readonly to: number;
  readonly operation: Operation;
  readonly range: SourceRange;
  /** See `DraftEdge`. */
  readonly missing?: string;
  readonly jump?: JumpMark;
};

/**
 * Removes jumps and unreachable code, merges switch cases with the same target, and numbers the locations in reverse
 * postorder, the exit last. Throws the error of a reachable refused construct.
 */
export function finishGraph(graph: Graph, entry: number, exit: number): FinishedGraph {
  const outgoing: DraftEdge[][] = Array.from({ length: graph.locations }, () => []);
  for (const edge of graph.edges) nth(outgoing, edge.from).push(edge);
  const resolve = resolveJumps(outgoing);
  const resolved: (FinishedEdge[] | undefined)[] = new Array(graph.locations);
  const edgesOf = (location: number): FinishedEdge[] => {
    resolved[location] ??= resolveEdges(nth(outgoing, location), resolve, location);
    return resolved[location];
  };

  const start = resolve(entry);
  const reached = reversePostorder(start, graph.locations, (location) => edgesOf(location).map(({ to }) => to));
  const order = reached.filter((location) => location !== exit);
  order.push(exit);
  const number = new Int32Array(graph.locations).fill(-1);
  order.forEach((location, i) => {
    number[location] = i;
  });
  const edges = order.flatMap((location) =>
    edgesOf(location).map((edge) => ({ ...edge, from: number[location]!, to: number[edge.to]! })),
  );
  return { entry: number[start]!, exit: number[exit]!, locations: order.length, edges };
}

/** A switch whose cases all lead to one place is a jump too, which may reveal another one. */
function resolveJumps(outgoing: DraftEdge[][]): (location: number) => number {
  for (;;) {
    const resolve = jumpResolver(outgoing);
    let found = false;
    for (const [location, edges] of outgoing.entries()) {
      const [first] = edges;
      if (first?.operation.kind !== "case") continue;
      const target = resolve(first.to);
      if (!edges.every((edge) => resolve(edge.to) === target)) continue;
      outgoing[location] = [{ ...first, operation: { kind: "skip" } }];
      found = true;
    }
    if (!found) return resolve;
  }
}

/** The end of a chain of jumps. A cycle of jumps ends at its smallest location, which keeps one `skip`. */
function jumpResolver(outgoing: readonly (readonly DraftEdge[])[]): (location: number) => number {
  const ends = new Int32Array(outgoing.length).fill(-1);
  const next = (location: number): number => {
    const edges = nth(outgoing, location);
    const only = edges.length === 1 ? nth(edges, 0) : null;
    if (only === null || only.operation.kind !== "skip") return -1;
    return only.refused === undefined && only.missing === undefined ? only.to : -1;
  };
  return (location) => {
    const path: number[] = [];
    const onPath = new Set<number>();
    let at = location;
    let end = -1;
    for (;;) {
      if (ends[at] !== -1) {
        end = ends[at]!;
        break;
      }
      if (onPath.has(at)) {
        end = Math.min(...path.slice(path.indexOf(at)));
        break;
      }
      path.push(at);
      onPath.add(at);
      const to = next(at);
      if (to === -1) {
        end = at;
        break;
      }
      at = to;
    }
    for (const passed of path) ends[passed] = end;
    return end;
  };
}

function resolveEdges(
  edges: readonly DraftEdge[],
  resolve: (location: number) => number,
  location: number,
): FinishedEdge[] {
  const refused = edges.find((edge) => edge.refused !== undefined);
  if (refused?.refused !== undefined) throw refused.refused;
  if (edges.length > 0 && edges.every((edge) => edge.operation.kind === "case")) return mergeCases(edges, resolve);
  return edges.map((edge) => ({ ...edge, from: location, to: resolve(edge.to) }));
}

type Interval = readonly [bigint, bigint];

function mergeCases(edges: readonly DraftEdge[], resolve: (location: number) => number): FinishedEdge[] {
  const byTarget = new Map<number, { edge: DraftEdge; values: Interval[]; isDefault: boolean }>();
  for (const edge of edges) {
    const target = resolve(edge.to);
    const operation = edge.operation as Case;
    const group = byTarget.get(target);
    if (group === undefined) {
      byTarget.set(target, { edge, values: [...(operation.values ?? [])], isDefault: operation.values === null });
    } else {
      group.values.push(...(operation.values ?? []));
      group.isDefault ||= operation.values === null;
    }
  }
  const others: Interval[] = [];
  for (const group of byTarget.values()) if (!group.isDefault) others.push(...group.values);
  const allOthers = joinIntervals(others);
  const result: FinishedEdge[] = [];
  for (const [to, { edge, values, isDefault }] of byTarget) {
    const operation = edge.operation as Case;
    const merged: Operation = {
      kind: "case",
      selector: operation.selector,
      values: isDefault ? null : joinIntervals(values),
      others: isDefault ? allOthers : [],
    };
    result.push({ from: edge.from, to, operation: merged, range: edge.range });
  }
  return result;
}

function joinIntervals(intervals: readonly Interval[]): Interval[] {
  const sorted = [...intervals].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const result: Interval[] = [];
  for (const [low, high] of sorted) {
    const last = result[result.length - 1];
    if (last === undefined || low > last[1] + 1n) result.push([low, high]);
    else if (high > last[1]) result[result.length - 1] = [last[0], high];
  }
  return result;
}

/** The ids that edges mention, in order of first mention. */
export type References = { readonly variables: Set<VariableId>; readonly functions: Set<FunctionId> };

export function referencesOf(edges: readonly { readonly operation: Operation }[]): References {
  const references: References = { variables: new Set(), functions: new Set() };
  const { variables, functions } = references;
  for (const { operation } of edges) {
    if (operation.kind === "call" && operation.callee.kind === "direct") functions.add(operation.callee.function);
    if (operation.kind === "declare") variables.add(operation.variable);
    const target = writtenRegister(operation);
    const isCall = operation.kind === "call" || operation.kind === "callLibrary";
    if (target !== null && !isCall) variables.add(target);
    for (const expression of expressionsWithin(operation)) {
      if (expression.kind === "variable") variables.add(expression.variable);
      if (expression.kind !== "addressOf") continue;
      if (expression.object.kind === "variable") variables.add(expression.object.variable);
      else functions.add(expression.object.function);
    }
    if (target !== null) variables.add(target);
  }
  return references;
}

/** Replaces every id in operations. A condition or selector shared by sibling edges stays shared. */
export type Renaming = {
  readonly variable: (id: VariableId) => VariableId;
  readonly function: (id: FunctionId) => FunctionId;
};

export function operationRenamer(renaming: Renaming): (operation: Operation) => Operation {
  const rename = (expression: Expression): Expression => {
    const renamed = renameOwn(expression, renaming);
    return renamed === null ? mapOperands(expression, rename) : placedLike(renamed, expression);
  };
  let last: { readonly from: Expression; readonly to: Expression } | null = null;
  /** Siblings are adjacent. */
  const renameShared = (expression: Expression): Expression => {
    if (last?.from !== expression) last = { from: expression, to: rename(expression) };
    return last.to;
  };
  return (operation) => {
    const isShared = operation.kind === "assume" || operation.kind === "case";
    return renameTargets(mapExpressions(operation, isShared ? renameShared : rename), renaming);
  };
}

/** null if the expression itself has no id. */
function renameOwn(expression: Expression, renaming: Renaming): Expression | null {
  if (expression.kind === "variable") return { ...expression, variable: renaming.variable(expression.variable) };
  if (expression.kind !== "addressOf") return null;
  const { object } = expression;
  return {
    ...expression,
    object:
      object.kind === "variable"
        ? { kind: "variable", variable: renaming.variable(object.variable) }
        : { kind: "function", function: renaming.function(object.function) },
  };
}

function renameTargets(operation: Operation, renaming: Renaming): Operation {
  if (operation.kind === "declare") return { ...operation, variable: renaming.variable(operation.variable) };
  const target = writtenRegister(operation);
  const renamed = target === null ? operation : ({ ...operation, target: renaming.variable(target) } as Operation);
  if (renamed.kind !== "call" || renamed.callee.kind !== "direct") return renamed;
  return { ...renamed, callee: { kind: "direct", function: renaming.function(renamed.callee.function) } };
}
