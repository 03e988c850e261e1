import { TracefoldError } from "../../../src/base/errors.ts";
import { describeExplanation } from "../../../src/explain/describeExplanation.ts";
import type { ExplainReport } from "../../../src/explain/explainReport.ts";
import { explainRun } from "../../../src/explain/explainRun.ts";
import type { ExplainOptions } from "../../../src/explain/logicWork.ts";
import type { RecordedInput } from "../../../src/interpreter/machine.ts";
import type { Trace } from "../../../src/interpreter/trace.ts";
import type { ScalarType } from "../../../src/ir/type.ts";
import type { FoldedRun } from "../foldedRuns.ts";
import { type Claim, readClaim } from "./readClaim.ts";

/** A run, its report as anybody sees it, and the folded run behind it. */
export type ExplainedCase = {
  readonly trace: Trace;
  readonly report: ExplainReport;
  readonly claim: Claim;
  readonly folded: FoldedRun;
};

/** Null where no formula stands for what the run does. */
export function explainCase(trace: Trace, options: ExplainOptions): ExplainedCase | null {
  try {
    const run = explainRun(trace, options);
    const replay = (inputs: readonly string[]) => `tracefold run program.c --inputs=${inputs.join(",")}`;
    const report = describeExplanation(run, { version: "", ms: 0, replay });
    const names = trace.inputs.map((input) => inputVariable(trace, input));
    const folded = { trace, target: run.target, folds: run.compressed.folds };
    return { trace, report, claim: readClaim(report, names), folded };
  } catch (error) {
    if (error instanceof TracefoldError && error.code === "TF220") return null;
    throw error;
  }
}

function inputVariable({ program }: Trace, { function: fn, edge }: RecordedInput): string {
  const { operation } = program.functions[fn]!.edges[edge]!;
  return operation.kind === "input" ? program.variables[operation.target]!.name : "";
}

export function inputType({ program }: Trace, { function: fn, edge }: RecordedInput): ScalarType | null {
  const { operation } = program.functions[fn]!.edges[edge]!;
  return operation.kind === "input" ? operation.type : null;
}
