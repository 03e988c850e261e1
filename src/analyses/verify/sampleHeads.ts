import { nth } from "../../base/checked.ts";
import type { ProgramModel } from "../../cutpoints/programModel.ts";
import { entryFrame } from "../../cutpoints/regionContext.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { Value } from "../../logic/evaluate.ts";
import type { LiveFrame, SamplePoint } from "../../recordedRun/run.ts";
import { runOf } from "../../recordedRun/runOf.ts";

/**
 * A visit of a loop head on a concrete run: the values of its live places, in their order; null for a place without
 * one.
 */
export type Visit = { readonly head: string; readonly step: number; readonly values: readonly (Value | null)[] };

/** The number of first visits that are all sampled; later ones are sampled less and less often. */
const firstVisits = 40;

export type SampleOptions = { readonly most?: number; readonly all?: boolean };

export function sampleHeads(model: ProgramModel, trace: Trace, options: SampleOptions = {}): readonly Visit[] {
  const { program, symbols } = model;
  const entry: LiveFrame = { frame: entryFrame, function: nth(program.functions, program.entry), call: null };
  const heads = [...model.heads.values()];
  const counts = heads.map(() => 0);
  const points = heads.map(
    (head, i): SamplePoint => ({
      node: head.node,
      stack: [entry],
      terms: head.live,
      wanted() {
        if (options.all === true) return counts[i]!++ < (options.most ?? Number.POSITIVE_INFINITY);
        const count = counts[i]!++;
        return count < firstVisits || (count & (count - 1)) === 0;
      },
    }),
  );
  const samples = runOf(trace).sample(symbols, points, Number.POSITIVE_INFINITY);
  const visits = samples.flatMap((list, i) =>
    list.map(({ step, values }): Visit => ({ head: nth(heads, i).key, step, values })),
  );
  return visits.sort((a, b) => a.step - b.step);
}
