import type { SourceRange } from "../../base/sourceRange.ts";
import type { UndefinedBehaviour } from "../../ir/undefinedBehaviour.ts";
import type { Need } from "./need.ts";

/**
 * Something that a claim about other runs leaves open, at a place. The key tells it apart from others of the same runs, and is
 * the same whenever the runs are encoded.
 */
export type OpenPoint = { readonly key: string; readonly range: SourceRange } & OpenKind;

export type OpenKind =
  /** That a loop ends. */
  | { readonly kind: "ends" }
  /** That an operation does nothing undefined. */
  | { readonly kind: "undefined"; readonly problem: UndefinedBehaviour }
  /** That a branch goes, or a loop is left, as on the recorded run. */
  | { readonly kind: "way" }
  /** That the last operation fails as it did. */
  | { readonly kind: "failure" };

export function needPoint(piece: number, { what, range }: Need): OpenPoint {
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
