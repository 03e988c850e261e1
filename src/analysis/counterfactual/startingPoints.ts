import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { CompileMode, ResumePoint } from "../../interpreter/compile/context.ts";
import type { Checkpoint } from "../../interpreter/rerun/checkpoints.ts";
import { firstVisits } from "../../interpreter/rerun/firstVisits.ts";
import { type CheckpointedRun, checkpointsOf } from "../../interpreter/rerun/rerun.ts";
import type { InstanceLog } from "../../interpreter/rerun/variation.ts";
import type { RunOptions } from "../../interpreter/run.ts";
import type { Edit } from "./edit.ts";
import { isRewriting, siteOfEdit } from "./editSite.ts";

/** Where re-runs of a run begin: at its last checkpoint before they do something differently; undefined for its beginning. */
export type StartingPoints = {
  /** For `CompileMode.resumes`. */
  readonly points: readonly ResumePoint[];
  /** The instances of the run that its graph describes; null where the run was not followed to its end. */
  readonly log: InstanceLog | null;
  /** The run itself, as a re-run sees it. */
  readonly run: CheckpointedRun["run"];
  forInstance(number: number): Checkpoint | undefined;
  forEdit(edit: Edit): Checkpoint | undefined;
};

/** null for a run that is too short. */
export function startingPoints(
  { trace, first: logsFrom }: DependenceGraph,
  options: RunOptions & { readonly maxSteps: number },
  watch: CompileMode["watch"],
): StartingPoints | null {
  const checkpointed = checkpointsOf(trace, options, watch, { logsFrom });
  if (checkpointed === null) return null;
  const { checkpoints, points, run, log } = checkpointed;
  const firstVisit = firstVisits(trace);
  return {
    points,
    // One that a limit ends goes on here, where re-runs get more: its instances are not those of the run.
    log: run.steps === trace.steps ? log : null,
    run,
    forInstance: (number) => checkpoints.findLast(({ instances }) => instances < number),
    forEdit(edit) {
      // Another program has other places.
      if (isRewriting(edit)) return undefined;
      const { function: fn, edges } = siteOfEdit(edit);
      const first = Math.min(...edges.map((edge) => firstVisit(fn, edge)));
      return checkpoints.findLast(({ steps }) => steps <= first);
    },
  };
}
