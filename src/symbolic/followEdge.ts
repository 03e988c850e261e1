import { nth } from "../base/checked.ts";
import { memoised, remembered } from "../base/memo.ts";
import { fitsSignature, signatureOf } from "../ir/calls.ts";
import { reachableFrom } from "../ir/controlFlow.ts";
import { expressionsWithin } from "../ir/operation.ts";
import type { Edge, Function, FunctionId, LocationId, Program } from "../ir/program.ts";
import type { ScalarType } from "../ir/type.ts";
import type { Term } from "../logic/term.ts";
import type { StepEnvironment } from "./stepEnvironment.ts";
import { clobberMemory, type SymbolicState, write } from "./symbolicState.ts";
import { enterCall, leaveCall, openScope, type SymbolicStep, symbolicStep } from "./symbolicStep.ts";
import type { FrameId, Symbols } from "./symbols.ts";
import { translateExpression } from "./translateExpression.ts";

export type Successor = {
  readonly node: InlinedNode;
  step(state: SymbolicState, environment: StepEnvironment): SymbolicStep;
};

/** The same; the node is null at the end of the run. */
export type SuccessorOrEnd = Omit<Successor, "node"> & { readonly node: InlinedNode | null };

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
        step: (state, environment) => leaveCall(symbols, caller, node, state, returning, environment),
      },
    ];
  }
  if (isCallEdge(edge)) return followCall(symbols, node, edge, activations);
  return [
    {
      node: at(node, edge.to),
      step: (state, environment) => symbolicStep(symbols, node.frame, state, edge, environment),
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
      step: (state, environment) =>
        enterCall(symbols, node.frame, { ...callee, again: true }, state, edge, environment),
    });
  }
  if (followed.length < callees.length) {
    const excluded = followed.map(({ function: fn }) => symbols.functionObject(fn.id).base);
    successors.push({
      node: at(node, edge.to),
      step: (state, environment) => unknownCall(symbols, node, edge, excluded, state, environment),
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
  environment: StepEnvironment,
): SymbolicStep {
  const { program, terms } = symbols;
  const { scope, collected } = openScope(symbols, node.frame, state, edge.range, environment);
  const { operation } = edge;
  for (const argument of operation.arguments) translateExpression(scope, argument);
  if (operation.callee.kind === "pointer") {
    const pointer = translateExpression(scope, operation.callee.pointer);
    for (const address of excluded) scope.guard(terms.ne(pointer, address));
  }
  const reason =
    operation.callee.kind === "direct" ? "a recursive call" : "a call of a function that is running, or not known";
  scope.note(reason);
  let after = clobberMemory(symbols, state, { condition: terms.bool(true), tag: environment.tag() });
  for (const variable of program.variables) {
    if (variable.kind !== "static" || variable.storage !== "register") continue;
    const value = scope.approximate(reason, variable.type as ScalarType);
    after = write(after, symbols.register(node.frame, variable.id), value);
  }
  if (operation.target === null) return collected(after);
  const value = scope.approximate(reason, nth(program.variables, operation.target).type as ScalarType);
  return collected(write(after, symbols.register(node.frame, operation.target), value));
}

/** A location of a function that was reached through a chain of calls from a loop's own frame. */
export type InlinedNode = {
  readonly function: Function;
  readonly location: LocationId;
  readonly frame: FrameId;
  /** null in the frame where the encoding starts. */
  readonly context: CallContext | null;
};

export type CallContext = {
  readonly caller: InlinedNode;
  readonly edge: CallEdge;
};

export type CallEdge = Edge & { readonly operation: { readonly kind: "call" } };

export function isCallEdge(edge: Edge): edge is CallEdge {
  return edge.operation.kind === "call";
}

/** Frames are unique per chain of calls, so frame and location determine the node. */
export function nodeKey(node: InlinedNode): string {
  return `${node.frame}:${node.location}`;
}

export function at(node: InlinedNode, location: LocationId): InlinedNode {
  return { ...node, location };
}

/** The callee's entry, or null where the callee is running already so many times (recursion). */
export function enter(
  symbols: Symbols,
  node: InlinedNode,
  edge: CallEdge,
  callee: Function,
  activations = 1,
): InlinedNode | null {
  let running = 0;
  for (let caller: InlinedNode | null = node; caller !== null; caller = caller.context?.caller ?? null) {
    if (caller.function === callee && ++running >= activations) return null;
  }
  const frame = symbols.inlinedFrame(node.frame, edge.id, callee.id);
  return { function: callee, location: callee.entry, frame, context: { caller: node, edge } };
}

/**
 * The functions that a call may enter: for one through a pointer, all whose address the program takes and that fit. A call
 * of anything else ends the run as undefined, so the list is complete.
 */
export function calleesOf(program: Program, edge: CallEdge): readonly Function[] {
  const { callee, target, arguments: args } = edge.operation;
  if (callee.kind === "direct") return [nth(program.functions, callee.function)];
  const { pointer } = callee;
  if (pointer.kind === "addressOf" && pointer.object.kind === "function") {
    return [nth(program.functions, pointer.object.function)];
  }
  const result = target === null ? null : (nth(program.variables, target).type as ScalarType);
  const signatures = new Map<string, number>();
  signatureOf(
    signatures,
    args.map(({ type }) => type),
    result,
  );
  const [key] = [...signatures.keys()];
  return addressTaken(program).filter((fn) => fitsSignature(program, fn, key!));
}

/** Functions in which, or in what they call, one of the given functions may be executed. */
export function functionsLeadingTo(program: Program, wanted: Iterable<Function>): ReadonlySet<Function> {
  const callers = new Map<Function, Set<Function>>();
  for (const fn of program.functions) {
    for (const edge of fn.edges.filter(isCallEdge)) {
      for (const callee of calleesOf(program, edge)) remembered(callers, callee, () => new Set()).add(fn);
    }
  }
  return reachableFrom(wanted, (fn) => callers.get(fn) ?? []);
}

const addressTaken = memoised((program: Program): readonly Function[] => {
  const found = new Set<FunctionId>();
  for (const { operation } of program.functions.flatMap(({ edges }) => edges)) {
    for (const expression of expressionsWithin(operation)) {
      if (expression.kind === "addressOf" && expression.object.kind === "function")
        found.add(expression.object.function);
    }
  }
  return program.functions.filter(({ id }) => found.has(id));
});
