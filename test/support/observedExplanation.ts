import { budgetOf } from "../../src/base/cancellation.ts";
import { TracefoldError } from "../../src/base/errors.ts";
import type { Explanation } from "../../src/commands/explain/result.ts";
import { explanation } from "../../src/commands/explain/stages/explanation.ts";
import { dependences, experiments, whys } from "../../src/commands/explain/stages/recording.ts";
import { stagesWatchedBy } from "../../src/commands/explain/stages/stage.ts";
import type { Trace } from "../../src/interpreter/trace.ts";

/** Everything that the recording tells of why a run fails: without experiments and logic, which say nothing about values. */
export function observedExplanation(trace: Trace): Explanation {
  const stage = stagesWatchedBy({ check: true });
  const about = () => ({ version: "", ms: 0, replay: () => "" });
  const recorded = stage(dependences, { trace, options: { cancellation: budgetOf(0) }, about });
  const asked = stage(whys, stage(experiments, recorded));
  const error = new TracefoldError({ code: "TF220", message: "nobody asked" });
  return stage(explanation, { ...asked, logic: { kind: "none", error } as const, text: null }).explanation;
}
