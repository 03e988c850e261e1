import type { Program } from "../../ir/program.ts";
import type { UndefinedBehaviour } from "../../ir/undefinedBehaviour.ts";
import type { InlinedNode } from "../../symbolic/inlinedNode.ts";
import type { InputValue } from "../../trace/inputs.ts";
import type { Outcome } from "../../trace/outcome.ts";
import type { Trace } from "../../trace/trace.ts";
import { coveredEdges } from "./coveredEdges.ts";
import { type Relevance, relevanceOf } from "./relevance.ts";
import { edgeKey, type Target } from "./target.ts";

/** A run of the program that came to something that was looked for. */
export type ConfirmedRun = {
  readonly inputs: readonly InputValue[];
  readonly outcome: Outcome;
  readonly steps: number;
};

/** Which targets were reached, always by a concrete run. */
export type OpenTargets = {
  readonly reached: ReadonlyMap<Target, ConfirmedRun>;
  /** All ways in which runs failed, each once. */
  readonly failures: readonly ConfirmedRun[];
  open(): readonly Target[];
  wantsEdge(key: string): boolean;
  wantsProblem(problem: UndefinedBehaviour): boolean;
  /** Can a run that is here still come to an open target? */
  isRelevant(node: InlinedNode): boolean;
  /** Learns from a run; whether it came to something new. */
  meet(trace: Trace): boolean;
};

export function openTargets(program: Program, targets: readonly Target[], all: boolean): OpenTargets {
  const reached = new Map<Target, ConfirmedRun>();
  const failures = new Map<string, ConfirmedRun>();
  let open = [...targets];
  let edges = new Set(open.flatMap((target) => [...target.edges]));
  let relevance: Relevance | null = null;
  const asRun = (trace: Trace): ConfirmedRun => ({
    inputs: trace.inputs.map(({ value }) => value),
    outcome: trace.outcome,
    steps: trace.steps,
  });
  return {
    reached,
    get failures() {
      return [...failures.values()];
    },
    open: () => open,
    wantsEdge: (key) => edges.has(key),
    // One overflow may be found at many places: all of them are wanted where all failures are.
    wantsProblem: (problem) => (all ? targets : open).some(({ problems }) => problems.has(problem)),
    isRelevant(node) {
      relevance ??= relevanceOf(program, all ? targets : open);
      return relevance(node);
    },
    meet(trace) {
      const { outcome } = trace;
      const isProblem = outcome.kind === "undefined-behaviour";
      const failed = isProblem || outcome.kind === "assertion" || outcome.kind === "error-location";
      const key = failed
        ? `${outcome.kind}:${isProblem ? outcome.problem : ""}:${edgeKey(outcome.at.function, outcome.at.edge)}`
        : "";
      const isWanted = isProblem
        ? targets.some(({ problems }) => problems.has(outcome.problem))
        : failed && targets.some((target) => target.edges.has(edgeKey(outcome.at.function, outcome.at.edge)));
      const isNewFailure = failed && isWanted && !failures.has(key);
      if (isNewFailure) failures.set(key, asRun(trace));
      const needsEdges = open.some((target) => target.edges.size > 0);
      const covered = needsEdges ? coveredEdges(trace) : new Set<string>();
      const met = open.filter(
        (target) =>
          (isProblem && target.problems.has(outcome.problem)) || [...target.edges].some((edge) => covered.has(edge)),
      );
      if (met.length === 0) return isNewFailure;
      for (const target of met) reached.set(target, asRun(trace));
      open = open.filter((target) => !reached.has(target));
      edges = new Set(open.flatMap((target) => [...target.edges]));
      relevance = null;
      return true;
    },
  };
}
