import { nth } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { operationExpressions, type UndefinedBehaviour } from "../../ir/operation.ts";
import type { Edge } from "../../ir/program.ts";
import { evaluate } from "../../logic/evaluate.ts";
import type { Term } from "../../logic/term.ts";
import type { StepEnvironment } from "../../symbolic/stepEnvironment.ts";
import type { SymbolicState } from "../../symbolic/symbolicState.ts";
import { type OperationObligation, openScope, type SymbolicStep, symbolicStep } from "../../symbolic/symbolicStep.ts";
import type { FrameId, Symbols } from "../../symbolic/symbols.ts";
import { translateExpression } from "../../symbolic/translateExpression.ts";
import { inScopeAt } from "../executeTrace.ts";
import type { Run, RunPoint } from "../run.ts";

/**
 * What has to hold of every run that comes to an operation, for the claim that all of them fail in the same way. A null
 * formula: the logic has none for it, so it can only be left open.
 */
export type RunObligation = {
  readonly what: RunObligationKind;
  readonly formula: Term | null;
  readonly range: SourceRange;
};

/**
 * `way`: a branch goes the way of the recorded run; `undefined`: an operation does nothing undefined; `failure`: the last
 * operation fails as it did.
 */
export type RunObligationKind =
  | { readonly kind: "way" }
  | { readonly kind: "undefined"; readonly problem: UndefinedBehaviour }
  | { readonly kind: "failure" };

export function mustBeDefined(problem: UndefinedBehaviour, formula: Term | null, range: SourceRange): RunObligation {
  return { what: { kind: "undefined", problem }, formula, range };
}

/** The requirement of an operation, as an obligation of every run. */
export function ofOperation({ problem, formula, range }: OperationObligation): RunObligation {
  return mustBeDefined(problem, formula, range);
}

/**
 * Something that a claim about other runs leaves open, at a place. The key tells it apart from others of the same runs, and is
 * the same whenever the runs are encoded.
 */
export type OpenPoint = { readonly key: string; readonly range: SourceRange } & OpenKind;

/** `ends`: that a loop ends. `way`: that a branch goes, or a loop is left, as on the recorded run. */
export type OpenKind = RunObligationKind | { readonly kind: "ends" };

export function openPoint(piece: number, { what, range }: RunObligation): OpenPoint {
  const problem = what.kind === "undefined" ? what.problem : what.kind;
  return { ...what, key: keyOf(piece, problem, range), range };
}

export function endlessPoint(piece: number, range: SourceRange): OpenPoint {
  return { kind: "ends", key: keyOf(piece, "ends", range), range };
}

export function detourPoint(piece: number, range: SourceRange): OpenPoint {
  return { kind: "way", key: keyOf(piece, "leaves", range), range };
}

function keyOf(piece: number, what: string, { line, column }: SourceRange): string {
  return `${piece}:${what}@${line}:${column}`;
}

/** The key of an open point in words: `the loop at line 12 ends`. */
export function describeOpenKey(key: string): string {
  const [, what, line] = /^\d+:(.+)@(\d+):\d+$/.exec(key) ?? [];
  if (what === undefined) return key;
  if (what === "ends") return `the loop at line ${line} ends`;
  if (what === "leaves") return `the loop at line ${line} is left in the same way`;
  return what === "way" ? `line ${line} goes the same way` : `there is no ${what} at line ${line}`;
}

/** The effect of the failing operation up to its failure: a failing call is not entered, a failing return does not leave. */
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
  const there = inScopeAt(
    symbols,
    run,
    at,
    edge,
    ({ state }, environment) =>
      failingStep(symbols, frame, state, edge, { ...environment, event: () => null }).obligations,
  );
  const isViolated = ({ formula }: OperationObligation) =>
    run.valuesAt(symbols, at, (assignment) => evaluate(formula, assignment)) === false;
  // Several of one kind cannot be told apart: then all have to be violated.
  return ({ problem }) => {
    const same = there.filter((each) => each.problem === problem);
    return same.length > 0 && same.every(isViolated);
  };
}
