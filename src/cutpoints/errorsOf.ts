import { operationExpressions, type UndefinedBehaviour } from "../ir/operation.ts";
import type { Edge } from "../ir/program.ts";
import { isFalse, type Term } from "../logic/term.ts";
import { calleesOf, type InlinedNode, isCallEdge } from "../symbolic/followEdge.ts";
import type { SymbolicState } from "../symbolic/symbolicState.ts";
import { type OperationObligation, openScope } from "../symbolic/symbolicStep.ts";
import { translateExpression } from "../symbolic/translateExpression.ts";
import { violations } from "../symbolic/translateUndefined.ts";
import { isErrorEnd } from "./property.ts";
import type { ErrorWay } from "./region.ts";
import type { RegionContext } from "./regionContext.ts";
import { followedPointers } from "./unencoded.ts";

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
    const { reason, text } = operation;
    if (!isErrorEnd(property, operation) || (reason !== "assertion" && reason !== "error-location")) {
      return { ways: [], undefinedHere: terms.bool(false) };
    }
    return { ways: [{ kind: reason, text, range, guard: terms.bool(true) }], undefinedHere: terms.bool(false) };
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

/** What an operation requires beyond what its step says. */
export function obligationsOf(
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

/** What the operation that ends a run requires: the value that `main` returns, the status that `exit` gets. */
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
