import { nth } from "../../base/checked.ts";
import { libraryFunction } from "../../c/library/table.ts";
import { unassignedReadsOf } from "../../ir/dataFlow.ts";
import { type Expression, expressionOperands, subexpressions } from "../../ir/expression.ts";
import { expressionsWithin, operationExpressions } from "../../ir/operation.ts";
import type { Edge, VariableId } from "../../ir/program.ts";
import { evaluate } from "../../logic/evaluate.ts";
import { isTrue, type Term } from "../../logic/term.ts";
import { freeVariables } from "../../logic/traverse.ts";
import { splitCases } from "../../symbolic/memory/resolveAddress.ts";
import { objectInAddress, type StepEnvironment, type TranslationScope } from "../../symbolic/stepEnvironment.ts";
import { readAddress, type SymbolicState } from "../../symbolic/symbolicState.ts";
import { openScope } from "../../symbolic/symbolicStep.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import { translateExpression } from "../../symbolic/translateExpression.ts";
import {
  encodeAt,
  executeTrace,
  inScopeAt,
  type RunEncoding,
  type TracePosition,
  traceEnvironment,
} from "../executeTrace.ts";
import type { LiveFrame, Run, RunPoint, TraceStep } from "../run.ts";
import type { Target } from "../target.ts";
import { accessObligations, libraryObligations, type ObligationContext } from "./accessObligations.ts";
import type { ObligedStep } from "./encodeRuns.ts";
import type { MemoryLife } from "./memoryLife.ts";
import { failingStep, laterObligations, mustBeDefined, type RunObligation } from "./runObligation.ts";

/** The start of single steps: the state's terms are about the point `from`, null at the start of the program. */
export type StepPosition = {
  readonly state: SymbolicState;
  readonly stack: readonly LiveFrame[];
  readonly step: number;
  readonly from: RunPoint | null;
};

export type EncodedSteps = {
  readonly steps: readonly ObligedStep[];
  readonly state: SymbolicState;
  /** That the operation behind the last step fails as it did. */
  failure(target: Target): ObligedStep;
};

type StepContext = {
  symbolicInput(index: number): Term | null;
  /** The byte of standard input that a step reads; null for one that does not, or may read any. */
  symbolicByte(step: number): Term | null;
  readonly life: MemoryLife;
  /** The step that decides that the run fails. */
  readonly decidedAt: number;
};

/** Single steps of the recorded run, up to the step `to`, as all runs take them that are like it. */
export function encodeSteps(
  symbols: Symbols,
  run: Run,
  start: StepPosition,
  to: number,
  context: StepContext,
): EncodedSteps {
  const { steps } = run.between(start.step, to);
  const { result } = encodeAt(
    symbols,
    run,
    start.from,
  )((encoding) => {
    const around = environmentOf(symbols, run, encoding, context);
    const obligations = new Map<number, readonly RunObligation[]>();
    // A block is known once the step that makes it is taken.
    let allocate = () => {};
    const executed = executeTrace(symbols, steps, start, around, (traced, before, environment) => {
      allocate();
      allocate = () => {};
      obligations.set(traced.step, obligationsOfStep(symbols, run, traced, before, environment, context));
      rememberStore(needContext(symbols, run, traced.step, traced.edge, before, environment, context), traced.edge);
      if (isAllocation(traced.edge)) allocate = () => context.life.allocated(environment.allocate(null));
    });
    allocate();
    return { executed, obligations, around };
  });
  const { executed, obligations, around } = result;
  const effects = new Map(executed.effects.map((effect) => [effect.step, effect]));
  const needed: ObligedStep[] = [];
  for (const { step, edge } of steps) {
    const effect = effects.get(step);
    const own: RunObligation[] = (effect?.obligations ?? []).map(({ formula, problem, range }) =>
      mustBeDefined(problem, formula, range),
    );
    own.push(...(obligations.get(step) ?? []));
    if (effect !== undefined && !isTrue(effect.guard)) {
      // The decision to fail is not a path that could be left open.
      const kind = step >= context.decidedAt ? "failure" : "way";
      own.push({ what: { kind }, formula: effect.guard, range: edge.range });
    }
    if (own.length === 0 && (effect?.facts.length ?? 0) === 0) continue;
    needed.push({ facts: effect?.facts ?? [], obligations: own });
  }
  const failure = (target: Target) => failureOf(symbols, run, target, executed, around(run.steps), context);
  return { steps: needed, state: executed.state, failure };
}

function environmentOf(
  symbols: Symbols,
  run: Run,
  encoding: RunEncoding,
  { symbolicInput, symbolicByte }: StepContext,
) {
  const around = traceEnvironment(symbols, run, { ...encoding, symbolicInputs: symbolicInput, symbolicByte });
  return (step: number): StepEnvironment => ({ ...around(step), event: () => null });
}

/** The requirements of an operation of the recorded run beyond the obligations of its step. */
function obligationsOfStep(
  symbols: Symbols,
  run: Run,
  { step, edge }: TraceStep,
  before: TracePosition,
  environment: StepEnvironment,
  stepContext: StepContext,
): readonly RunObligation[] {
  const context = needContext(symbols, run, step, edge, before, environment, stepContext);
  const { operation, range } = edge;
  const obligations: RunObligation[] = [...accessObligations(context, operation)];
  if (operation.kind === "callLibrary") obligations.push(...libraryObligations(context, operation));
  if (operation.kind === "copy") obligations.push(...sameOperands(context, edge, [operation.to, operation.from]));
  if (operation.kind === "declare" && operation.variableLength !== undefined) {
    const { terms } = symbols;
    const length = translateExpression(context.scope, operation.variableLength.length);
    obligations.push(mustBeDefined("array-length", terms.ge(length, terms.int(1n)), range));
  }
  return obligations;
}

function needContext(
  symbols: Symbols,
  run: Run,
  step: number,
  edge: Edge,
  { state, stack }: TracePosition,
  environment: StepEnvironment,
  { life }: StepContext,
): ObligationContext {
  const top = nth(stack, stack.length - 1);
  const { scope } = openScope(symbols, top.frame, state, edge.range, environment);
  const at: RunPoint = { step, location: edge.from, stack: [...stack] };
  life.inFrames(new Set(stack.map(({ frame }) => frame)));
  const unassigned = unassignedReadsOf(run.program, top.function).get(edge.id);
  return {
    scope,
    life,
    at,
    // On the way of the recorded run it has a value, unless a folded loop gave it one.
    isUnassigned: (variable) =>
      unassigned?.has(variable) === true &&
      state.values.get(symbols.register(top.frame, variable as VariableId)) === undefined,
    asRecorded: (expression, term) => asRecorded(scope, run, at, edge, expression, term),
  };
}

/** That a term is the number, or the place in the object, that the expression was on the recorded run. */
function asRecorded(
  { symbols, state }: TranslationScope,
  run: Run,
  at: RunPoint,
  edge: Edge,
  expression: Expression,
  term: Term,
): Term | null {
  const { terms } = symbols;
  const there = inScopeAt(symbols, run, at, edge, (scope) => translateExpression(scope, expression));
  if (expression.type.kind !== "pointer") {
    const value = run.valuesAt(symbols, at, (assignment) => evaluate(there, assignment));
    return typeof value === "bigint" ? terms.eq(term, terms.int(value)) : null;
  }
  const object = run.objectsAt(symbols, at, [there])[0] ?? null;
  const place = run.placeAt(symbols, at, there);
  if (object === null || place === null) return null;
  return terms.eq(term, terms.add(readAddress(state, object), terms.int(place.offset)));
}

/** The addresses that an operation uses are those of the recorded run. */
function sameOperands(context: ObligationContext, edge: Edge, expressions: readonly Expression[]): RunObligation[] {
  const { scope } = context;
  return expressions.flatMap((expression) => {
    const term = translateExpression(scope, expression);
    const object = objectInAddress(scope.symbols, term);
    const offset = object === null ? null : scope.symbols.terms.sub(term, readAddress(scope.state, object));
    if (offset?.kind === "int" || term.kind === "int") return [];
    return [mustBeDefined("invalid-pointer", context.asRecorded(expression, term), edge.range)];
  });
}

function isAllocation({ operation }: Edge): boolean {
  return operation.kind === "callLibrary" && libraryFunction(operation.name).allocates !== null;
}

/** Keeps up with where it is not known which cells have a value. */
function rememberStore({ scope, life, at, asRecorded }: ObligationContext, { operation }: Edge): void {
  if (operation.kind !== "store") return;
  const place = translateExpression(scope, operation.address);
  for (const { guard, address } of splitCases(scope, place)) {
    const object = objectInAddress(scope.symbols, address);
    if (object === null) continue;
    const isConstant = scope.symbols.terms.sub(address, readAddress(scope.state, object)).kind === "int";
    if (isConstant && isTrue(guard)) continue;
    life.wroteSomewhere(object, at, asRecorded(operation.address, place));
  }
}

/** The last operation: its violated rule follows; where no value says it, it works on what it worked on. */
function failureOf(
  symbols: Symbols,
  run: Run,
  target: Target,
  executed: TracePosition & { readonly effects: readonly unknown[] },
  environment: StepEnvironment,
  context: StepContext,
): ObligedStep {
  const { outcome, program } = run;
  if (outcome.kind !== "undefined-behaviour") return { facts: [], obligations: [] };
  const edge = nth(nth(program.functions, outcome.at.function).edges, outcome.at.edge);
  const { stack } = executed;
  const facts: Term[] = [];
  const obligations: RunObligation[] = [];
  const failure = (formula: Term | null) => obligations.push({ what: { kind: "failure" }, formula, range: edge.range });
  const own = needContext(symbols, run, run.steps, edge, executed, environment, context);
  const { operation } = edge;
  const step = failingStep(symbols, nth(stack, stack.length - 1).frame, executed.state, edge, environment);
  facts.push(...step.facts);
  const isLater = laterObligations(symbols, run, own.at, edge);
  const missing = new Set(
    unassignedIn(own, edge).flatMap((read) => freeVariables(translateExpression(own.scope, read))),
  );
  for (const obligation of step.obligations) {
    const { problem, formula, range } = obligation;
    // Terms over the missing value are evaluated after the failure.
    if (freeVariables(formula).some((variable) => missing.has(variable))) continue;
    if (problem !== outcome.problem && !isLater(obligation)) obligations.push(mustBeDefined(problem, formula, range));
  }
  if (run.event() === null) failure(target.formula(symbols, executed, environment));
  else if (mayHaveEnded(run, edge, own, context.life)) failure(null);
  else {
    // A cell that is not there has no value either, but that is another failure, and comes first.
    if (outcome.problem === "uninitialised-read")
      obligations.push(...accessObligations(own, operation).filter(isAboutBounds));
    // To read what has no value is the failure: there is no recorded value that it would have to have.
    const isFailure = (expression: Expression) =>
      outcome.problem === "uninitialised-read" && readsUnassigned(own, expression);
    for (const expression of addressesOf(edge, isFailure)) {
      if (isFailure(expression)) continue;
      const term = translateExpression(own.scope, expression);
      const object = objectInAddress(symbols, term);
      if (term.kind !== "int") failure(own.asRecorded(expression, term));
      if (object !== null) failure(context.life.settledIf(object));
    }
  }
  return { facts, obligations: obligations.filter(({ formula }) => formula === null || !isTrue(formula)) };
}

function isAboutBounds({ what }: RunObligation): boolean {
  return what.kind === "undefined" && (what.problem === "out-of-bounds-read" || what.problem === "out-of-bounds-write");
}

/** True if a folded loop may have initialised or freed the object: its number of rounds is open. */
function mayHaveEnded(run: Run, edge: Edge, { scope, at }: ObligationContext, life: MemoryLife): boolean {
  if (life.mayHaveFreed()) return true;
  const { frame, function: fn } = nth(at.stack, at.stack.length - 1);
  const unassigned = [...(unassignedReadsOf(run.program, fn).get(edge.id) ?? [])];
  return unassigned.some((id) => life.mayHaveWritten(scope.symbols.register(frame, id as VariableId)));
}

/** Is a register without a value part of it? All parts of an expression are evaluated. */
function readsUnassigned(context: ObligationContext, expression: Expression): boolean {
  return subexpressions(expression).some((part) => part.kind === "variable" && context.isUnassigned(part.variable));
}

/** The registers without a value that an operation reads. */
function unassignedIn(context: ObligationContext, { operation }: Edge): readonly Expression[] {
  return expressionsWithin(operation).filter(
    (expression) => expression.kind === "variable" && context.isUnassigned(expression.variable),
  );
}

/** The addresses that an operation uses: arguments of a library call, addresses of accesses, also inside of failing arguments. */
function addressesOf({ operation }: Edge, isFailure: (expression: Expression) => boolean): readonly Expression[] {
  const found: Expression[] = operation.kind === "store" ? [operation.address] : [];
  const visit = (expression: Expression): void => {
    if (expression.kind === "load") found.push(expression.address);
    for (const operand of expressionOperands(expression)) visit(operand);
  };
  if (operation.kind !== "callLibrary") operationExpressions(operation).forEach(visit);
  else {
    found.push(...operation.arguments);
    operation.arguments.filter(isFailure).forEach(visit);
  }
  return found;
}
