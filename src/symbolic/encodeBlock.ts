import { TracefoldError } from "../base/errors.ts";
import { controlFlowOf } from "../ir/controlFlow.ts";
import { loopsOf } from "../ir/loops.ts";
import type { Edge } from "../ir/program.ts";
import type { ScalarType } from "../ir/type.ts";
import { conjuncts, isFalse, type Term } from "../logic/term.ts";
import { at, enter, type InlinedNode, isCallEdge, nodeKey } from "./inlinedNode.ts";
import { clobberMemory, mergeStates, originState, type SymbolicState, write } from "./symbolicState.ts";
import { enterCall, leaveCall, type Surroundings, symbolicStep } from "./symbolicStep.ts";
import type { Symbols } from "./symbols.ts";

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
};

export type BlockEnd = { readonly node: InlinedNode; readonly guard: Term; readonly state: SymbolicState };

export type BlockOptions = {
  /** Is the location (of the start's own frame) inside of the loop that is encoded? */
  isInside(node: InlinedNode): boolean;
  readonly surroundings: Surroundings;
};

/** A loop body that inlines to more locations than this is not encoded. */
const nodeLimit = 50_000;
/** Guards with more conjuncts than this get a name, so that long ways do not cost quadratic time. */
const guardLimit = 12;

export function encodeBlock(symbols: Symbols, start: InlinedNode, options: BlockOptions): Block {
  const { terms } = symbols;
  const order = topologicalOrder(symbols, start, options);
  const arrivals = new Map<string, { guard: Term; state: SymbolicState }[]>();
  arrivals.set(nodeKey(start), [{ guard: terms.bool(true), state: originState }]);
  const ends = new Map<string, { node: InlinedNode; ways: { guard: Term; state: SymbolicState }[] }>();
  const definitions: Term[] = [];

  const named = (guard: Term): Term => {
    if (conjuncts(guard).length <= guardLimit && guard.kind !== "or") return guard;
    const variable = symbols.fresh("way", "condition");
    definitions.push(terms.iff(variable, guard));
    return variable;
  };

  for (const node of order) {
    const ways = arrivals.get(nodeKey(node));
    if (ways === undefined) continue;
    arrivals.delete(nodeKey(node));
    const state = mergeStates(symbols, ways);
    const guard = named(terms.any(ways.map((way) => way.guard)));
    for (const edge of controlFlowOf(node.function).outgoing[node.location]!) {
      const successor = follow(symbols, node, edge);
      if (successor === null) continue;
      const step = successor.step(state, options.surroundings);
      const taken = terms.all([guard, ...step.assumptions]);
      if (isFalse(taken)) continue;
      const way = { guard: named(taken), state: step.state };
      const key = nodeKey(successor.node);
      if (isCutPoint(successor.node)) {
        const end = ends.get(key) ?? { node: successor.node, ways: [] };
        end.ways.push(way);
        ends.set(key, end);
      } else if (options.isInside(successor.node)) {
        const known = arrivals.get(key) ?? [];
        known.push(way);
        arrivals.set(key, known);
      }
    }
  }
  const inside = [...ends.values()].filter((end) => options.isInside(end.node));
  return {
    start,
    definitions,
    ends: inside.map(({ node, ways }) => ({
      node,
      guard: named(terms.any(ways.map((way) => way.guard))),
      state: mergeStates(symbols, ways),
    })),
  };
}

export function isCutPoint(node: InlinedNode): boolean {
  return loopsOf(node.function).loopWithHeader(node.location) !== null;
}

export type Successor = {
  readonly node: InlinedNode;
  step(state: SymbolicState, surroundings: Surroundings): { state: SymbolicState; assumptions: readonly Term[] };
};

/** Where an edge leads, calls and returns included; null where the run ends or leaves the starting frame. */
export function follow(symbols: Symbols, node: InlinedNode, edge: Edge): Successor | null {
  const operation = edge.operation;
  if (operation.kind === "fail") return null;
  if (operation.kind === "return") {
    const context = node.context;
    if (context === null) return null;
    const returning = { ...edge, operation };
    return {
      node: at(context.caller, context.edge.to),
      step: (state, surroundings) =>
        leaveCall(
          symbols,
          { frame: context.caller.frame, edge: context.edge },
          node.frame,
          state,
          returning,
          surroundings,
        ),
    };
  }
  if (isCallEdge(edge)) {
    const callee = enter(symbols, node, edge);
    if (callee === null) {
      return {
        node: at(node, edge.to),
        step: (state, surroundings) => ({
          state: unknownCall(symbols, node, edge, state, surroundings),
          assumptions: [],
        }),
      };
    }
    return {
      node: callee,
      step: (state, surroundings) => enterCall(symbols, node.frame, callee, state, edge, surroundings),
    };
  }
  return {
    node: at(node, edge.to),
    step: (state, surroundings) => symbolicStep(symbols, node.frame, state, edge, surroundings),
  };
}

/** A recursive call, or one of a function that is not known: it may write everything but the caller's registers. */
function unknownCall(
  symbols: Symbols,
  node: InlinedNode,
  edge: Edge & { operation: { kind: "call" } },
  state: SymbolicState,
  surroundings: Surroundings,
): SymbolicState {
  const { program, terms } = symbols;
  let after = clobberMemory(symbols, state, { condition: terms.bool(true), tag: surroundings.tag() });
  const reason = "a call whose callee is not known, or is running already";
  for (const variable of program.variables) {
    if (variable.kind !== "static" || variable.storage !== "register") continue;
    const value = surroundings.approximate(reason, variable.type as ScalarType, edge.range);
    after = write(after, symbols.register(node.frame, variable.id), value);
  }
  const target = edge.operation.target;
  if (target === null) return after;
  const value = surroundings.approximate(reason, program.variables[target]!.type as ScalarType, edge.range);
  return write(after, symbols.register(node.frame, target), value);
}

/** Depth first and iterative; the start comes first, every node before those that it leads to. */
function topologicalOrder(symbols: Symbols, start: InlinedNode, options: BlockOptions): InlinedNode[] {
  const result: InlinedNode[] = [];
  const open = new Set<string>();
  const seen = new Set<string>();
  const stack: { node: InlinedNode; key: string; next: InlinedNode[] }[] = [];
  const push = (node: InlinedNode) => {
    const key = nodeKey(node);
    if (open.has(key)) throw irreducible(node);
    if (seen.has(key)) return;
    if (seen.size >= nodeLimit) throw tooLarge(start);
    seen.add(key);
    open.add(key);
    stack.push({ node, key, next: successors(symbols, node, options) });
  };
  push(start);
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!;
    const next = top.next.pop();
    if (next !== undefined) push(next);
    else {
      open.delete(top.key);
      result.push(top.node);
      stack.pop();
    }
  }
  return result.reverse();
}

function successors(symbols: Symbols, node: InlinedNode, options: BlockOptions): InlinedNode[] {
  const nodes: InlinedNode[] = [];
  for (const edge of controlFlowOf(node.function).outgoing[node.location]!) {
    const successor = follow(symbols, node, edge);
    if (successor === null || isCutPoint(successor.node) || !options.isInside(successor.node)) continue;
    nodes.push(successor.node);
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

function tooLarge(start: InlinedNode): TracefoldError {
  return new TracefoldError({
    code: "TF310",
    message: `a loop body in ${start.function.name} has more than ${nodeLimit} locations with its calls followed`,
    range: start.function.range,
  });
}
