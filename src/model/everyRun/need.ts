import type { SourceRange } from "../../base/sourceRange.ts";
import type { UndefinedBehaviour } from "../../ir/undefinedBehaviour.ts";
import type { Term } from "../../logic/term.ts";

/**
 * What has to hold of every run that comes to an operation, for the claim that all of them fail in the same way. Null: the logic
 * has no formula for it, so that it can only be said to be left open.
 */
export type Need = {
  readonly what: NeedKind;
  readonly formula: Term | null;
  readonly range: SourceRange;
};

/**
 * `way`: a branch goes the way of the recorded run; `undefined`: an operation does nothing undefined; `failure`: the last
 * operation fails as it did.
 */
export type NeedKind =
  | { readonly kind: "way" }
  | { readonly kind: "undefined"; readonly problem: UndefinedBehaviour }
  | { readonly kind: "failure" };

export function undefinedNeed(problem: UndefinedBehaviour, formula: Term | null, range: SourceRange): Need {
  return { what: { kind: "undefined", problem }, formula, range };
}
