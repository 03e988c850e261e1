import type { Expression } from "../ir/expression.ts";
import type { EdgeId, FunctionId } from "../ir/program.ts";

/** A place in generated code where a run may end. */
export type Site = {
  readonly function: FunctionId;
  readonly edge: EdgeId;
  /** The expression whose evaluation fails; null for the operation itself. */
  readonly expression: Expression | null;
  /** Edges of the block from this one on: they were counted when the block began and are not executed. */
  readonly remaining: number;
};
