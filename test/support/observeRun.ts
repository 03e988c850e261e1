import type { SourceRange } from "../../src/base/sourceRange.ts";
import type { Outcome } from "../../src/interpreter/outcome.ts";
import type { RunOptions } from "../../src/interpreter/run.ts";
import { stepCursor } from "../../src/interpreter/stepCursor.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { controlFlowOf } from "../../src/ir/controlFlow.ts";
import type { Edge, Program } from "../../src/ir/program.ts";

/** What our interpreter did: the same facts that gcc's build writes down. */
export type ObservedRun = {
  readonly outcome: Outcome;
  readonly stdout: Uint8Array;
  readonly inputsRead: number;
  /** The steps of the recorded trace that leave a location with a choice, in order. */
  readonly decisions: readonly Edge[];
};

export function observeRun(program: Program, options: RunOptions): ObservedRun {
  const trace = recordTrace(program, options);
  const choices = program.functions.map((fn) => {
    const { outgoing } = controlFlowOf(fn);
    return fn.edges.map((edge) => outgoing[edge.from]!.length > 1);
  });
  const decisions: Edge[] = [];
  const cursor = stepCursor(trace);
  while (cursor.next()) {
    if (choices[cursor.function]![cursor.edge]) decisions.push(program.functions[cursor.function]!.edges[cursor.edge]!);
  }
  return { outcome: trace.outcome, stdout: trace.stdout, inputsRead: trace.inputs.length, decisions };
}

export function rangeKey({ line, column, endLine, endColumn }: SourceRange): string {
  return `${line}:${column}-${endLine}:${endColumn}`;
}
