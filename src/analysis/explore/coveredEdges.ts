import type { Trace } from "../../interpreter/trace.ts";
import { edgeKey } from "./target.ts";

/** All edges that a run completed, and the one that it failed at. */
export function coveredEdges(trace: Trace): ReadonlySet<string> {
  const { blocks, outcome } = trace;
  const covered = new Set<string>();
  const seen = new Set<number>();
  let left = trace.steps;
  for (const chunk of trace.log) {
    for (const block of chunk) {
      const [from, to] = [blocks.first[block]!, blocks.first[block + 1]!];
      const isWhole = to - from <= left;
      if (isWhole && seen.has(block)) {
        left -= to - from;
        continue;
      }
      const fn = blocks.functionOf[block]!;
      for (let i = from; i < to && i - from < left; i++) covered.add(edgeKey(fn, blocks.edges[i]!));
      left -= to - from;
      if (isWhole) seen.add(block);
    }
  }
  if ("at" in outcome && outcome.at !== null) covered.add(edgeKey(outcome.at.function, outcome.at.edge));
  return covered;
}
