import type { LocationId } from "../../ir/program.ts";
import type { FoldedLoop } from "../../recordedRun/foldedRun.ts";
import type { LiveFrame, Run } from "../../recordedRun/run.ts";

/** How the recorded run leaves a folded loop for good: to a location of its frame, or (null) with its frame. */
export type Leaving = {
  /** The first step behind the loop, and the frames that are live there. */
  readonly step: number;
  readonly stack: readonly LiveFrame[];
  readonly to: LocationId | null;
};

/** Null where the run ends inside of the loop. */
export function leavingOf(run: Run, { activation, end }: FoldedLoop): Leaving | null {
  const { loop, stack } = activation;
  const live: LiveFrame[] = [...stack];
  for (const { step, edge, entered } of run.between(end, run.steps).steps) {
    const isOwn = live.length === stack.length;
    const { operation } = edge;
    let to = edge.to;
    if (operation.kind === "return") {
      const left = live.pop();
      if (isOwn) return { step: step + 1, stack: live, to: null };
      if (live.length > stack.length) continue;
      to = left!.call!.to;
    } else if (entered !== undefined) {
      live.push(entered);
      continue;
    } else if (!isOwn) continue;
    if (!loop.body.has(to)) return { step: step + 1, stack: live, to };
  }
  return null;
}
