import { describeInput, describeOutcome } from "../jobs/run/describeRun.ts";
import type { Trace } from "../trace/trace.ts";
import { describeMissing } from "./describeMissing.ts";
import type { ExplainReport } from "./explainReport.ts";
import type { ExplainedRun } from "./explainRun.ts";
import type { Explained, ExplanationHead, Row } from "./explanation.ts";
import type { ToldWhy } from "./why/whyExplanation.ts";

/** What the recording tells and what logic proved of it, in one explanation. */
export function joinExplanation(
  trace: Trace,
  told: ToldWhy,
  proved: ExplainedRun | null,
  report: ExplainReport,
): Explained {
  const steps = provedSteps(proved);
  const isCutOff = proved !== null && describeMissing(proved) !== null;
  const isProved = ({ id }: Row) => told.steps.get(id)!.some((step) => steps.has(step));
  const rows = (row: Row): Row => ({ ...row, evidence: isProved(row) ? "proved" : "observed" });
  return {
    ...headOf(trace, report),
    kind: "explained",
    // What is observed explains the run; but work that was ended has not answered what it was asked.
    status: isCutOff ? "unknown" : "ok",
    unknowns: isCutOff ? report.unknowns : [],
    failure: told.failure,
    sections: told.sections.map((section) => ({ ...section, rows: section.rows.map(rows) })),
    suspects: [],
    cut: { rows: told.left, suspects: 0 },
    loops: report.loops,
    inputCondition: report.inputCondition.text === "" ? null : report.inputCondition,
    reproducer:
      report.reproducer === null
        ? null
        : { inputs: report.reproducer.inputs, command: report.reproducer.command, steps: report.reproducer.steps },
    proof: report.proof,
    missing: report.unknowns.map(({ reason }) => reason),
  };
}

export function headOf(trace: Trace, report: ExplainReport): ExplanationHead {
  const { program } = trace;
  return {
    schema: 2,
    tool: report.tool,
    command: "explain",
    status: report.status === "ok" ? "ok" : "unknown",
    program: report.program,
    dataModel: report.dataModel,
    outcome: describeOutcome(program, trace.outcome),
    inputs: trace.inputs.map((input) => ({ ...describeInput(program, input), step: input.step + 1 })),
    trace: { steps: trace.steps },
    notes: report.notes,
    stats: report.stats,
    unknowns: [],
  };
}

/** The steps that a checked proof is about. */
function provedSteps(proved: ExplainedRun | null): ReadonlySet<number> {
  if (proved === null || proved.abstraction === null || !proved.proof.checked) return new Set();
  return new Set(proved.abstraction.relevant.flatMap(({ origin }) => (origin.kind === "step" ? [origin.step] : [])));
}
