import type { TraceSlice } from "../../../js/trace/slice.ts";
import type { TracePlace, TracePlaces } from "./traceGraph.ts";

/**
 * The first step and the updates of a `for` belong to the test that follows them: one row shows `i` and what the test
 * said about it.
 */
export function joinLoopHeads(slice: TraceSlice, places: TracePlaces): TraceSlice {
  const tested = new Set(
    slice.events.flatMap(({ execution, site }) => (places(site)?.site.kind === "loop" ? [execution] : [])),
  );
  const loops = new Map<string, { readonly place: TracePlace; readonly site: number }>();
  for (const { site } of slice.executions) {
    const place = places(site);
    if (place?.site.kind === "loop") loops.set(`${place.file.path} ${place.site.start}`, { place, site });
  }
  const loopOf = (site: number): number | null => {
    const place = places(site);
    if (place === null || place.site.kind === "loop") return place === null ? null : site;
    if (place.site.kind !== "statement") return null;
    const { start, end, name } = place.site;
    const around = [...loops.values()].find(
      ({ place: { site: loop, file } }) =>
        file === place.file && loop.name === name && loop.start < start && end <= loop.end,
    );
    return around?.site ?? null;
  };
  const joined = new Map<number, number>();
  /** By loop and depth, from the end of the run on. */
  const next = new Map<string, number>();
  for (const { id, site, depth } of slice.executions.toSorted((a, b) => b.id - a.id)) {
    const loop = loopOf(site);
    if (loop === null) continue;
    const key = `${loop} ${depth}`;
    const test = next.get(key);
    if (loop === site && tested.has(id)) next.set(key, id);
    else if (test !== undefined) joined.set(id, test);
  }
  if (joined.size === 0) return slice;
  const events = slice.events.map((event) => ({
    ...event,
    execution: joined.get(event.execution) ?? event.execution,
  }));
  return { ...slice, events };
}
