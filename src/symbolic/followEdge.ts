import type { Edge } from "../ir/program.ts";
import type { ScalarType } from "../ir/type.ts";
import type { Term } from "../logic/term.ts";
import { calleesOf } from "./callees.ts";
import { at, type CallEdge, enter, type InlinedNode, isCallEdge } from "./inlinedNode.ts";
import type { Surroundings } from "./surroundings.ts";
import { clobberMemory, type SymbolicState, write } from "./symbolicState.ts";
import { enterCall, leaveCall, openScope, type SymbolicStep, symbolicStep } from "./symbolicStep.ts";
import type { Symbols } from "./symbols.ts";
import { translateExpression } from "./translateExpression.ts";

export type Successor = {
  readonly node: InlinedNode;
  step(state: SymbolicState, surroundings: Surroundings): SymbolicStep;
};

/** Calls through a pointer that may go to more functions than this are not followed. */
const calleeLimit = 8;

/**
 * Where an edge leads, calls and returns included: nowhere where the run ends or leaves the starting frame. A function is
 * entered while fewer than `activations` of it are running.
 */
export function follow(symbols: Symbols, node: InlinedNode, edge: Edge, activations = 1): readonly Successor[] {
  const operation = edge.operation;
  if (operation.kind === "fail") return [];
  if (operation.kind === "return") {
    const { context } = node;
    if (context === null) return [];
    const caller = { frame: context.caller.frame, edge: context.edge };
    const returning = { ...edge, operation };
    return [
      {
        node: at(context.caller, context.edge.to),
        step: (state, surroundings) => leaveCall(symbols, caller, node, state, returning, surroundings),
      },
    ];
  }
  if (isCallEdge(edge)) return followCall(symbols, node, edge, activations);
  return [
    {
      node: at(node, edge.to),
      step: (state, surroundings) => symbolicStep(symbols, node.frame, state, edge, surroundings),
    },
  ];
}

/** Into each function that may be called; over the call where that is running already, or there are too many. */
function followCall(symbols: Symbols, node: InlinedNode, edge: CallEdge, activations: number): readonly Successor[] {
  const callees = calleesOf(symbols.program, edge);
  const inlined = callees.length <= calleeLimit ? callees : [];
  const successors: Successor[] = [];
  const followed = inlined.flatMap((fn) => {
    const callee = enter(symbols, node, edge, fn, activations);
    return callee === null ? [] : [callee];
  });
  for (const callee of followed) {
    successors.push({
      node: callee,
      step: (state, surroundings) =>
        enterCall(symbols, node.frame, { ...callee, again: true }, state, edge, surroundings),
    });
  }
  if (followed.length < callees.length) {
    const excluded = followed.map(({ function: fn }) => symbols.functionObject(fn.id).base);
    successors.push({
      node: at(node, edge.to),
      step: (state, surroundings) => unknownCall(symbols, node, edge, excluded, state, surroundings),
    });
  }
  return successors;
}

/** A call that is not followed: it may write everything but the caller's registers. */
function unknownCall(
  symbols: Symbols,
  node: InlinedNode,
  edge: CallEdge,
  excluded: readonly Term[],
  state: SymbolicState,
  surroundings: Surroundings,
): SymbolicStep {
  const { program, terms } = symbols;
  const { scope, collected } = openScope(symbols, node.frame, state, edge.range, surroundings);
  const { operation } = edge;
  for (const argument of operation.arguments) translateExpression(scope, argument);
  if (operation.callee.kind === "pointer") {
    const pointer = translateExpression(scope, operation.callee.pointer);
    for (const address of excluded) scope.guard(terms.ne(pointer, address));
  }
  const reason =
    operation.callee.kind === "direct" ? "a recursive call" : "a call of a function that is running, or not known";
  scope.note(reason);
  let after = clobberMemory(symbols, state, { condition: terms.bool(true), tag: surroundings.tag() });
  for (const variable of program.variables) {
    if (variable.kind !== "static" || variable.storage !== "register") continue;
    const value = scope.approximate(reason, variable.type as ScalarType);
    after = write(after, symbols.register(node.frame, variable.id), value);
  }
  if (operation.target === null) return collected(after);
  const value = scope.approximate(reason, program.variables[operation.target]!.type as ScalarType);
  return collected(write(after, symbols.register(node.frame, operation.target), value));
}
