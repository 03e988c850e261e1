import { TracefoldError } from "../../src/base/errors.ts";
import { describeProved, describeUnproved } from "../../src/commands/explain/describeProof.ts";
import { headOf, withoutProof } from "../../src/commands/explain/joinExplanation.ts";
import { type ExplainOptions, proveExplanation } from "../../src/commands/explain/proveExplanation.ts";
import type { RunOptions } from "../../src/interpreter/run.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import type { Program } from "../../src/ir/program.ts";
import { isFailure } from "../../src/search/seededRuns.ts";
import { type FlatExplained, flatExplained } from "./reports/flatReport.ts";

/** What logic says of a program's run, without experiments and whys, which take longer. */
export function provedReport(
  program: Program,
  { run, ...options }: ExplainOptions & { readonly run?: RunOptions } = {},
): FlatExplained {
  const trace = recordTrace(program, run);
  const head = headOf(trace, { version: "", ms: 0 });
  const { kind } = trace.outcome;
  if (program.watched === undefined && (kind === "exit" || kind === "assumption-violated")) {
    return flatExplained(head, {
      ...withoutProof,
      ...{ status: "ok", isCutOff: false, solver: undefined, notes: head.notes, unknowns: [], missing: [] },
    });
  }
  const replay = (inputs: readonly string[]) => inputs.join(",");
  try {
    const shrink = (options.shrink ?? true) && isFailure(trace.outcome);
    return flatExplained(head, describeProved(proveExplanation(trace, { ...options, shrink }), replay));
  } catch (error) {
    if (error instanceof TracefoldError && error.code === "TF220") {
      return flatExplained(head, describeUnproved(error, trace));
    }
    throw error;
  }
}
