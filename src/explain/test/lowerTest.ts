import { type DependenceGraph, dependenceGraph } from "../../dependence/dependenceGraph.ts";
import { recordTrace, type Trace } from "../../interpreter/trace.ts";
import { type Expression, expressionOperands } from "../../ir/expression.ts";
import { operationExpressions } from "../../ir/operation.ts";
import type { ObjectDifference } from "../../js/lowering/context.ts";
import type { LoggedCall } from "../../js/recorder/readCalls.ts";
import type { Node } from "../../js/recorder/syntax.ts";
import { type Lowered, lowerRecording } from "../../js/replay/lowerRecording.ts";
import type { RecordedFile, RecordedFunction } from "../../js/replay/recordedFile.ts";
import { replayTest } from "../../js/replay/replayTest.ts";
import { type Comparison, compareWithLog } from "./compareWithLog.ts";
import { findDifference } from "./findDifference.ts";
import { logInputs } from "./logInputs.ts";

/** A recorded test as a run of a program that does what the test did. */
export type LoweredTest = {
  readonly trace: Trace;
  readonly lowered: Lowered;
  readonly comparison: Comparison;
  /** Does the program end where the test did, with every value on the way as it was? */
  readonly isFaithful: boolean;
  /** Nodes whose values were taken from the log because the model had others. */
  readonly demoted: ReadonlySet<Node>;
};

/** So often the model is corrected by what the log says. */
const mostRounds = 80;

/** Lowers, runs and compares; a value that is not as recorded is taken from the log from then on. */
export function lowerTest(files: readonly RecordedFile[], calls: readonly LoggedCall[]): LoweredTest | null {
  const byNumber = new Map(files.map((file) => [file.number, file]));
  const functions = calls.map((call) => byNumber.get(call.file)?.functions.get(call.enter));
  if (functions.some((fn) => fn === undefined)) return null;
  const evidence = replayTest(files, calls);
  const demoted = new Set<Node>();
  let difference: ObjectDifference | null = null;
  for (let round = 0; ; round++) {
    const lowered = lowerRecording(files, functions as RecordedFunction[], evidence, { demoted, difference });
    const trace = recordTrace(lowered.program, { inputs: logInputs(lowered, evidence) });
    const graph = dependenceGraph(trace);
    const comparison = compareWithLog(graph, lowered, evidence);
    const hasFailed = trace.outcome.kind === "assertion" || trace.outcome.kind === "error-location";
    const isFaithful = comparison.mismatch === null && hasFailed;
    if (isFaithful && difference === null) {
      difference = findDifference(trace, lowered, evidence);
      if (difference !== null) continue;
    }
    const next = isFaithful ? null : nextToDemote(graph, lowered, comparison, demoted);
    if (next === null || round >= mostRounds) return { trace, lowered, comparison, isFaithful, demoted };
    for (const node of next) demoted.add(node);
  }
}

/** The first node that went wrong; where the run itself ended, what the last step was made of. */
function nextToDemote(
  graph: DependenceGraph,
  lowered: Lowered,
  { mismatch }: Comparison,
  demoted: ReadonlySet<Node>,
): readonly Node[] | null {
  if (mismatch !== null && !demoted.has(mismatch.node)) return [mismatch.node];
  const step = mismatch?.step ?? graph.end - 1;
  const nodes = operationExpressions(graph.edge(step).operation)
    .flatMap(below)
    .flatMap((expression) => lowered.nodeOf.get(expression) ?? [])
    .filter((node) => !demoted.has(node));
  return nodes.length === 0 ? null : nodes;
}

function below(expression: Expression): readonly Expression[] {
  return [expression, ...expressionOperands(expression).flatMap(below)];
}
