import { remembered } from "../base/memo.ts";
import { isBranch } from "../ir/branches.ts";
import type { FunctionId } from "../ir/program.ts";
import { isOfLibrary } from "../ir/reservedNames.ts";
import type { DependenceGraph } from "./dependenceGraph.ts";

/**
 * A call that did nothing and said so, to a caller that did not look: it wrote nothing, where another call of the same
 * function wrote what the failure depends on, and its result was not used.
 */
export type RefusedCall = {
  readonly call: number;
  /** The branch that refused it. */
  readonly condition: number;
  readonly returned: number;
  /** The first step behind it that reads what another call wrote. */
  readonly reader: number;
};

/** Longer runs are not analysed, because every step is inspected. */
const mostSteps = 200_000;

type Activation = {
  readonly fn: FunctionId;
  call: number;
  returned: number | null;
  writes: boolean;
};

/** The last refused call that may have mattered; `matters` says whether the failure depends on a step. */
export function refusedCall(graph: DependenceGraph, matters: (step: number) => boolean): RefusedCall | null {
  if (graph.end - graph.first > mostSteps) return null;
  const activations = new Map<number, Activation>();
  const writers = new Map<FunctionId, Set<number>>();
  for (let step = graph.first; step < graph.end; step++) {
    const number = graph.activation(step);
    const call = graph.callOf(number);
    if (call === null || call < graph.first) continue;
    const fn = graph.function(step);
    const own = remembered(activations, number, () => ({ fn: fn.id, call, returned: null, writes: false }));
    const { operation } = graph.edge(step);
    if (operation.kind === "return") own.returned = step;
    if (!isEffect(graph, step)) continue;
    // What a function does is done by its callers, too.
    for (let at: number | null = number; at !== null; at = outer(graph, activations.get(at))) {
      const active = activations.get(at);
      if (active === undefined) break;
      active.writes = true;
      if (matters(step)) remembered(writers, active.fn, () => new Set()).add(step);
    }
  }
  for (const { fn, call, returned, writes } of [...activations.values()].reverse()) {
    if (writes || returned === null || !isIgnored(graph, call) || isOfLibrary(graph.function(returned))) continue;
    const { operation } = graph.edge(returned);
    if (operation.kind !== "return" || operation.value?.kind !== "constant") continue;
    const condition = graph.parent(returned);
    if (condition === null || condition <= call || !isBranch(graph.edge(condition))) continue;
    const written = writers.get(fn);
    const reader = written === undefined ? null : readerOf(graph, returned, written, matters);
    if (reader !== null) return { call, condition, returned, reader };
  }
  return null;
}

function outer(graph: DependenceGraph, active: Activation | undefined): number | null {
  return active === undefined ? null : graph.activation(active.call);
}

/** Writes that outlive the function. */
function isEffect(graph: DependenceGraph, step: number): boolean {
  const { operation } = graph.edge(step);
  switch (operation.kind) {
    case "store":
    case "copy":
    case "callLibrary":
      return true;
    case "assign":
      return graph.trace.program.variables[operation.target]?.kind === "static";
    default:
      return false;
  }
}

function isIgnored(graph: DependenceGraph, call: number): boolean {
  const { operation } = graph.edge(call);
  return operation.kind === "call" && operation.target === null;
}

function readerOf(
  graph: DependenceGraph,
  returned: number,
  written: ReadonlySet<number>,
  matters: (step: number) => boolean,
): number | null {
  for (let step = returned + 1; step < graph.end; step++) {
    if (matters(step) && graph.reads(step).some(({ writer }) => writer !== null && written.has(writer))) return step;
  }
  return null;
}
