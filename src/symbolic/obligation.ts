import type { SourceRange } from "../base/sourceRange.ts";
import type { UndefinedBehaviour } from "../ir/operation.ts";
import type { Term } from "../logic/term.ts";

/** What must hold for an operation to be defined: a run in which the formula is false ends there, with this problem. */
export type OperationObligation = {
  /** Over the origin of the state in which the operation starts. */
  readonly formula: Term;
  readonly problem: UndefinedBehaviour;
  readonly range: SourceRange;
};
