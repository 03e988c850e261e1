import type { Edge } from "../../ir/program.ts";
import type { Run } from "../../recordedRun/run.ts";
import type { InlinedNode } from "../../symbolic/followEdge.ts";

/** Is this the operation with which the recorded run fails? */
export function isGoal({ outcome }: Run, { function: fn }: Pick<InlinedNode, "function">, edge: Edge): boolean {
  switch (outcome.kind) {
    case "assertion":
    case "error-location":
    case "abort":
    case "undefined-behaviour":
      // The sides of a branch evaluate one condition.
      return outcome.at.function === fn.id && fn.edges[outcome.at.edge]!.from === edge.from;
    default:
      return false;
  }
}
