import { controlFlowOf } from "../../ir/controlFlow.ts";
import type { Program } from "../../ir/program.ts";
import { calleesOf } from "../../symbolic/callees.ts";
import { type InlinedNode, isCallEdge } from "../../symbolic/inlinedNode.ts";
import { edgeKey, type Target } from "./target.ts";

/** Can a run that is at a node still come to one of the targets, by the edges alone? */
export type Relevance = (node: InlinedNode) => boolean;

export function relevanceOf(program: Program, targets: readonly Target[]): Relevance {
  if (targets.some(({ problems }) => problems.size > 0)) return () => true;
  const wanted = new Set(targets.flatMap(({ edges }) => [...edges]));
  const reaching = program.functions.map((fn) => new Uint8Array(fn.locations));
  for (let changed = true; changed; ) {
    changed = false;
    for (const fn of program.functions) {
      const marks = reaching[fn.id]!;
      for (const location of controlFlowOf(fn).reversePostorder.toReversed()) {
        if (marks[location] === 1) continue;
        const leads = controlFlowOf(fn).outgoing[location]!.some(
          (edge) =>
            wanted.has(edgeKey(fn.id, edge.id)) ||
            (edge.operation.kind !== "fail" && marks[edge.to] === 1) ||
            (isCallEdge(edge) && calleesOf(program, edge).some((callee) => reaching[callee.id]![callee.entry] === 1)),
        );
        if (!leads) continue;
        marks[location] = 1;
        changed = true;
      }
    }
  }
  const entry = program.functions[program.entry]!;
  return (node) => {
    if (node.function.id === program.initializer) return reaching[entry.id]![entry.entry] === 1;
    if (reaching[node.function.id]![node.location] === 1) return true;
    for (let { context } = node; context !== null; context = context.caller.context) {
      if (reaching[context.caller.function.id]![context.edge.to] === 1) return true;
    }
    return false;
  };
}
