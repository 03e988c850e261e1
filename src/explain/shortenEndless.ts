import { nth } from "../base/checked.ts";
import { dependenceGraph } from "../dependence/dependenceGraph.ts";
import { failureRoot } from "../dependence/failureRoot.ts";
import { recordTrace, type Trace } from "../interpreter/trace.ts";
import type { Function, LocationId } from "../ir/program.ts";
import { runOptionsOf } from "../search/shrinkRun.ts";
import type { FoundRun } from "./findRun.ts";

/** So many steps of a run that does not end tell all that more of them would tell. */
const enoughSteps = 200_000;
/** The end of a run, in blocks. */
const tail = 2000;

/**
 * A run that did not end within its steps, cut to its first steps where it is in the same loop then as at its end: every re-run and
 * every walk over dependences is as long as the run.
 */
export function shortenEndless(found: FoundRun): FoundRun {
  const { trace, notes } = found;
  const { outcome, steps } = trace;
  if (outcome.kind !== "limit" || outcome.limit !== "steps" || steps <= 2 * enoughSteps) return found;
  const inputs = trace.inputs.map(({ value }) => value);
  const short = recordTrace(trace.program, { ...runOptionsOf(trace), inputs, maxSteps: enoughSteps });
  if (short.outcome.kind !== "limit") return found;
  const root = failureRoot(dependenceGraph(short));
  if (root.kind !== "loop" || !endsIn(trace, root.function, root.loop.header)) return found;
  const count = (n: number) => n.toLocaleString("en-US");
  const note = `the run had not ended after ${count(steps)} steps; the first ${count(short.steps)} of them are explained`;
  return { ...found, trace: short, notes: [...notes, note] };
}

/** Does the run come to the loop's header again and again at its end? */
function endsIn({ blocks, log }: Trace, fn: Function, header: LocationId): boolean {
  let visits = 0;
  for (const block of log.at(-1)?.slice(-tail) ?? []) {
    if (blocks.functionOf[block] !== fn.id) continue;
    for (let i = nth(blocks.first, block); i < nth(blocks.first, block + 1); i++) {
      if (nth(fn.edges, nth(blocks.edges, i)).from === header) visits++;
    }
  }
  return visits > 1;
}
