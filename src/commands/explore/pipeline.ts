import { type Exploration, type ExploreOptions, explore } from "../../analyses/explore/explore.ts";
import type { Mode } from "../../analyses/explore/explorer.ts";
import type { ExplainFailure } from "../../analyses/explore/openTargets.ts";
import type { SearcherName } from "../../analyses/explore/searcher.ts";
import { type ExploreTarget, edgeKey, type Goal, targetsOf } from "../../analyses/explore/target.ts";
import { createBounds } from "../../analyses/explore/templates/bounds.ts";
import { createSummarise, type TemplateCounts } from "../../analyses/explore/templates/summarise.ts";
import { type Cancellation, cancelledAfter } from "../../base/cancellation.ts";
import type { Outcome } from "../../interpreter/outcome.ts";
import type { RunOptions } from "../../interpreter/run.ts";
import { recordTrace, runTrace, type Trace } from "../../interpreter/trace.ts";
import type { Program } from "../../ir/program.ts";
import { type SeededRuns, seededRuns } from "../../search/seededRuns.ts";
import type { SolverStatistics } from "../../solver/decorators/diagnostics.ts";
import { createSolver, type SolverOptions } from "../../solver/solverChain.ts";
import { createProver } from "../../symbolic/createProver.ts";

export type ExploreSettings = {
  readonly goal: Goal;
  readonly mode: Mode | "auto";
  readonly searcher: SearcherName;
  readonly seed: number;
  readonly runs: number;
  readonly maxStates: number;
  readonly maxDepth: number;
  /** True to report all distinct failures instead of one for each target. */
  readonly all: boolean;
  /** With `all`: finds the inputs for which a failure is the same. */
  explainFailure?: ExplainFailure;
  /** True to stop at the first failure. */
  readonly first?: boolean;
  /** The time limit, of which compact execution gets a share. */
  readonly seconds?: number | null;
  /** True if the complete tree is requested, so that nothing may be pruned. */
  readonly wholeTree: boolean;
  /** The number of nodes of the tree to keep if the whole tree is not requested; none unless told. */
  readonly shownNodes?: number;
  readonly run: Omit<RunOptions, "inputs">;
  readonly solver?: SolverOptions;
  readonly cancellation: Cancellation;
  progress?(phase: string): void;
};

export type ExploredProgram = Omit<Exploration, "counts"> & {
  readonly counts: Exploration["counts"] & TemplateCounts & { readonly seededRuns: number };
  readonly mode: Mode;
  readonly statistics: SolverStatistics;
};

const keptNodes = 200_000;
const fewRounds = 16;
/** The share of the time for each mode if other modes follow. */
const shares: Readonly<Record<Mode, number>> = { classic: 1, compact: 0.3, bounded: 0.15, merged: 0.35, concolic: 1 };
/** The share of the time for concrete runs: for coverage each newly reached place is a success. */
const runsShare = { property: 0.15, reach: 0.15, cover: 0.5 } as const;
const milliseconds = 10_000;

/** Concrete runs first, then symbolic execution of the remaining targets. */
export function exploreProgram(program: Program, settings: ExploreSettings): ExploredProgram {
  const { cancellation, run } = settings;
  const targets = targetsOf(program, settings.goal);
  settings.progress?.("running");
  const seeded = runsFirst(program, targets, settings);
  const known = tracesOf(program, seeded, settings);
  const { solver, statistics } = createSolver({
    ...settings.solver,
    cache: false,
    vectors: true,
    cancellation,
    limits: { milliseconds },
  });
  const second = createSolver({ ...settings.solver, vectors: true, cancellation, limits: { milliseconds } });
  const counts: TemplateCounts = { cycles: 0, templates: 0 };
  const unrolled = settings.mode === "compact" ? 0 : fewRounds;
  const undefinedBehaviour = run.undefinedBehaviour ?? "stop";
  const options: Omit<ExploreOptions, "mode" | "limits"> = {
    searcher: settings.searcher,
    seed: settings.seed,
    targets,
    run,
    solver,
    all: settings.all,
    ...(settings.explainFailure === undefined ? {} : { explainFailure: remembered(settings.explainFailure) }),
    first: settings.first ?? false,
    prune: !settings.wholeTree,
    keptNodes: settings.wholeTree ? keptNodes : (settings.shownNodes ?? 0),
    cancellation,
    known,
    summarise: (symbols) =>
      createSummarise(symbols, second.solver, { seed: settings.seed, undefinedBehaviour, unrolled }, counts),
    bound: (symbols) => createBounds(symbols, createProver(symbols, second.solver, cancellation), undefinedBehaviour),
    progress: (ex) =>
      settings.progress?.(
        `exploring: ${ex.counts.states} states, ${ex.searcher.size} open, depth ${ex.counts.deepest}`,
      ),
  };
  try {
    const phases = settings.mode === "auto" ? phasesFor(settings) : [settings.mode];
    const limits = { maxStates: settings.maxStates, maxDepth: settings.maxDepth };
    let best: { readonly result: Exploration; readonly mode: Mode } | null = null;
    for (const [i, mode] of phases.entries()) {
      if (best !== null && (cancellation.isCancelled() || !isOpen(best.result, settings))) break;
      if (best !== null) solver.reset();
      const reached: readonly Trace[] = best === null ? [] : tracesFor(program, best.result, run);
      const searcher = mode === "concolic" && settings.mode === "auto" ? "dfs" : settings.searcher;
      const result = explore(program, {
        ...options,
        mode,
        searcher,
        limits,
        known: [...known, ...reached],
        cancellation: i + 1 < phases.length ? shareOf(settings, mode) : cancellation,
      });
      if (best === null || result.isComplete || closedIn(result) > closedIn(best.result)) best = { result, mode };
    }
    const { result, mode } = best!;
    return { ...result, mode, counts: { ...result.counts, ...counts, seededRuns: seeded.runs }, statistics };
  } finally {
    solver.dispose();
    second.solver.dispose();
  }
}

/** Bounded mode only shows that something is unreachable. */
function phasesFor({ goal }: ExploreSettings): readonly Mode[] {
  return goal.kind === "property" ? ["compact", "bounded", "merged", "concolic"] : ["compact", "merged", "concolic"];
}

/** Later phases find the failures of earlier ones again. */
function remembered(explainFailure: ExplainFailure): ExplainFailure {
  const known = new Map<string, ReturnType<ExplainFailure>>();
  return (trace) => {
    const key = trace.inputs.map(({ value }) => value).join();
    const explained = known.get(key) ?? explainFailure(trace);
    known.set(key, explained);
    return explained;
  };
}

function isOpen(result: Exploration, { first }: ExploreSettings): boolean {
  if (first === true && result.failures.length > 0) return false;
  return result.targets.some(({ status }) => status === "unknown");
}

function closedIn(result: Exploration): number {
  return result.targets.filter(({ status }) => status !== "unknown").length;
}

function shareOf({ seconds, cancellation }: ExploreSettings, mode: Mode): Cancellation {
  return seconds ? cancelledAfter(seconds * shares[mode] * 1000, cancellation) : cancellation;
}

/** True if a failing run hits one of the targets. */
function wants(targets: readonly ExploreTarget[], outcome: Outcome): boolean {
  if (outcome.kind === "undefined-behaviour") return targets.some(({ problems }) => problems.has(outcome.problem));
  if (outcome.kind !== "assertion" && outcome.kind !== "error-location") return false;
  const key = edgeKey(outcome.at.function, outcome.at.edge);
  return targets.some(({ edges }) => edges.has(key));
}

function runsFirst(program: Program, targets: readonly ExploreTarget[], settings: ExploreSettings): SeededRuns {
  const { cancellation, seed, runs, all, goal, run } = settings;
  // There are no targets.
  if (targets.length === 0) return { failures: [], corpus: [], runs: 0, steps: 0 };
  const failing = targets.filter(({ kind }) => kind !== "line" && kind !== "branch").length;
  return seededRuns(program, run, {
    seed,
    runs,
    steps: 30_000_000,
    deepSteps: run.maxSteps ?? (settings.seconds ? Number.POSITIVE_INFINITY : 100_000_000),
    cancellation: settings.seconds
      ? cancelledAfter(settings.seconds * runsShare[goal.kind] * 1000, cancellation)
      : cancellation,
    accepts: (outcome) => wants(targets, outcome),
    isEnough: (failures) => goal.kind === "property" && !all && failures.length >= (settings.first ? 1 : failing),
  });
}

/** The useful runs: failing ones, and for coverage also all that reached something new. */
function tracesOf(program: Program, seeded: SeededRuns, { run, goal }: ExploreSettings): readonly Trace[] {
  const failing = seeded.failures.map(({ inputs, steps }) =>
    runTrace(program, { ...run, inputs, maxSteps: Math.max(steps + 1, run.maxSteps ?? 0) }),
  );
  if (goal.kind === "property") return failing;
  return [...failing, ...seeded.corpus.map((inputs) => recordTrace(program, { ...run, inputs }))];
}

function tracesFor(program: Program, result: Exploration, run: Omit<RunOptions, "inputs">): readonly Trace[] {
  const reached = result.targets.flatMap((each) => (each.status === "reached" ? [each.run] : []));
  const others = result.failures.filter((failure) => !reached.includes(failure));
  return [...reached, ...others].map(({ inputs, steps }) =>
    runTrace(program, { ...run, inputs, maxSteps: Math.max(steps + 1, run.maxSteps ?? 0) }),
  );
}
