import type { InputValue } from "../../../src/interpreter/inputs.ts";
import type { RecordedInput } from "../../../src/interpreter/machine.ts";
import type { Outcome } from "../../../src/interpreter/outcome.ts";
import { createWarmRuns } from "../../../src/interpreter/rerun/rerun.ts";
import { stepCursor } from "../../../src/interpreter/stepCursor.ts";
import { recordTrace, type Trace } from "../../../src/interpreter/trace.ts";
import type { Edge, Program } from "../../../src/ir/program.ts";
import { matchesOf } from "../foldedRuns.ts";
import type { ExplainedCase } from "./explainedRun.ts";
import type { Claim } from "./readClaim.ts";
import { mayBeOutside, sampleSource } from "./runSample.ts";
import { describeOutcome, sameFailure } from "./sameFailure.ts";
import type { Sample } from "./sampleInputs.ts";

/** How a claim is broken. */
export type ViolationKind =
  /** A run with inputs in the condition does not fail. */
  | "passes"
  /** It fails otherwise, or elsewhere. */
  | "fails otherwise"
  | "does not end"
  /** The recorded run is none of those that are claimed to fail like it. */
  | "recorded run is outside"
  /** It says "proved" of what was not checked. */
  | "proved unchecked"
  /** What a build by gcc does is something else. */
  | "gcc differs"
  | "invariant"
  | "fact"
  | "replay"
  | "crash"
  | "hang";

export type Violation = {
  readonly kind: ViolationKind;
  readonly detail: string;
  /** Those of the run that breaks it. */
  readonly inputs: readonly InputValue[];
};

/** A run with inputs in the condition. */
export type SampledRun = {
  readonly inputs: readonly RecordedInput[];
  readonly outcome: Outcome;
  readonly verdict: "same" | "open" | Violation;
};

const shortRun = 100_000;
const longRun = 5_000_000;
/** A run that asks for more takes longer than it is worth. */
const maxMemory = 2 ** 25;
/** A run that does not end takes long to see: some are enough. */
const mostLongRuns = 3;

/** Runs the samples of a claim in the interpreter. Those that are not about the claim are left out. */
export function runSamples({ trace, claim, folded }: ExplainedCase, samples: readonly Sample[]): SampledRun[] {
  const runs: SampledRun[] = [];
  const warm = createWarmRuns(trace.program, { maxMemory });
  let longRuns = 0;
  for (const [k, sample] of samples.entries()) {
    const inputs = () => sampleSource(trace, sample, k);
    if (claim.kind === "samePath") {
      const other = recordTrace(trace.program, { inputs: inputs(), maxSteps: 20 * trace.steps + 2000, maxMemory });
      const ends = matchesOf(folded, other, { sameInputs: false });
      if (ends.length === 0) continue;
      const behind = trace.steps - folded.target.step;
      const same = sameFailure(trace.outcome, other.outcome) && ends.some((at) => other.steps - at === behind);
      if (!same && isLeftOpen(claim, trace, other))
        runs.push({ inputs: other.inputs, outcome: other.outcome, verdict: "open" });
      else runs.push(judged(trace.outcome, other.outcome, other.inputs, same));
      continue;
    }
    let run = warm.run({ inputs: inputs(), maxSteps: shortRun });
    const isLong =
      run.outcome.kind === "limit" &&
      run.outcome.limit === "steps" &&
      isSmall(trace.program, run.inputs) &&
      claim.kind === "total";
    if (isLong && longRuns++ < mostLongRuns) {
      run = warm.run({ inputs: inputs(), maxSteps: longRun });
    }
    if (mayBeOutside(claim, trace.inputs, run.inputs)) continue;
    const same = sameFailure(trace.outcome, run.outcome);
    const isUndefinedThere =
      run.outcome.kind === "undefined-behaviour" && claim.openLines.has(run.outcome.at.range.line);
    const open = isUndefinedThere || (isUnfinished(run.outcome) && (!isLong || longRuns > mostLongRuns));
    if (open) runs.push({ inputs: run.inputs, outcome: run.outcome, verdict: "open" });
    else runs.push(judged(trace.outcome, run.outcome, run.inputs, same));
  }
  return runs;
}

/** Is something undefined that is left open, or does a run go another way at a line where that is left open? */
function isLeftOpen(claim: Claim, trace: Trace, other: Trace): boolean {
  const { outcome } = other;
  if (outcome.kind === "limit") return true;
  if (outcome.kind === "undefined-behaviour" && claim.openLines.has(outcome.at.range.line)) return true;
  const own = edgesAt(trace, claim.openWays);
  return [...edgesAt(other, claim.openWays)].some(
    // Whether there is a block is no branch.
    (edge) => !own.has(edge) || (edge.operation.kind === "callLibrary" && /alloc/.test(edge.operation.name)),
  );
}

function edgesAt(trace: Trace, lines: ReadonlySet<number>): ReadonlySet<Edge> {
  const edges = new Set<Edge>();
  const cursor = stepCursor(trace);
  while (cursor.next()) {
    const edge = trace.program.functions[cursor.function]!.edges[cursor.edge]!;
    if (lines.has(edge.range.line)) edges.add(edge);
  }
  return edges;
}

function isUnfinished(outcome: Outcome): boolean {
  return outcome.kind === "limit";
}

/** Nested loops that count to the inputs would be done by now. Counters that begin again at zero go round for years, but not for ever. */
function isSmall({ variables }: Program, inputs: readonly RecordedInput[]): boolean {
  if (variables.some(({ type }) => type.kind === "int" && !type.signed && type.bits >= 32)) return false;
  const work = inputs.reduce((product: bigint, { value }) => {
    const size = typeof value === "bigint" ? (value < 0n ? -value : value) : 1n;
    return product * (size + 2n);
  }, 1n);
  return work < 200_000n;
}

function judged(own: Outcome, other: Outcome, inputs: readonly RecordedInput[], same: boolean): SampledRun {
  if (same) return { inputs, outcome: other, verdict: "same" };
  const kind =
    other.kind === "limit"
      ? "does not end"
      : other.kind === "exit" || other.kind === "assumption-violated"
        ? "passes"
        : "fails otherwise";
  const detail = `${describeOutcome(other)} instead of ${describeOutcome(own)}`;
  return { inputs, outcome: other, verdict: { kind, detail, inputs: inputs.map(({ value }) => value) } };
}
