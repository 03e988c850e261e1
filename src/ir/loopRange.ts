import type { SourceRange } from "../base/sourceRange.ts";
import { controlFlowOf } from "./controlFlow.ts";
import type { Loop } from "./loops.ts";
import type { Edge, Function } from "./program.ts";

/** Where a reader looks for a loop: its condition, or else the first thing that an iteration does. */
export function loopRange(fn: Function, loop: Loop): SourceRange {
  const isTest = ({ operation }: Edge) =>
    operation.kind === "assume" && (operation.origin === "loop" || operation.origin === "shortCircuit");
  const leaving = controlFlowOf(fn).outgoing[loop.header]!;
  const test = leaving.find(isTest) ?? loop.backEdges.find(isTest);
  return (test ?? leaving[0]!).range;
}
