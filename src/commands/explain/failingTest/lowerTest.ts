import { type DependenceGraph, dependenceGraph } from "../../../dependence/dependenceGraph.ts";
import type { InputSource, InputValue } from "../../../interpreter/inputs.ts";
import { recordTrace, type Trace } from "../../../interpreter/trace.ts";
import { isBranch } from "../../../ir/branches.ts";
import { type Expression, expressionOperands } from "../../../ir/expression.ts";
import { operationExpressions } from "../../../ir/operation.ts";
import { type ScalarValue, toBigInt } from "../../../ir/scalarValue.ts";
import type { InputPlan, ObjectDifference } from "../../../js/lowering/context.ts";
import { reprOfRegister } from "../../../js/lowering/variables.ts";
import type { LoggedCall } from "../../../js/recorder/readLog.ts";
import type { Node } from "../../../js/recorder/syntax.ts";
import { type Concrete, unknownValue } from "../../../js/recorder/valueRules.ts";
import type { ReplayEvidence } from "../../../js/replay/evidence.ts";
import { type Lowered, lowerRecording } from "../../../js/replay/lowerRecording.ts";
import type { RecordedFile, RecordedFunction } from "../../../js/replay/recordedFile.ts";
import { replayTest } from "../../../js/replay/replayTest.ts";
import { findDifference } from "./findDifference.ts";

/** A recorded test as a run of an equivalent program. */
export type LoweredTest = {
  readonly trace: Trace;
  readonly lowered: Lowered;
  readonly comparison: LogComparison;
  /** True if the program ends like the test and computes every recorded value. */
  readonly isFaithful: boolean;
  /** Nodes whose values come from the log because the model computed others. */
  readonly demoted: ReadonlySet<Node>;
};

/** The number of times that the model is corrected from the log. */
const mostRounds = 80;

/** Lowers, runs and compares. A value that differs from the log is taken from the log in the next round. */
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

/** The first wrong node; if the run ended early, the node of its last step. */
function nextToDemote(
  graph: DependenceGraph,
  lowered: Lowered,
  { mismatch }: LogComparison,
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

export type LogComparison = {
  /** The number of values and decisions that agree. */
  readonly values: number;
  readonly decisions: number;
  /** The first difference. */
  readonly mismatch: { readonly node: Node; readonly step: number } | null;
};

/** Compares every value that the program computed for a source node with the recorded one. */
export function compareWithLog(graph: DependenceGraph, lowered: Lowered, evidence: ReplayEvidence): LogComparison {
  const counts = new Map<Node, number>();
  let values = 0;
  let decisions = 0;
  for (let step = graph.first; step < graph.end; step++) {
    const edge = graph.edge(step);
    const seen = new Set<Expression>();
    let isCompared = false;
    for (const expression of operationExpressions(edge.operation).flatMap(postOrder)) {
      const node = lowered.nodeOf.get(expression);
      if (node === undefined || expression.kind === "constant" || seen.has(expression)) continue;
      seen.add(expression);
      const recorded = evidence.values.get(node);
      if (recorded === undefined) continue;
      const at = counts.get(node) ?? 0;
      counts.set(node, at + 1);
      const computed = graph.valueOf(step, expression);
      if (computed === undefined || at >= recorded.length) return { values, decisions, mismatch: { node, step } };
      const known = recorded[at];
      if (known === unknownValue) continue;
      if (!isSame(lowered, expression, computed, known)) return { values, decisions, mismatch: { node, step } };
      values++;
      isCompared = true;
    }
    if (isCompared && isBranch(edge)) decisions++;
  }
  return { values, decisions, mismatch: null };
}

function isSame(
  { model: { encoding } }: Lowered,
  expression: Expression,
  computed: ScalarValue,
  known: Concrete,
): boolean {
  const repr = reprOfRegister({ type: expression.type });
  // The log has the truth of a condition that cannot be computed, but not its value.
  if (typeof known === "boolean" && repr !== "bool" && repr !== "any") return (computed !== 0) === known;
  const expected = encoding.encode(known, repr);
  if (repr === "double") return Object.is(Number(computed), expected) || Number(computed) === expected;
  return toBigInt(computed) === expected && fits(repr, known);
}

/** A value of another kind is treated as no value. */
function fits(repr: ReturnType<typeof reprOfRegister>, known: Concrete): boolean {
  if (repr === "int") return typeof known === "number";
  return repr !== "bool" || typeof known === "boolean";
}

function postOrder(expression: Expression): readonly Expression[] {
  return [...expressionOperands(expression).flatMap(postOrder), expression];
}

/** The inputs of a program made from a recording: the logged values of each node, in order. */
export function logInputs({ inputs, model: { encoding } }: Lowered, evidence: ReplayEvidence): InputSource {
  const counts = new Map<InputPlan["of"], Map<Node, number>>();
  const count = ({ of, node }: InputPlan): number => {
    const known = counts.get(of) ?? new Map<Node, number>();
    counts.set(of, known);
    const number = known.get(node) ?? 0;
    known.set(node, number + 1);
    return number;
  };
  return ({ plan: number }) => {
    const plan = number === undefined ? undefined : inputs[number];
    return plan === undefined ? null : valueAt(plan, count(plan));
  };

  function valueAt(plan: InputPlan, at: number): InputValue | null {
    const { node, of, repr } = plan;
    switch (of) {
      case "value": {
        const values = evidence.values.get(node) ?? [];
        return at < values.length ? encoding.encode(values[at], repr) : null;
      }
      case "throws": {
        const values = evidence.throws.get(node) ?? [];
        return at < values.length ? (values[at] ? 1n : 0n) : null;
      }
      case "callee": {
        const called = evidence.callees.get(node)?.[at];
        const known = evidence.plans.get(node);
        if (called === undefined || known?.kind !== "call") return null;
        return BigInt([...known.functions].indexOf(called));
      }
      case "goesOn": {
        const rounds = evidence.rounds.get(node) ?? [];
        return at < rounds.length ? (rounds[at] === null ? 0n : 1n) : null;
      }
      case "element": {
        const round = (evidence.rounds.get(node) ?? []).filter((each) => each !== null)[at];
        return round === undefined ? null : encoding.encode(round.value, repr);
      }
    }
  }
}
