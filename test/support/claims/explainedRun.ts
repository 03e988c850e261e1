import { TracefoldError } from "../../../src/base/errors.ts";
import { describeProved } from "../../../src/commands/explain/describeProof.ts";
import { headOf } from "../../../src/commands/explain/joinExplanation.ts";
import { type ExplainOptions, proveExplanation } from "../../../src/commands/explain/proveExplanation.ts";
import type { RecordedInput } from "../../../src/interpreter/machine.ts";
import type { Trace } from "../../../src/interpreter/trace.ts";
import type { ScalarType } from "../../../src/ir/type.ts";
import type { FoldedRun } from "../foldedRuns.ts";
import { type FlatExplained, flatExplained } from "../reports/flatReport.ts";
import { type Claim, readClaim } from "./readClaim.ts";

/** A run, its report as anybody sees it, and the folded run behind it. */
export type ExplainedCase = {
  readonly trace: Trace;
  readonly report: FlatExplained;
  readonly claim: Claim;
  readonly folded: FoldedRun;
};

/** Null where no formula stands for what the run does. */
export function explainCase(trace: Trace, options: ExplainOptions): ExplainedCase | null {
  try {
    const run = proveExplanation(trace, options);
    const replay = (inputs: readonly string[]) => `tracefold run program.c --inputs=${inputs.join(",")}`;
    const report = flatExplained(headOf(trace, { version: "", ms: 0 }), describeProved(run, replay));
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
