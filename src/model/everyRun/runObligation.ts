import type { SourceRange } from "../../base/sourceRange.ts";
import type { UndefinedBehaviour } from "../../ir/operation.ts";
import type { Term } from "../../logic/term.ts";
import type { OperationObligation } from "../../symbolic/symbolicStep.ts";

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

/** What the step of an operation requires, as an obligation of every run. */
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
