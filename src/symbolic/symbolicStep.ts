import { assertNever } from "../base/assertNever.ts";
import { Defect } from "../base/errors.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import type { CallLibrary, Case, Operation } from "../ir/operation.ts";
import type { Edge, Function } from "../ir/program.ts";
import type { ScalarType } from "../ir/type.ts";
import { isScalar } from "../ir/typeFacts.ts";
import type { Term } from "../logic/term.ts";
import { storeMemory } from "./accessMemory.ts";
import { copyMemory } from "./copyMemory.ts";
import { callLibrary } from "./libraryEffect.ts";
import type { Scope } from "./scope.ts";
import { type SymbolicState, write } from "./symbolicState.ts";
import type { FrameId, SymbolicObject, Symbols } from "./symbols.ts";
import { convertValue, translateCondition, translateExpression } from "./translateExpression.ts";

/** What a symbolic step cannot know from the program alone. */
export type Surroundings = {
  /** See `Scope.pointsTo`. */
  pointsTo(address: Term): readonly SymbolicObject[];
  /** The value of a nondeterministic read: recorded on a trace, unknown in a loop body. */
  input(operation: Operation & { kind: "input" }): Term;
  /** The value of something that the logic does not compute. */
  approximate(reason: string, type: ScalarType, range: SourceRange): Term;
  /** What a library call returns, where the logic does not compute it. */
  result(operation: CallLibrary, type: ScalarType, range: SourceRange): Term;
  /** A number that no other store of the encoding has: it names the unknowns that an unresolved store leaves behind. */
  tag(): number;
  /** The object that an allocation makes. */
  allocate(size: Term, range: SourceRange): SymbolicObject;
};

/** A step's effect: the state after it, and what a run that took the step satisfies, over the state's origin. */
export type SymbolicStep = { readonly state: SymbolicState; readonly assumptions: readonly Term[] };

/** SYMSTEP of the loop compression paper (§IV): one operation, all but calls of functions with a body and returns. */
export function symbolicStep(
  symbols: Symbols,
  frame: FrameId,
  state: SymbolicState,
  edge: Edge,
  surroundings: Surroundings,
): SymbolicStep {
  const { scope, assumptions } = openScope(symbols, frame, state, edge.range, surroundings);
  const after = apply(scope, edge, surroundings);
  return { state: after, assumptions };
}

/** The state in which a callee's body starts: its parameters hold the arguments. */
export function enterCall(
  symbols: Symbols,
  caller: FrameId,
  callee: { readonly frame: FrameId; readonly function: Function },
  state: SymbolicState,
  edge: Edge & { operation: { kind: "call" } },
  surroundings: Surroundings,
): SymbolicStep {
  const { scope, assumptions } = openScope(symbols, caller, state, edge.range, surroundings);
  const values = edge.operation.arguments.map((argument) => translateExpression(scope, argument));
  let after = state;
  callee.function.parameters.forEach((parameter, i) => {
    const value = values[i];
    const type = symbols.program.variables[parameter]!.type;
    if (value === undefined || !isScalar(type)) return;
    if (symbols.program.variables[parameter]!.storage === "register") {
      after = write(after, symbols.register(callee.frame, parameter), value);
    } else {
      // An address-taken parameter is a memory object with one region.
      const object = symbols.variableObject(callee.frame, parameter);
      const region = object.regions?.[0];
      if (region !== undefined) after = write(after, symbols.region(object, region), value);
    }
  });
  return { state: after, assumptions };
}

/** The state in which the caller goes on after the `return` edge of its callee. */
export function leaveCall(
  symbols: Symbols,
  caller: { readonly frame: FrameId; readonly edge: Edge & { operation: { kind: "call" } } },
  callee: FrameId,
  state: SymbolicState,
  edge: Edge & { operation: { kind: "return" } },
  surroundings: Surroundings,
): SymbolicStep {
  const { scope, assumptions } = openScope(symbols, callee, state, edge.range, surroundings);
  const target = caller.edge.operation.target;
  if (target === null || edge.operation.value === null) return { state, assumptions };
  const place = symbols.program.variables[target]!.type as ScalarType;
  const value = convertValue(scope, translateExpression(scope, edge.operation.value), edge.operation.value.type, place);
  return { state: write(state, symbols.register(caller.frame, target), value), assumptions };
}

/** The condition under which an `assume` or `case` edge is taken. */
export function translateGuard(scope: Scope, operation: Operation & { kind: "assume" | "case" }): Term {
  const { terms } = scope.symbols;
  if (operation.kind === "case") return translateCase(scope, operation);
  const condition = translateCondition(scope, operation.condition);
  return operation.negated ? terms.not(condition) : condition;
}

/** A scope for translating at a point of a run; what it assumes is collected. */
export function openScope(
  symbols: Symbols,
  frame: FrameId,
  state: SymbolicState,
  range: SourceRange,
  surroundings: Surroundings,
): { readonly scope: Scope; readonly assumptions: Term[] } {
  const assumptions: Term[] = [];
  const scope: Scope = {
    symbols,
    frame,
    state,
    range,
    assume: (condition) => {
      assumptions.push(condition);
    },
    approximate: (reason, type) => surroundings.approximate(reason, type, range),
    pointsTo: surroundings.pointsTo,
  };
  return { scope, assumptions };
}

function apply(scope: Scope, edge: Edge, surroundings: Surroundings): SymbolicState {
  const { symbols, state, frame } = scope;
  const operation = edge.operation;
  switch (operation.kind) {
    case "assign":
      return write(state, symbols.register(frame, operation.target), translateExpression(scope, operation.value));
    case "store": {
      const address = translateExpression(scope, operation.address);
      const value = translateExpression(scope, operation.value);
      return storeMemory(scope, address, operation, value, surroundings.tag());
    }
    case "copy":
      return copyMemory(scope, operation, surroundings.tag());
    case "assume":
    case "case":
      scope.assume(translateGuard(scope, operation));
      return state;
    case "input":
      return write(state, symbols.register(frame, operation.target), surroundings.input(operation));
    case "callLibrary":
      return callLibrary(scope, operation, surroundings.tag(), surroundings);
    case "declare":
    case "skip":
    case "fail":
      return state;
    case "call":
    case "return":
      throw new Defect(`${operation.kind} is not a step of one frame`);
    default:
      return assertNever(operation, "operation");
  }
}

function translateCase(scope: Scope, operation: Case): Term {
  const { terms } = scope.symbols;
  const selector = translateExpression(scope, operation.selector);
  const within = ([low, high]: readonly [bigint, bigint]) =>
    low === high
      ? terms.eq(selector, terms.int(low))
      : terms.and(terms.ge(selector, terms.int(low)), terms.le(selector, terms.int(high)));
  if (operation.values !== null) return terms.any(operation.values.map(within));
  return terms.not(terms.any(operation.others.map(within)));
}
