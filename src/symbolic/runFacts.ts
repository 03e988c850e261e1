import { replayWrites } from "../trace/replayWrites.ts";
import type { Trace } from "../trace/trace.ts";
import type { Value } from "../trace/value.ts";
import type { RunFacts } from "./traceSurroundings.ts";

/** What a recorded run knows beyond its steps; library results are looked up in one replay when first asked for. */
export function runFacts(trace: Trace): RunFacts {
  let results: Map<number, Value> | null = null;
  return {
    inputs: trace.inputs,
    libraryResult(step) {
      results ??= libraryResults(trace);
      return results.get(step);
    },
  };
}

function libraryResults(trace: Trace): Map<number, Value> {
  const results = new Map<number, Value>();
  const calls = trace.program.functions.map(
    (fn) => new Set(fn.edges.filter(({ operation }) => operation.kind === "callLibrary").map(({ id }) => id)),
  );
  if (calls.every((edges) => edges.size === 0)) return results;
  replayWrites(trace, 0, trace.steps, {
    register(step, fn, edge, _, value) {
      if (value !== undefined && calls[fn]!.has(edge)) results.set(step, value);
    },
    memory() {},
  });
  return results;
}
