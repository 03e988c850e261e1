import { nth } from "../base/checked.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import { liveRegistersOf } from "../ir/dataFlow.ts";
import { operationExpressions, type UndefinedBehaviour } from "../ir/operation.ts";
import type { Edge } from "../ir/program.ts";
import { isFalse, type Term, type Variable } from "../logic/term.ts";
import { freeVariablesOf } from "../logic/traverse.ts";
import { calleesOf, type InlinedNode, isCallEdge } from "../symbolic/followEdge.ts";
import { forget, mergeStates, type SymbolicState } from "../symbolic/symbolicState.ts";
import { type OperationObligation, openScope } from "../symbolic/symbolicStep.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { translateExpression } from "../symbolic/translateExpression.ts";
import { violations } from "../symbolic/translateUndefined.ts";
import { type Block, encodeBlock, type GuardedObligation, guardNames, type Merge } from "./block.ts";
import { isErrorEnd } from "./obligation.ts";
import type { RegionContext } from "./regionContext.ts";
import { followedPointers } from "./unencoded.ts";

export type ErrorSite = {
  readonly kind: "assertion" | "error-location" | UndefinedBehaviour;
  readonly text: string;
  readonly range: SourceRange;
  /** The number of the condition of a witness that is violated. */
  readonly stated?: number;
};

export type ErrorWay = ErrorSite & { readonly guard: Term };

/**
 * A block of a whole program, from its start or a cut point to the next ones, with the conditions under which an error of the
 * property is reached on the way. Code from which no error can be reached is left out.
 */
export type Region = Pick<Block, "ends" | "definitions" | "inputs"> & {
  readonly errors: readonly ErrorWay[];
  /** Undefined behaviour that is no error here: what is said of the region holds for runs that satisfy these. */
  readonly assumed: readonly GuardedObligation[];
};

/**
 * A way around comes back to a location that is no head: the loop is entered at several places. Whoever builds the model cuts
 * regions there, too.
 */
export class EnteredLoop extends Error {
  readonly node: InlinedNode;
  constructor(node: InlinedNode) {
    super(`${node.function.name} jumps into a loop`);
    this.node = node;
  }
}

/** Guards with more conjuncts than this get a name: errors are asked about more often than the ways of a loop. */
const longestGuard = 8;

export function encodeRegion(context: RegionContext, start: InlinedNode, state: SymbolicState, merge?: Merge): Region {
  const { symbols, behaviours } = context;
  const { terms } = symbols;
  const names = guardNames(symbols, longestGuard);
  const errors: ErrorWay[] = [];
  const addError = (site: ErrorSite, guard: Term) => {
    if (!isFalse(guard)) errors.push({ ...site, guard: names.named(guard) });
  };
  const block = encodeBlock(symbols, start, {
    isInside: context.reachesError,
    isCut: context.isCut,
    follow: context.follow,
    environment: context.environment,
    state,
    names,
    ...(merge === undefined ? {} : { merge }),
    keep: (node, reached) => withoutDead(symbols, node, reached),
    cyclic: (node) => new EnteredLoop(node),
    visit(node, edge, before) {
      const { ways, undefinedHere } = errorsOf(context, node, edge, before.state);
      for (const { guard, ...site } of ways) addError(site, terms.and(before.guard, guard));
      const goesOn = terms.not(undefinedHere);
      const guarded = (obligations: readonly OperationObligation[], guard: Term) =>
        obligations.map((obligation) => ({ ...obligation, guard }));
      const here = guarded(obligationsOf(context, node, edge, before.state), terms.and(before.guard, goesOn));
      // The operation that ends the run may be undefined before it does.
      const isEnd = context.follow(node, edge).length === 0;
      const atEnd = isEnd ? guarded(obligationsOfEnd(context, node, edge, before.state), before.guard) : [];
      return { goesOn, obligations: [...here, ...atEnd] };
    },
  });
  for (const { problem, range, guard, formula } of block.obligations) {
    if (!behaviours.has(problem)) continue;
    addError({ kind: problem, text: problem, range }, terms.and(guard, terms.not(formula)));
  }
  const assumed = block.obligations.filter(({ problem }) => !behaviours.has(problem));
  const { ends, definitions, inputs } = block;
  return { ends, definitions, inputs, assumed, errors: unique(errors) };
}

/** The two sides of a branch evaluate one condition, which may be undefined once. */
function unique(errors: readonly ErrorWay[]): readonly ErrorWay[] {
  const seen = new Set<string>();
  return errors.filter(({ guard, kind }) => {
    const key = `${guard.id}:${kind}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Another way to merge: a new name for each place that differs, and what it is on each way. No choices, no nesting. */
export function mergeByNames(context: RegionContext): Merge {
  const { symbols } = context;
  const { terms } = symbols;
  return (ways, definitions) => {
    const merged = mergeStates(symbols, ways);
    let { values } = merged;
    for (const [place, value] of merged.values) {
      if (ways.every((way) => context.valueOf(way.state, place) === value)) continue;
      // The value of a pointer says which object it points to, so it stays.
      if (freeVariablesOf([value]).some((variable) => symbols.objectWithBase(variable) !== null)) continue;
      const name = symbols.version(place);
      for (const way of ways) {
        definitions.push(terms.implies(way.guard, terms.eq(name, context.valueOf(way.state, place))));
      }
      values = values.set(place, name);
    }
    return { ...merged, values };
  };
}

/** The state without what nothing will read: registers of the node's own frame that are dead at its location. */
export function withoutDead(symbols: Symbols, node: InlinedNode, state: SymbolicState): SymbolicState {
  const live = nth(liveRegistersOf(node.function), node.location);
  const dead: Variable[] = [];
  for (const place of state.values.keys()) {
    const cell = symbols.cellOf(place);
    if (cell?.kind !== "register" || cell.frame !== node.frame || live.has(cell.variable)) continue;
    dead.push(place);
  }
  return dead.length === 0 ? state : forget(state, dead);
}

/** Undefined behaviour for which steps have no obligation of their own, because a recorded run has passed it. */
const asked: readonly UndefinedBehaviour[] = ["null-dereference"];

/** The errors at one edge, apart from violated obligations; `undefinedHere`: the run does not go on behind them. */
export function errorsOf(
  context: RegionContext,
  node: InlinedNode,
  edge: Edge,
  state: SymbolicState,
): { readonly ways: readonly ErrorWay[]; readonly undefinedHere: Term } {
  const { symbols, property } = context;
  const { terms } = symbols;
  const { operation, range } = edge;
  if (operation.kind === "fail") {
    const { reason, text, stated } = operation;
    if (!isErrorEnd(property, operation) || (reason !== "assertion" && reason !== "error-location")) {
      return { ways: [], undefinedHere: terms.bool(false) };
    }
    const way = { kind: reason, text, range, guard: terms.bool(true), ...(stated === undefined ? {} : { stated }) };
    return { ways: [way], undefinedHere: terms.bool(false) };
  }
  const ways: ErrorWay[] = [];
  for (const kind of asked) {
    if (!context.behaviours.has(kind)) continue;
    const { scope } = openScope(symbols, node.frame, state, range, context.environment);
    const isNull = followedPointers(operation).map((pointer) =>
      terms.eq(translateExpression(scope, pointer), terms.int(0n)),
    );
    const violated = terms.any([...violations(scope, operation, kind), ...isNull]);
    if (!isFalse(violated)) ways.push({ kind, text: kind, range, guard: violated });
  }
  return { ways, undefinedHere: terms.any(ways.map((way) => way.guard)) };
}

/** Requirements of an operation beyond those of its step. */
function obligationsOf(
  context: RegionContext,
  node: InlinedNode,
  edge: Edge,
  state: SymbolicState,
): readonly OperationObligation[] {
  return [...obligationsOfCall(context, node, edge, state), ...obligationsOfDeclaration(context, node, edge, state)];
}

/** A variable-length array has a size; one without elements is, as compilers have it, one that nothing can be accessed in. */
function obligationsOfDeclaration(
  context: RegionContext,
  node: InlinedNode,
  edge: Edge,
  state: SymbolicState,
): readonly OperationObligation[] {
  const { operation, range } = edge;
  if (operation.kind !== "declare" || operation.variableLength === undefined) return [];
  const { symbols } = context;
  const { scope } = openScope(symbols, node.frame, state, range, context.environment);
  const length = translateExpression(scope, operation.variableLength.length);
  return [{ formula: symbols.terms.ge(length, symbols.terms.int(0n)), problem: "array-length", range }];
}

/** A call through a pointer goes to one of the functions that it may go to. */
function obligationsOfCall(
  context: RegionContext,
  node: InlinedNode,
  edge: Edge,
  state: SymbolicState,
): readonly OperationObligation[] {
  if (!isCallEdge(edge) || edge.operation.callee.kind !== "pointer") return [];
  const { symbols } = context;
  const { terms } = symbols;
  const { scope } = openScope(symbols, node.frame, state, edge.range, context.environment);
  const pointer = translateExpression(scope, edge.operation.callee.pointer);
  const callees = calleesOf(symbols.program, edge);
  const formula = terms.any(callees.map((callee) => terms.eq(pointer, symbols.functionObject(callee.id).base)));
  return [{ formula, problem: "bad-call", range: edge.range }];
}

/** Requirements of the operation that ends a run: the value that `main` returns, the status that `exit` gets. */
export function obligationsOfEnd(
  context: RegionContext,
  node: InlinedNode,
  edge: Edge,
  state: SymbolicState,
): readonly OperationObligation[] {
  const { scope, collected } = openScope(context.symbols, node.frame, state, edge.range, context.environment);
  for (const expression of operationExpressions(edge.operation)) translateExpression(scope, expression);
  return collected(state).obligations;
}
