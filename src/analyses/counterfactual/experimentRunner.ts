import type { Budget } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { FailureRoot } from "../../dependence/failureRoot.ts";
import type { CompileMode, ResumePoint } from "../../interpreter/compile/context.ts";
import type { Checkpoint } from "../../interpreter/rerun/checkpoints.ts";
import {
  type CheckpointedRun,
  checkpointsOf,
  createRerunner,
  defaultMaxMemory,
  type Rerun,
  type RerunMode,
  type Rerunner,
} from "../../interpreter/rerun/rerun.ts";
import { rerunOptions } from "../../interpreter/rerun/trackedRerun.ts";
import type { InstanceLog, Variation } from "../../interpreter/rerun/variation.ts";
import type { RunOptions } from "../../interpreter/run.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { FunctionId } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import { type FailurePlace, failurePlace } from "./passingRuns.ts";

/** `passes`: the run ends normally. `getsPast`: it gets past the visit of the failing place. `same`: neither. */
export type Level = "same" | "getsPast" | "passes";

export const levelRank: Readonly<Record<Level, number>> = { same: 0, getsPast: 1, passes: 2 };

export type ExperimentEffect = {
  readonly level: Level;
  /** True if it passes because it reaches the failed check less often or not at all. */
  readonly avoids: boolean;
};

/** A passing run, for checking what an edit breaks. */
export type PassingRun = RunOptions & {
  /** Its name among the tests. */
  readonly name?: string;
  /** A function without parameters, if it is not the program's entry. */
  readonly entry?: FunctionId;
};

/**
 * Repeats a failing run with one change. The budget counts interpreter steps over all re-runs, including the cost of
 * starting them.
 */
export type ExperimentRunner = {
  readonly root: FailureRoot;
  /** The starting points of re-runs; null for the start of the run. */
  readonly starts: StartingPoints | null;
  /** The number of re-runs so far, and their steps. */
  readonly reruns: number;
  readonly spent: number;
  /** For work that is charged elsewhere. */
  readonly budget: Budget;
  /** Opens a stage with a share of the remaining steps. */
  openStage(share: number): void;
  /** The remaining budget of the stage. */
  readonly left: number;
  /** Charges steps of another re-run. */
  charge(steps: number): void;
  isOver(): boolean;
  /** True if a budget ever ran out, so that experiments are missing. */
  readonly cutShort: boolean;
  flip(instance: number): ExperimentEffect;
  replace(instance: number, value: ScalarValue): ExperimentEffect;
  /** Runs another test of the unchanged program. */
  runTest(run: PassingRun): Pick<Rerun, "end" | "isUndefined" | "steps" | "at"> & { readonly passes: boolean };
  /** The edges that get past the failure, and how often the run does. */
  readonly past: { readonly place: FailurePlace; readonly before: number } | null;
};

const rerunCost = 500;
/** A step of code whose values can be replaced takes as long as so many others. */
const variedCost = 2;

/** The step limit of a re-run, relative to the original. */
const stepFactor = 10;
const spareSteps = 10_000;
/** Longer runs get a smaller factor. */
const longRun = 2_000;
const longFactor = 3;
/** Still longer runs get the smallest factor: getting past the failure counts, even without reaching the end. */
const veryLongRun = 250_000;
const veryLongFactor = 1.5;
const depthFactor = 2;
const spareDepth = 200;

export function createExperimentRunner(
  graph: DependenceGraph,
  root: FailureRoot,
  budget: Budget,
  entries: readonly FunctionId[] = [],
): ExperimentRunner {
  const { trace } = graph;
  const place = failurePlace(graph, root);
  const options = { ...rerunOptions(trace), maxSteps: stepLimit(graph, root) };
  const starts = startingPoints(graph, { ...options, cancellation: budget }, place ?? undefined);
  const { usual, before, depth, steps } = prepareReruns(trace, options, place, entries, starts);
  let spent = 0;
  let reruns = 1;
  let cutShort = false;
  let stageEnd = 0;
  const charge = (steps: number): void => {
    spent += steps + rerunCost;
    budget.spend(steps + rerunCost);
  };
  charge(variedCost * steps);
  const run = (
    rerunner: Rerunner,
    given: RunOptions & { readonly entry?: FunctionId },
    from?: Checkpoint | undefined,
  ): Rerun => {
    const result = rerunner.run({ ...given, cancellation: budget }, from);
    charge(variedCost * (result.steps - (from?.steps ?? 0)));
    reruns++;
    return result;
  };
  const clear = ({ numbers }: Variation): void => {
    numbers[1] = 0;
  };
  clear(usual.variation);
  const { numbers } = usual.variation;
  numbers[3] = Math.min(depth * depthFactor + spareDepth, trace.outcome.kind === "limit" ? 2 * spareDepth : 2 ** 30);
  const effect = (result: Rerun): ExperimentEffect => {
    const isPast = result.passed > before;
    if (result.end === "invalid") return { level: "same", avoids: false };
    if (isPass(result)) return { level: "passes", avoids: root.kind === "condition" && !isPast };
    return { level: isPast ? "getsPast" : "same", avoids: false };
  };
  return {
    root,
    starts,
    budget,
    get reruns() {
      return reruns;
    },
    get spent() {
      return spent;
    },
    openStage(share) {
      stageEnd = budget.left() * (1 - share);
    },
    get left() {
      return Math.max(0, budget.left() - stageEnd);
    },
    charge,
    isOver() {
      const isOver = budget.left() <= stageEnd || budget.isCancelled();
      cutShort ||= isOver;
      return isOver;
    },
    get cutShort() {
      return cutShort;
    },
    flip(instance) {
      usual.variation.numbers[1] = instance;
      const result = effect(run(usual, options, starts?.forInstance(instance)));
      clear(usual.variation);
      return result;
    },
    replace(instance, value) {
      usual.variation.numbers[1] = instance;
      usual.variation.value = value;
      const result = effect(run(usual, options, starts?.forInstance(instance)));
      clear(usual.variation);
      return result;
    },
    runTest(test) {
      const result = run(usual, { ...test, maxSteps: mostTestSteps });
      return { ...result, passes: isPass(result) };
    },
    past: place === null ? null : { place, before },
  };
}

/** The shared state of all re-runs, and measurements of the run itself: visits of the watched place, depth of calls. */
type Prepared = {
  readonly mode: RerunMode;
  readonly usual: Rerunner;
  readonly before: number;
  readonly depth: number;
  readonly steps: number;
};

function prepareReruns(
  { program, settings, outcome }: Trace,
  options: RunOptions,
  watch: ReturnType<typeof failurePlace>,
  entries: readonly FunctionId[],
  starts: StartingPoints | null,
): Prepared {
  const { undefinedBehaviour, maxMemory } = settings;
  const usualMode: RerunMode = { undefinedBehaviour, entries, ...(watch === null ? {} : { watch }) };
  if (starts !== null) {
    const { points: resumes, run } = starts;
    const mode = { ...usualMode, resumes, ...(run.memory > defaultMaxMemory ? { maxMemory } : {}) };
    return { mode, usual: createRerunner(program, mode), before: run.passed, depth: run.depth, steps: run.steps };
  }
  const measured = (mode: RerunMode) => {
    const usual = createRerunner(program, mode);
    usual.variation.measuresDepth = true;
    usual.variation.numbers[3] = 0;
    const { end, passed: before, steps } = usual.run(options);
    usual.variation.measuresDepth = false;
    return { mode, usual, before, depth: nth(usual.variation.numbers, 3), steps, end };
  };
  const little = measured(usualMode);
  return little.end === "limit" && outcome.kind !== "limit" ? measured({ ...usualMode, maxMemory }) : little;
}

const mostTestSteps = 1_000_000;

function isPass({ end, code }: Rerun): boolean {
  return end === "exit" && code === 0;
}

/** For an endless run, the limit is a multiple of the steps to the loop, because its own step limit is arbitrary. */
function stepLimit(graph: DependenceGraph, root: FailureRoot): number {
  const { steps } = graph.trace;
  // Re-runs that no longer end dominate the cost if the run itself is long.
  const factor = steps > veryLongRun ? veryLongFactor : steps > longRun ? longFactor : stepFactor;
  if (root.kind !== "loop") return Math.min(Math.ceil(steps * factor) + longRun * stepFactor, 2 ** 30);
  return Math.min(steps, root.entered * stepFactor + 10 * spareSteps);
}

/** The starting points of re-runs: the last checkpoint before they differ; undefined for the start of the run. */
export type StartingPoints = {
  /** For `CompileMode.resumes`. */
  readonly points: readonly ResumePoint[];
  /** The logged instances of the run; null if the run was not followed to its end. */
  readonly log: InstanceLog | null;
  /** The run itself, as a re-run sees it. */
  readonly run: CheckpointedRun["run"];
  forInstance(number: number): Checkpoint | undefined;
};

/** null if the run is too short. */
export function startingPoints(
  { trace, first: logsFrom }: DependenceGraph,
  options: RunOptions & { readonly maxSteps: number },
  watch: CompileMode["watch"],
): StartingPoints | null {
  const checkpointed = checkpointsOf(trace, options, watch, { logsFrom });
  if (checkpointed === null) return null;
  const { checkpoints, points, run, log } = checkpointed;
  return {
    points,
    // A run that a limit ended continues here, because re-runs get more: its instances are not those of the run.
    log: run.steps === trace.steps ? log : null,
    run,
    forInstance: (number) => checkpoints.findLast(({ instances }) => instances < number),
  };
}
