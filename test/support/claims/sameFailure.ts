import type { SourceRange } from "../../../src/base/sourceRange.ts";
import type { Outcome } from "../../../src/interpreter/outcome.ts";

/** Does a run fail where another one fails, and in the same way? */
export function sameFailure(one: Outcome, other: Outcome): boolean {
  if (one.kind !== other.kind || samePlace(one, other) === false) return false;
  return one.kind !== "undefined-behaviour" || other.kind !== "undefined-behaviour" || one.problem === other.problem;
}

function samePlace(one: Outcome, other: Outcome): boolean {
  const [a, b] = [placeOf(one), placeOf(other)];
  return a?.line === b?.line && a?.column === b?.column && a?.file === b?.file;
}

export function placeOf(outcome: Outcome): SourceRange | null {
  return "at" in outcome ? (outcome.at?.range ?? null) : null;
}

/** `undefined-behaviour at 12:5 (division-by-zero)`. */
export function describeOutcome(outcome: Outcome): string {
  const range = placeOf(outcome);
  const place = range === null ? "" : ` at ${range.line}:${range.column}`;
  if (outcome.kind === "undefined-behaviour") return `${outcome.problem}${place}`;
  if (outcome.kind === "limit") return `limit of ${outcome.limit}`;
  return `${outcome.kind}${outcome.kind === "exit" ? ` ${outcome.code}` : ""}${place}`;
}
