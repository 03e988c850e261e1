import { type Cancellation, neverCancelled } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import type { RunOptions } from "../../interpreter/run.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { Program } from "../../ir/program.ts";
import { createTerms } from "../../logic/terms.ts";
import type { Solver } from "../../solver/solver.ts";
import { startOfProgram } from "../../symbolic/symbolicState.ts";
import { createSymbols, type Symbols } from "../../symbolic/symbols.ts";
import { advance } from "./advance.ts";
import { createConfirm } from "./confirm.ts";
import type { BoundLoop, Cut, ExplorationLimits, ExplorationState, Explorer, Mode, Summarise } from "./explorer.ts";
import { decide, feasibilityCheck } from "./feasibility.ts";
import { runOf } from "./finish.ts";
import { type ExplainFailure, openTargets, type ReachingRun } from "./openTargets.ts";
import { createSearcher, type SearcherName } from "./searcher.ts";
import { type ExploreTarget, isDecidable } from "./target.ts";
import { explorationEnvironment, startNode, transferRelation } from "./transfer.ts";
import { type ExplorationTree, treeBuilder } from "./tree.ts";
import { unroll } from "./unroll.ts";

export type ExploreOptions = {
  readonly mode: Mode;
  readonly searcher: SearcherName;
  readonly seed: number;
  readonly targets: readonly ExploreTarget[];
  readonly limits: ExplorationLimits;
  readonly run: Omit<RunOptions, "inputs">;
  readonly solver: Solver;
  /** True to continue after every target was reached, to find other failures. */
  readonly all: boolean;
  /** With `all`: explains a failure, and returns the inputs for which the same failure is proved. */
  explainFailure?: ExplainFailure;
  /** True to stop at the first failure. */
  readonly first?: boolean;
  /** True to prune states that cannot reach a target: the tree is then incomplete. */
  readonly prune: boolean;
  readonly keptNodes: number;
  readonly cancellation?: Cancellation;
  /** Names from another exploration of the program; by default new ones. */
  readonly symbols?: Symbols;
  /** Earlier runs. */
  readonly known?: readonly Trace[];
  summarise?(symbols: Symbols): Summarise;
  bound?(symbols: Symbols): BoundLoop;
  progress?(explorer: Explorer): void;
  onLeaf?(symbols: Symbols, state: ExplorationState, edge: Parameters<NonNullable<Explorer["leaves"]>>[1]): void;
};

export type Exploration = {
  readonly targets: readonly ExploredTarget[];
  readonly failures: readonly ReachingRun[];
  readonly tree: ExplorationTree;
  readonly counts: Explorer["counts"];
  /** True if all paths were followed to their ends and all queries were answered. */
  readonly isComplete: boolean;
  readonly cuts: readonly Cut[];
  readonly tests: Explorer["tests"];
  readonly symbols: Symbols;
};

export type ExploredTarget =
  | { readonly target: ExploreTarget; readonly status: "reached"; readonly run: ReachingRun }
  /** No run without undefined behaviour reaches it. */
  | { readonly target: ExploreTarget; readonly status: "unreachable" }
  | { readonly target: ExploreTarget; readonly status: "unknown"; readonly reason: string };

/** Algorithm 2 of 004 (executeSymbolically); without templates it is King's symbolic execution. */
export function explore(program: Program, options: ExploreOptions): Exploration {
  const ex = createExplorer(program, options);
  for (const trace of options.known ?? []) ex.targets.meet(trace);
  if (options.mode === "merged") {
    if (ex.targets.open().length > 0) unroll(ex, options.limits.maxDepth);
    return describe(ex, options);
  }
  const root = rootState(ex);
  ex.searcher.push([root]);
  let last = 0;
  while (!isOver(ex, options)) {
    const state = ex.searcher.next();
    if (state === null) break;
    const ready = ex.mode === "concolic" ? solved(ex, state) : state;
    if (ready !== null) ex.searcher.push(advance(ex, ready));
    if (ex.counts.states - last >= 500) {
      last = ex.counts.states;
      options.progress?.(ex);
    }
  }
  return describe(ex, options);
}

function createExplorer(program: Program, options: ExploreOptions): Explorer {
  const symbols = options.symbols ?? createSymbols(program, createTerms());
  const cancellation = options.cancellation ?? neverCancelled;
  const settings = {
    undefinedBehaviour: options.run.undefinedBehaviour ?? "stop",
    argumentCount: (options.run.args?.length ?? 0) + 1,
  } as const;
  const environment = explorationEnvironment(symbols, settings);
  const { onLeaf } = options;
  return {
    symbols,
    mode: options.mode,
    limits: options.limits,
    prune: options.prune,
    strict: settings.undefinedBehaviour === "wrap",
    cancellation,
    transfer: transferRelation(symbols, environment),
    environment,
    feasibility: feasibilityCheck(symbols, options.solver, cancellation),
    confirm: createConfirm(symbols, options.run),
    searcher: createSearcher(options.searcher, options.seed),
    tree: treeBuilder(options.keptNodes),
    targets: openTargets(program, options.targets, options.all, options.explainFailure),
    summarise: options.mode === "compact" ? (options.summarise?.(symbols) ?? null) : null,
    bound: options.mode === "bounded" ? (options.bound?.(symbols) ?? null) : null,
    counts: { states: 0, deepest: 0, applied: 0, questions: 0, runs: 0 },
    cuts: new Map(),
    tests: [],
    leaves: onLeaf === undefined ? null : (state, edge) => onLeaf(symbols, state, edge),
  };
}

function rootState(ex: Explorer): ExplorationState {
  const node = startNode(ex.symbols);
  const range = nth(ex.symbols.program.functions, ex.symbols.program.entry).range;
  const parent = ex.tree.add({ parent: null, kind: "root", range, function: "", condition: [] });
  return {
    ...{ node, memory: startOfProgram(ex.symbols), path: null, inputs: null, drawn: null, parameters: null },
    ...{ model: null, near: null, pending: null, depth: 0, parent, way: null, heads: null, leaving: null },
    ...{ bounded: null, excluded: new Set() },
  };
}

/** A negated branch is solved when it is selected, and the run with the solution is made at once. */
function solved(ex: Explorer, state: ExplorationState): ExplorationState | null {
  if (state.model !== null || state.path === null) return state;
  const answer = decide(ex, state);
  if (answer.kind === "infeasible") return null;
  if (answer.kind === "unknown") {
    const { function: fn } = state.node;
    ex.cuts.set(`solve:${fn.id}`, {
      reason: `not decided: ${answer.reason}`,
      range: fn.range,
      help: "Another --solver may decide it.",
    });
    return null;
  }
  const trace = runOf(ex, state, answer.model, "short");
  if (trace !== null) ex.targets.meet(trace);
  return { ...state, model: answer.model };
}

function isOver(ex: Explorer, { all, first = false }: ExploreOptions): boolean {
  if (ex.cancellation.isCancelled() || ex.counts.states + ex.searcher.size > ex.limits.maxStates) return true;
  if (!ex.prune || all) return false;
  return ex.targets.open().length === 0 || (first && ex.targets.failures.length > 0);
}

function whyEnded({ reason }: Cancellation): string {
  return reason === "interrupt" || reason === "terminate" ? "it was interrupted" : "the time was up";
}

function describe(ex: Explorer, options: ExploreOptions): Exploration {
  const isDone = ex.searcher.size === 0 && !ex.cancellation.isCancelled();
  const isComplete = isDone && ex.cuts.size === 0 && ex.tree.tree.failedLeaves === 0;
  const cuts = [...ex.cuts.values()];
  const why = (target: ExploreTarget): string => {
    if (ex.cancellation.isCancelled()) return whyEnded(ex.cancellation);
    if (!isDone) return `the limit of ${ex.limits.maxStates} states was reached`;
    if (!isDecidable(target)) return "no run showed it, but states do not say that it cannot be";
    return cuts[0]?.reason ?? "some states were not decided";
  };
  return {
    targets: options.targets.map((target): ExploredTarget => {
      const run = ex.targets.reached.get(target);
      if (run !== undefined) return { target, status: "reached", run };
      if (isComplete && isDecidable(target)) return { target, status: "unreachable" };
      return { target, status: "unknown", reason: why(target) };
    }),
    failures: ex.targets.failures,
    tree: ex.tree.tree,
    counts: ex.counts,
    isComplete,
    cuts,
    tests: ex.tests,
    symbols: ex.symbols,
  };
}
