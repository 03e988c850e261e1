import { nth } from "../base/checked.ts";
import { assertNever, Defect } from "../base/errors.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import type { Case, Operation, UndefinedBehaviour } from "../ir/operation.ts";
import type { Edge, Function, VariableId } from "../ir/program.ts";
import { isScalar, type ScalarType } from "../ir/type.ts";
import { isTrue, type Term, type Variable } from "../logic/term.ts";
import { convertValue } from "./convertValue.ts";
import { callLibrary } from "./library/libraryEffect.ts";
import { storeMemory } from "./memory/accessMemory.ts";
import { copyMemory } from "./memory/copyMemory.ts";
import { localLifeOf } from "./memory/localLife.ts";
import type { StepEnvironment, TranslationScope } from "./stepEnvironment.ts";
import { forget, type SymbolicState, write, writeAll } from "./symbolicState.ts";
import type { FrameId, SymbolicObject, Symbols } from "./symbols.ts";
import { translateCondition, translateExpression } from "./translateExpression.ts";

/** A step's effect. The formulas are over the state's origin. */
export type SymbolicStep = {
  /** After the step. */
  readonly state: SymbolicState;
  /** A run that comes here takes this step, and no other, if this holds. */
  readonly guard: Term;
  /** The requirements for the operation to be defined, whether or not a run takes this step. */
  readonly obligations: readonly OperationObligation[];
  /** Facts of every run that reaches this step. */
  readonly facts: readonly Term[];
};

/** The conditions of a run that took the step. */
export function assumptionsOf({ guard, obligations, facts }: Omit<SymbolicStep, "state">): readonly Term[] {
  const assumed = [...facts, ...obligations.map(({ formula }) => formula)];
  return isTrue(guard) ? assumed : [...assumed, guard];
}

/** SYMSTEP of the loop compression paper (§IV): one operation, all but calls of functions with a body and returns. */
export function symbolicStep(
  symbols: Symbols,
  frame: FrameId,
  state: SymbolicState,
  edge: Edge,
  environment: StepEnvironment,
): SymbolicStep {
  const { scope, collected } = openScope(symbols, frame, state, edge.range, environment);
  return collected(apply(scope, edge, environment));
}

/** A frame that a call enters. */
export type Callee = {
  readonly frame: FrameId;
  readonly function: Function;
  /** The frame's variables may have been other objects before: a call inside of a loop that is entered again. */
  readonly again?: boolean;
};

/** The state in which a callee's body starts: its parameters hold the arguments. */
export function enterCall(
  symbols: Symbols,
  caller: FrameId,
  callee: Callee,
  state: SymbolicState,
  edge: Edge & { operation: { kind: "call" } },
  environment: StepEnvironment,
): SymbolicStep {
  const { scope, collected } = openScope(symbols, caller, state, edge.range, environment);
  const { operation } = edge;
  if (operation.callee.kind === "pointer") {
    const pointer = translateExpression(scope, operation.callee.pointer);
    scope.guard(symbols.terms.eq(pointer, symbols.functionObject(callee.function.id).base));
  }
  const values = operation.arguments.map((argument) => translateExpression(scope, argument));
  let after = callee.again === true ? renewLocals(symbols, callee, state, environment) : state;
  callee.function.parameters.forEach((parameter, i) => {
    const value = values[i];
    const { type, storage } = nth(symbols.program.variables, parameter);
    if (value === undefined || !isScalar(type)) return;
    if (storage === "register") {
      after = write(after, symbols.register(callee.frame, parameter), value);
    } else {
      // An address-taken parameter is a memory object with one region.
      const object = symbols.variableObject(callee.frame, parameter);
      const region = object.regions?.[0];
      if (region !== undefined) after = write(after, symbols.region(object, region), value);
    }
  });
  return collected(after);
}

/** The initialiser has returned: the entry function starts with what the environment passes. */
export function enterProgram(
  symbols: Symbols,
  { frame, function: fn }: Callee,
  state: SymbolicState,
  environment: StepEnvironment,
): SymbolicState {
  const values = environment.entryArguments();
  const writes = fn.parameters.flatMap((parameter, i): [Variable, Term][] => {
    const value = values[i] ?? null;
    if (value === null || nth(symbols.program.variables, parameter).storage !== "register") return [];
    return [[symbols.register(frame, parameter), value]];
  });
  return writeAll(state, writes);
}

/** The callee's variables in memory are new objects. */
function renewLocals(
  symbols: Symbols,
  callee: Callee,
  state: SymbolicState,
  environment: StepEnvironment,
): SymbolicState {
  let after = state;
  for (const variable of localLifeOf(symbols.program, callee.function).escaping) {
    const object = symbols.variableObject(callee.frame, variable);
    after = write(after, object.base, symbols.rebirth(object, environment.tag()));
  }
  return after;
}

/** The state in which the caller goes on after the `return` edge of its callee. */
export function leaveCall(
  symbols: Symbols,
  caller: { readonly frame: FrameId; readonly edge: Edge & { operation: { kind: "call" } } },
  callee: { readonly frame: FrameId; readonly function: Function },
  state: SymbolicState,
  edge: Edge & { operation: { kind: "return" } },
  environment: StepEnvironment,
): SymbolicStep {
  const { scope, collected } = openScope(symbols, callee.frame, state, edge.range, environment);
  const target = caller.edge.operation.target;
  const { value } = edge.operation;
  if (value === null) return collected(forgetFrame(symbols, callee, state));
  const returned = translateExpression(scope, value);
  const left = forgetFrame(symbols, callee, state);
  if (target === null) return collected(left);
  const place = nth(symbols.program.variables, target).type as ScalarType;
  const result = convertValue(scope, returned, value.type, place);
  return collected(write(left, symbols.register(caller.frame, target), result));
}

/** Nothing can be read from a frame that was left: a pointer into it must not be used. */
function forgetFrame(
  symbols: Symbols,
  callee: { readonly frame: FrameId; readonly function: Function },
  state: SymbolicState,
): SymbolicState {
  const dead: Variable[] = [];
  for (const id of [...callee.function.parameters, ...callee.function.locals]) {
    const variable = nth(symbols.program.variables, id);
    if (variable.kind === "static") continue;
    if (variable.storage === "register") dead.push(symbols.register(callee.frame, id));
    else {
      const object = symbols.variableObject(callee.frame, id);
      for (const region of object.regions ?? []) dead.push(symbols.region(object, region));
      dead.push(object.base);
    }
  }
  return dead.length === 0 ? state : forget(state, dead);
}

/** The condition under which an `assume` or `case` edge is taken. */
export function translateGuard(scope: TranslationScope, operation: Operation & { kind: "assume" | "case" }): Term {
  const { terms } = scope.symbols;
  if (operation.kind === "case") return translateCase(scope, operation);
  const condition = translateCondition(scope, operation.condition);
  return operation.negated ? terms.not(condition) : condition;
}

/** A scope for translating at a point of a run; `collected` makes a step of the state after it and what was said on the way. */
export function openScope(
  symbols: Symbols,
  frame: FrameId,
  state: SymbolicState,
  range: SourceRange,
  environment: StepEnvironment,
): { readonly scope: TranslationScope; collected(after: SymbolicState): SymbolicStep } {
  const guards: Term[] = [];
  const obligations: OperationObligation[] = [];
  const facts: Term[] = [];
  const scope: TranslationScope = {
    symbols,
    frame,
    state,
    range,
    wraps: environment.undefinedBehaviour === "wrap",
    endsAtNull: environment.endsAtNull === true,
    guard(condition) {
      if (!isTrue(condition)) guards.push(condition);
    },
    require(formula, problem) {
      if (!isTrue(formula)) obligations.push({ formula, problem, range });
    },
    learn(fact) {
      if (!isTrue(fact)) facts.push(fact);
    },
    approximate: (reason, type, kind) => environment.approximate(reason, type, range, kind),
    note: (reason, kind) => environment.note(reason, range, kind),
    tag: environment.tag,
    pointsTo: environment.pointsTo,
    ...(environment.heldOnRun === undefined ? {} : { heldOnRun: environment.heldOnRun }),
  };
  return { scope, collected: (after) => ({ state: after, guard: symbols.terms.all(guards), obligations, facts }) };
}

function apply(scope: TranslationScope, edge: Edge, environment: StepEnvironment): SymbolicState {
  const { symbols, state, frame } = scope;
  const operation = edge.operation;
  switch (operation.kind) {
    case "assign":
      return write(state, symbols.register(frame, operation.target), translateExpression(scope, operation.value));
    case "store": {
      const address = translateExpression(scope, operation.address);
      const value = translateExpression(scope, operation.value);
      return storeMemory(scope, address, operation, value);
    }
    case "copy":
      return copyMemory(scope, {
        to: translateExpression(scope, operation.to),
        from: translateExpression(scope, operation.from),
        size: operation.size,
        toExpression: operation.to,
        fromExpression: operation.from,
      });
    case "assume":
    case "case":
      scope.guard(translateGuard(scope, operation));
      return state;
    case "input":
      return readInput(scope, operation, environment);
    case "callLibrary":
      return callLibrary(scope, operation, environment);
    case "declare":
      return declare(scope, edge, operation.variable, environment);
    case "fail":
      if (operation.code !== null) translateExpression(scope, operation.code);
      return state;
    case "skip":
      return state;
    case "call":
    case "return":
      throw new Defect(`${operation.kind} is not a step of one frame`);
    default:
      return assertNever(operation, "operation");
  }
}

function readInput(
  scope: TranslationScope,
  operation: Operation & { kind: "input" },
  environment: StepEnvironment,
): SymbolicState {
  const { symbols, state, frame } = scope;
  const { terms } = symbols;
  const value = environment.input(operation);
  if (operation.within !== undefined) {
    const [low, high] = operation.within;
    scope.learn(terms.and(terms.ge(value, terms.int(low)), terms.le(value, terms.int(high))));
  }
  return write(state, symbols.register(frame, operation.target), value);
}

/** The old value is indeterminate, so that nothing reads it; but the variable may be another object from now on. */
function declare(scope: TranslationScope, edge: Edge, id: VariableId, environment: StepEnvironment): SymbolicState {
  const { symbols, state, frame } = scope;
  const variable = nth(symbols.program.variables, id);
  if (variable.storage === "register" || variable.function === null || variable.kind === "static") return state;
  const object = symbols.variableObject(frame, id);
  const cleared = symbols.program.memoryIsInput === true ? drawAgain(symbols, state, object) : state;
  const life = localLifeOf(symbols.program, nth(symbols.program.functions, variable.function));
  if (!life.isReborn(id, edge.from, environment.hasNoAddresses !== true)) return cleared;
  return write(cleared, object.base, symbols.rebirth(object, scope.tag()));
}

/** Each time that a variable is declared, its memory holds inputs of its own. */
function drawAgain(symbols: Symbols, state: SymbolicState, object: SymbolicObject): SymbolicState {
  const places = (object.regions ?? []).map((region) => symbols.region(object, region));
  return writeAll(
    state,
    places.map((place) => [place, symbols.version(place)] as const),
  );
}

function translateCase(scope: TranslationScope, operation: Case): Term {
  const { terms } = scope.symbols;
  const selector = translateExpression(scope, operation.selector);
  const within = ([low, high]: readonly [bigint, bigint]) =>
    low === high
      ? terms.eq(selector, terms.int(low))
      : terms.and(terms.ge(selector, terms.int(low)), terms.le(selector, terms.int(high)));
  if (operation.values !== null) return terms.any(operation.values.map(within));
  return terms.not(terms.any(operation.others.map(within)));
}

/** A condition for an operation to be defined: a run in which it is false ends there, with this problem. */
export type OperationObligation = {
  /** Over the origin of the state in which the operation starts. */
  readonly formula: Term;
  readonly problem: UndefinedBehaviour;
  readonly range: SourceRange;
};
