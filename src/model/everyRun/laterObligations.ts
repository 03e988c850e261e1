import { nth } from "../../base/checked.ts";
import { operationExpressions } from "../../ir/operation.ts";
import type { Edge } from "../../ir/program.ts";
import { evaluate } from "../../logic/evaluate.ts";
import { pointerHints, traceEnvironment } from "../../recordedRun/executeTrace.ts";
import type { Run, RunPoint } from "../../recordedRun/run.ts";
import type { StepEnvironment } from "../../symbolic/stepEnvironment.ts";
import { originState, type SymbolicState } from "../../symbolic/symbolicState.ts";
import { type OperationObligation, openScope, type SymbolicStep, symbolicStep } from "../../symbolic/symbolicStep.ts";
import type { FrameId, Symbols } from "../../symbolic/symbols.ts";
import { translateExpression } from "../../symbolic/translateExpression.ts";

/** What the failing operation does up to its failure: a call that fails is not entered, a return does not leave. */
export function failingStep(
  symbols: Symbols,
  frame: FrameId,
  state: SymbolicState,
  edge: Edge,
  environment: StepEnvironment,
): SymbolicStep {
  const { operation, range } = edge;
  if (operation.kind !== "call" && operation.kind !== "return") {
    return symbolicStep(symbols, frame, state, edge, environment);
  }
  const { scope, collected } = openScope(symbols, frame, state, range, environment);
  for (const expression of operationExpressions(operation)) translateExpression(scope, expression);
  return collected(state);
}

/**
 * Is an obligation of the failing operation looked at only behind the one that failed? One operation looks at them in the
 * same order in every run, so what was violated on the recorded run too, and is not what it failed by, comes later: `x.a[9]` is
 * outside of the array before it is outside of the struct.
 */
export function laterObligations(
  symbols: Symbols,
  run: Run,
  at: RunPoint,
  edge: Edge,
): (obligation: OperationObligation) => boolean {
  const { frame } = nth(at.stack, at.stack.length - 1);
  const there = pointerHints(symbols, run, at).until((pointsTo) => {
    const environment = traceEnvironment(symbols, run, { pointsTo, note: () => {} })(at.step);
    return failingStep(symbols, frame, originState, edge, { ...environment, event: () => null }).obligations;
  });
  const isViolated = ({ formula }: OperationObligation) =>
    run.valuesAt(symbols, at, (assignment) => evaluate(formula, assignment)) === false;
  // Several of one kind cannot be told apart: then all have to be violated.
  return ({ problem }) => {
    const same = there.filter((each) => each.problem === problem);
    return same.length > 0 && same.every(isViolated);
  };
}
