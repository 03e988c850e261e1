import type { InputValue } from "../../interpreter/inputs.ts";
import type { Outcome } from "../../interpreter/outcome.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { UndefinedBehaviour } from "../../ir/operation.ts";
import type { Program } from "../../ir/program.ts";
import type { InlinedNode } from "../../symbolic/followEdge.ts";
import { type CoveredInputs, coveredEdges, covers } from "./coveredRuns.ts";
import { type ExploreTarget, edgeKey, type Relevance, relevanceOf } from "./target.ts";

/** A run that reached a target. */
export type ReachingRun = {
  readonly inputs: readonly InputValue[];
  readonly outcome: Outcome;
  readonly steps: number;
  /** The reason in one line, if requested. */
  readonly reason?: string;
};

/** The reason of a failure, and the inputs for which the same failure is proved; null without such a proof. */
export type ExplainFailure = (trace: Trace) => {
  readonly reason: string | null;
  readonly covered: CoveredInputs | null;
};

/** The number of failures that are distinguished at one place. */
const mostAtOnePlace = 8;

/** The targets, with those reached by a concrete run. */
export type OpenTargets = {
  readonly reached: ReadonlyMap<ExploreTarget, ReachingRun>;
  /** All distinct failures: at different places, or with inputs that no proved condition of another covers. */
  readonly failures: readonly ReachingRun[];
  /** Inputs that need no exploration. */
  readonly exclusions: readonly CoveredInputs[];
  open(): readonly ExploreTarget[];
  /** True if no run takes the edge yet. */
  isOpenEdge(key: string): boolean;
  /** True if runs that take the edge are still of interest, because another failure may be there. */
  wantsEdge(key: string): boolean;
  wantsProblem(problem: UndefinedBehaviour): boolean;
  /** True if a run at this node can still reach an open target. */
  isRelevant(node: InlinedNode): boolean;
  /** Learns from a run; returns true if it reached something new. */
  meet(trace: Trace): boolean;
};

export function openTargets(
  program: Program,
  targets: readonly ExploreTarget[],
  all: boolean,
  explainFailure?: ExplainFailure,
): OpenTargets {
  const reached = new Map<ExploreTarget, ReachingRun>();
  const failures = new Map<string, ReachingRun[]>();
  const exclusions: CoveredInputs[] = [];
  /** Edges at which further failures are distinguished by proved conditions. */
  const told = new Set<string>();
  let open = [...targets];
  let edges = new Set(open.flatMap((target) => [...target.edges]));
  let relevance: Relevance | null = null;
  const asRun = (trace: Trace): ReachingRun => ({
    inputs: trace.inputs.map(({ value }) => value),
    outcome: trace.outcome,
    steps: trace.steps,
  });
  const isNew = (key: string, trace: Trace): boolean => {
    const known = failures.get(key);
    if (known === undefined) return true;
    const at = "at" in trace.outcome ? trace.outcome.at : null;
    if (at === null || !told.has(edgeKey(at.function, at.edge))) return false;
    const values = trace.inputs.map(({ value }) => value);
    return !exclusions.some((covered) => covers(covered, values));
  };
  const learn = (key: string, edge: string | null, trace: Trace): void => {
    const explained = all ? explainFailure?.(trace) : undefined;
    const reason = explained?.reason ?? null;
    const known = failures.get(key) ?? [];
    known.push({ ...asRun(trace), ...(reason === null ? {} : { reason }) });
    failures.set(key, known);
    if (explained?.covered != null) exclusions.push(explained.covered);
    const isTold = edge !== null && explained?.covered != null && known.length < mostAtOnePlace;
    if (isTold) told.add(edge);
    else if (edge !== null) told.delete(edge);
  };
  return {
    reached,
    get failures() {
      return [...failures.values()].flat();
    },
    exclusions,
    open: () => open,
    isOpenEdge: (key) => edges.has(key),
    wantsEdge: (key) => edges.has(key) || told.has(key),
    // One kind of overflow may occur at many places: with `all`, all of them are wanted.
    wantsProblem: (problem) => (all ? targets : open).some(({ problems }) => problems.has(problem)),
    isRelevant(node) {
      relevance ??= relevanceOf(program, all ? targets : open);
      return relevance(node);
    },
    meet(trace) {
      const { outcome } = trace;
      const isProblem = outcome.kind === "undefined-behaviour";
      const lastEdge = "at" in outcome && outcome.at !== null ? edgeKey(outcome.at.function, outcome.at.edge) : null;
      const failed = isProblem || outcome.kind === "assertion" || outcome.kind === "error-location";
      const key = failed
        ? `${outcome.kind}:${isProblem ? outcome.problem : ""}:${edgeKey(outcome.at.function, outcome.at.edge)}`
        : "";
      const isWanted = isProblem
        ? targets.some(({ problems }) => problems.has(outcome.problem))
        : failed && targets.some((target) => target.edges.has(edgeKey(outcome.at.function, outcome.at.edge)));
      const isNewFailure = failed && isWanted && isNew(key, trace);
      if (isNewFailure) learn(key, isProblem ? null : edgeKey(outcome.at.function, outcome.at.edge), trace);
      // Only the last edge of a run is an error, and a long run is recorded only if its other edges matter.
      const needsAll = open.some(({ kind }) => kind === "line" || kind === "branch");
      const covered = needsAll ? coveredEdges(trace) : new Set(lastEdge === null ? [] : [lastEdge]);
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
