import type { Wish } from "./selectVisits.ts";
import type { Why } from "./whyExplanation.ts";

/** Of long runs what is farther away is not wanted. */
const mostWishes = 400;

/**
 * What to show beside the suspects: every line once, the nearest to the failure first, what the failing function and its callers did
 * behind the rest, because a test is mostly right; then further executions of the same lines.
 */
export function nearestFirst({ graph, visits, paths, root }: Why): readonly Wish[] {
  const tests = new Set<number>();
  for (let at: number | null = root.failure.step; at !== null && at >= graph.first; ) {
    tests.add(graph.function(at).id);
    at = graph.callOf(graph.activation(at));
  }
  if (root.failure.kind !== "condition") tests.clear();
  const seen = new Set<number>();
  const lists: Wish[][] = [[], [], []];
  for (const step of paths.steps()) {
    const visit = visits.of(step);
    if (visit === -1) continue;
    const unit = visits.unit(visit);
    const rank = seen.has(unit.id) ? 2 : tests.has(unit.function.id) ? 1 : 0;
    seen.add(unit.id);
    if (lists[rank]!.length < mostWishes) lists[rank]!.push({ step, withPath: false });
  }
  return lists.flat().slice(0, mostWishes);
}
