import { TracefoldError } from "../base/errors.ts";
import { controlFlowOf } from "../ir/controlFlow.ts";
import { loopsOf } from "../ir/loops.ts";
import type { Edge } from "../ir/program.ts";
import { conjuncts, isFalse, type Term, type Variable } from "../logic/term.ts";
import { follow, type InlinedNode, nodeKey } from "../symbolic/followEdge.ts";
import type { StepEnvironment } from "../symbolic/stepEnvironment.ts";
import { mergeStates, originState, type SymbolicState } from "../symbolic/symbolicState.ts";
import { assumptionsOf, type OperationObligation } from "../symbolic/symbolicStep.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { depthFirstOrder } from "./depthFirstOrder.ts";

/**
 * All ways from one cut point to the next, as one formula (a large block): for each cut point that is reached, the
 * condition under which it is, over the values at the start and the unknowns in between, and the state there. Calls
 * are followed into their bodies. Cut points are loop headers, so the ways are finite and without cycles.
 */
export type Block = {
  readonly start: InlinedNode;
  readonly ends: readonly BlockEnd[];
  /** Definitions of the guard variables that occur in the ends: to be asserted with them. */
  readonly definitions: readonly Term[];
  /** The same as pairs: each variable with the guard that it stands for. */
  readonly guards: ReadonlyMap<Variable, Term>;
  /** What the operations on all ways require, also on those that come to no cut point. */
  readonly obligations: readonly BlockObligation[];
  /** Where the run may leave what is encoded, or end. */
  readonly leaves: readonly BlockLeave[];
};

/** An obligation of a run that comes to its operation, which it does if `guard` holds. */
export type BlockObligation = OperationObligation & { readonly guard: Term };

export type BlockEnd = { readonly node: InlinedNode; readonly guard: Term; readonly state: SymbolicState };

/** A step out of what is encoded, if `guard` holds: to a location outside, or (null) to an end of the run or of its frame. */
export type BlockLeave = {
  readonly from: InlinedNode;
  readonly edge: Edge;
  readonly to: InlinedNode | null;
  readonly guard: Term;
  /** After the step; before it where it leads nowhere. */
  readonly state: SymbolicState;
};

export type BlockOptions = {
  /** Is the location (of the start's own frame) inside of the loop that is encoded? */
  isInside(node: InlinedNode): boolean;
  readonly environment: StepEnvironment;
  /** What is known at the start; nothing by default. */
  readonly state?: SymbolicState;
  /** Called with every edge that may be taken, and the state in front of it. */
  visit?(node: InlinedNode, edge: Edge, before: { readonly guard: Term; readonly state: SymbolicState }): void;
};

/** A loop body that inlines to more locations than this is not encoded. */
const nodeLimit = 50_000;
/** Guards with more conjuncts than this get a name, so that long ways do not cost quadratic time. */
const guardLimit = 12;

export function encodeBlock(symbols: Symbols, start: InlinedNode, options: BlockOptions): Block {
  const { terms } = symbols;
  const order = topologicalOrder(symbols, start, options);
  const arrivals = new Map<string, { guard: Term; state: SymbolicState }[]>();
  arrivals.set(nodeKey(start), [{ guard: terms.bool(true), state: options.state ?? originState }]);
  const leaves: BlockLeave[] = [];
  const ends = new Map<string, { node: InlinedNode; ways: { guard: Term; state: SymbolicState }[] }>();
  const definitions: Term[] = [];
  const guards = new Map<Variable, Term>();
  // The two sides of a branch evaluate one condition.
  const obligations = new Map<string, BlockObligation>();

  const named = (guard: Term): Term => {
    if (conjuncts(guard).length <= guardLimit && guard.kind !== "or") return guard;
    const variable = symbols.fresh("way", "condition");
    definitions.push(terms.iff(variable, guard));
    guards.set(variable, guard);
    return variable;
  };

  for (const node of order) {
    options.environment.wanted?.();
    const ways = arrivals.get(nodeKey(node));
    if (ways === undefined) continue;
    arrivals.delete(nodeKey(node));
    const state = mergeStates(symbols, ways);
    const guard = named(terms.any(ways.map((way) => way.guard)));
    for (const edge of controlFlowOf(node.function).outgoing[node.location]!) {
      options.visit?.(node, edge, { guard, state });
      const successors = follow(symbols, node, edge);
      if (successors.length === 0) leaves.push({ from: node, edge, to: null, guard, state });
      for (const successor of successors) {
        const step = successor.step(state, options.environment);
        for (const obligation of step.obligations) {
          obligations.set(`${guard.id}:${obligation.formula.id}:${obligation.problem}`, { ...obligation, guard });
        }
        const taken = terms.all([guard, ...assumptionsOf(step)]);
        if (isFalse(taken)) continue;
        const way = { guard: named(taken), state: step.state };
        const key = nodeKey(successor.node);
        if (!options.isInside(successor.node)) {
          leaves.push({ from: node, edge, to: successor.node, ...way });
        } else if (isCutPoint(successor.node)) {
          const end = ends.get(key) ?? { node: successor.node, ways: [] };
          end.ways.push(way);
          ends.set(key, end);
        } else {
          const known = arrivals.get(key) ?? [];
          known.push(way);
          arrivals.set(key, known);
        }
      }
    }
  }
  return {
    start,
    definitions,
    guards,
    obligations: [...obligations.values()],
    leaves,
    ends: [...ends.values()].map(({ node, ways }) => ({
      node,
      guard: named(terms.any(ways.map((way) => way.guard))),
      state: mergeStates(symbols, ways),
    })),
  };
}

export function isCutPoint(node: InlinedNode): boolean {
  return loopsOf(node.function).loopWithHeader(node.location) !== null;
}

/** Depth first and iterative; the start comes first, every node before those that it leads to. */
function topologicalOrder(symbols: Symbols, start: InlinedNode, options: BlockOptions): InlinedNode[] {
  return depthFirstOrder(start, {
    next: (node) => successors(symbols, node, options),
    cyclic: irreducible,
    name: "a loop body",
    mostNodes: nodeLimit,
  });
}

function successors(symbols: Symbols, node: InlinedNode, options: BlockOptions): InlinedNode[] {
  const nodes: InlinedNode[] = [];
  for (const edge of controlFlowOf(node.function).outgoing[node.location]!) {
    for (const { node: next } of follow(symbols, node, edge)) {
      if (!isCutPoint(next) && options.isInside(next)) nodes.push(next);
    }
  }
  return nodes;
}

function irreducible(node: InlinedNode): TracefoldError {
  return new TracefoldError({
    code: "TF210",
    message: `${node.function.name} jumps into a loop, which cannot be summarised`,
    range: node.function.range,
    help: "Loops that are entered only at their head can be folded.",
  });
}
