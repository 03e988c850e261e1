import { TracefoldError } from "../base/errors.ts";
import type { Trace } from "../trace/trace.ts";
import type { ExplainReport } from "./explainReport.ts";
import { explainRun } from "./explainRun.ts";
import type { Explanation } from "./explanation.ts";
import type { ExplainOptions } from "./logicWork.ts";
import { stagesWatchedBy } from "./stage.ts";
import { dependences } from "./stages/dependences.ts";
import { experiments } from "./stages/experiments.ts";
import { type About, explanation, type Logic } from "./stages/explanation.ts";
import { smallestText } from "./stages/smallestText.ts";
import { whys } from "./stages/whys.ts";

export type { About } from "./stages/explanation.ts";

export type PipelineOptions = ExplainOptions &
  Parameters<typeof experiments.make>[0]["options"] &
  Parameters<typeof explanation.make>[0]["options"];

/**
 * The stages of an explanation: first what the recording knows, then what logic can prove of it (`explainRun` has those
 * stages), at last what is shown of both.
 */
export function explainTrace(
  trace: Trace,
  options: PipelineOptions,
  about: () => About,
): { readonly explanation: Explanation; readonly report: ExplainReport } {
  const stage = stagesWatchedBy({ check: options.validate ?? false, ...(options.dump ? { dump: options.dump } : {}) });
  const recorded = stage(dependences, { trace, options, about });
  const tried = stage(experiments, recorded);
  const asked = stage(whys, tried);
  const reasoned = { ...asked, logic: explainByLogic(trace, options) };
  const shrunk = stage(smallestText, reasoned);
  return stage(explanation, shrunk);
}

function explainByLogic(trace: Trace, options: ExplainOptions): Logic {
  try {
    return { kind: "run", run: explainRun(trace, options) };
  } catch (error) {
    // A run that a limit ended has no target, but a loop that it did not leave.
    const isLeft = error instanceof TracefoldError && (error.kind === "unsupported" || error.kind === "limit");
    if (isLeft) return { kind: "none", error };
    throw error;
  }
}
