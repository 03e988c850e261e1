import type { SourceRange } from "../../src/base/sourceRange.ts";
import { controlFlowOf } from "../../src/ir/controlFlow.ts";
import type { Edge, Program } from "../../src/ir/program.ts";
import type { FunctionHooks } from "../../src/trace/compile/mode.ts";
import type { Outcome } from "../../src/trace/outcome.ts";
import { execute, plainMode, type RunOptions } from "../../src/trace/run.ts";

/** What our interpreter did: the same facts that gcc's build writes down. */
export type ObservedRun = {
  readonly outcome: Outcome;
  readonly stdout: Uint8Array;
  readonly inputsRead: number;
  /** The edges that were taken out of locations with a choice, in order. */
  readonly decisions: readonly Edge[];
};

export function observeRun(program: Program, options: RunOptions): ObservedRun {
  const edges: Edge[] = [];
  const hooks = new Map<number, FunctionHooks>();
  for (const fn of program.functions) {
    const { outgoing } = controlFlowOf(fn);
    const before = new Map<number, number>();
    for (const edge of fn.edges) {
      const { kind } = edge.operation;
      if ((kind !== "assume" && kind !== "case") || outgoing[edge.from]!.length < 2) continue;
      before.set(edge.id, edges.length);
      edges.push(edge);
    }
    hooks.set(fn.id, { locations: new Map(), before, after: new Map() });
  }
  const decisions: Edge[] = [];
  const { result } = execute(
    program,
    options,
    { ...plainMode, hooks },
    { observer: (hook) => decisions.push(edges[hook]!) },
  );
  return { outcome: result.outcome, stdout: result.stdout, inputsRead: result.inputs.length, decisions };
}

export function rangeKey({ line, column, endLine, endColumn }: SourceRange): string {
  return `${line}:${column}-${endLine}:${endColumn}`;
}
