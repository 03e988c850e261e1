import { loadCText } from "../../src/c/cFrontEnd.ts";
import { recordingOf } from "../../src/commands/explain/recording/recordingOf.ts";
import { dependenceGraph } from "../../src/dependence/dependenceGraph.ts";
import type { RunOptions } from "../../src/interpreter/run.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { type OpenRecording, openRecording } from "../../src/recording/openRecording.ts";

/** Records a run of a C program. */
export async function recordedC(text: string, options: RunOptions = {}, name = "test.c") {
  const program = await loadCText(name, text);
  const trace = recordTrace(program, options);
  const graph = dependenceGraph(trace);
  const recording = recordingOf(graph);
  return { trace, graph, recording, open: openRecording(recording) };
}

/** The last step of the n-th execution of the statement whose text begins so. */
export function stepAt(open: OpenRecording, text: string, visit = 1): number {
  const { statements } = open.recording;
  const statement = statements.findIndex((each) => each.text.startsWith(text));
  if (statement === -1) throw new Error(`no statement begins with ${text}`);
  const execution = open.executionsOf(statement)[visit - 1];
  if (execution === undefined) throw new Error(`${text} was not executed ${visit} times`);
  return open.stepsOf(execution).at(-1) ?? 0;
}

export function textAt({ recording }: OpenRecording, step: number): string {
  const execution = recording.steps.execution[step] ?? -1;
  return recording.statements[recording.executions.statement[execution] ?? -1]?.text ?? "";
}
