import { controlFlowOf } from "../../ir/controlFlow.ts";
import type { Fail } from "../../ir/operation.ts";
import type { Edge } from "../../ir/program.ts";
import { follow } from "../../symbolic/followEdge.ts";
import { type InlinedNode, nodeKey } from "../../symbolic/inlinedNode.ts";
import { type SymbolicState, writeAll } from "../../symbolic/symbolicState.ts";
import { openScope, type SymbolicStep, symbolicStep } from "../../symbolic/symbolicStep.ts";
import type { SymbolicObject, Symbols } from "../../symbolic/symbols.ts";
import { translateExpression } from "../../symbolic/translateExpression.ts";
import type { ExplorationState } from "./explorationState.ts";
import { type ExplorationSettings, explorationSurroundings, type Happening } from "./explorationSurroundings.ts";

/** One way on from a state. `node` is null where the run ends. */
export type Transfer = {
  readonly edge: Edge;
  readonly node: InlinedNode | null;
  readonly key: string;
  readonly step: SymbolicStep;
  readonly happening: Happening;
};

/** All ways on from a state: their guards exclude each other and cover every run that does nothing undefined. */
export type TransferRelation = (from: {
  readonly node: InlinedNode;
  readonly memory: SymbolicState;
  /** How many inputs were read before. */
  readonly read: number;
}) => readonly Transfer[];

/** A function that is running so often is not entered again. */
export const mostActivations = 40;

export function transferRelation(symbols: Symbols, settings: ExplorationSettings): TransferRelation {
  const around = explorationSurroundings(symbols, settings);
  const { program } = symbols;
  return ({ node, memory, read }) => {
    return controlFlowOf(node.function).outgoing[node.location]!.flatMap((edge): Transfer[] => {
      const { surroundings, happening } = around(read);
      const ended = (step: SymbolicStep): Transfer => ({ edge, node: null, key: "", step, happening });
      if (edge.operation.kind === "fail") {
        return [ended(symbolicStep(symbols, node.frame, memory, edge, surroundings))];
      }
      if (edge.operation.kind === "return" && node.context === null) {
        const { scope, collected } = openScope(symbols, node.frame, memory, edge.range, surroundings);
        if (edge.operation.value !== null) translateExpression(scope, edge.operation.value);
        if (node.function.id !== program.initializer) return [ended(collected(memory))];
        const entry = entryNode(symbols);
        const step = collected(writeAll(memory, entryValues(symbols, entry, surroundings.entryArguments())));
        return [{ edge, node: entry, key: nodeKey(entry), step, happening }];
      }
      return follow(symbols, node, edge, mostActivations).map((successor) => ({
        edge,
        node: successor.node,
        key: nodeKey(successor.node),
        step: successor.step(memory, surroundings),
        happening,
      }));
    });
  };
}

/** Frames are numbered as a run enters them: the initialiser's is 0. */
export function startNode({ program }: Symbols): InlinedNode {
  const fn = program.functions[program.initializer]!;
  return { function: fn, location: fn.entry, frame: 0, context: null };
}

export function entryNode({ program }: Symbols): InlinedNode {
  const fn = program.functions[program.entry]!;
  return { function: fn, location: fn.entry, frame: 1, context: null };
}

function entryValues(
  symbols: Symbols,
  entry: InlinedNode,
  values: ReturnType<NonNullable<import("../../symbolic/surroundings.ts").Surroundings["entryArguments"]>>,
) {
  return entry.function.parameters.flatMap((parameter, i) => {
    const value = values[i] ?? null;
    if (value === null || symbols.program.variables[parameter]!.storage !== "register") return [];
    return [[symbols.register(entry.frame, parameter), value] as const];
  });
}

export type FailEdge = Edge & { readonly operation: Fail };

export function isFailEdge(edge: Edge): edge is FailEdge {
  return edge.operation.kind === "fail";
}

/** The objects whose memory holds inputs from a step on. */
export function drawnBy(
  symbols: Symbols,
  { node }: Pick<ExplorationState, "node">,
  { edge, happening }: Transfer,
): readonly SymbolicObject[] {
  if (symbols.program.memoryIsInput !== true) return [];
  if (edge.operation.kind !== "declare") return happening.allocated;
  const variable = symbols.program.variables[edge.operation.variable]!;
  return variable.storage === "register" ? [] : [symbols.variableObject(node.frame, variable.id)];
}
