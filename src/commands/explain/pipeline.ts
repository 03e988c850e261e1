import type { Experiments } from "../../analyses/counterfactual/experiments.ts";
import { cancelledAfterWork, latestOf, neverCancelled } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { type DependenceGraph, dependenceGraph } from "../../dependence/dependenceGraph.ts";
import { failureRoot } from "../../dependence/failureRoot.ts";
import type { RunOptions } from "../../interpreter/run.ts";
import { recordTrace, type Trace } from "../../interpreter/trace.ts";
import type { Function, LocationId, Program } from "../../ir/program.ts";
import { isFailure } from "../../search/seededRuns.ts";
import { runOptionsOf } from "../../search/shrink.ts";
import type { About } from "../common/result.ts";
import { describeOutcome } from "../run/describeRun.ts";
import { describeObserved } from "./describeProof.ts";
import type { FoundRun } from "./findRun.ts";
import { bareFailure, headOf, joinExplanation } from "./joinExplanation.ts";
import { type ExplainOptions, proveExplanation, type Solvers, startSolvers } from "./proveExplanation.ts";
import type { Explanation } from "./result.ts";
import { type ExplanationAbout, explanation, type Logic } from "./stages/explanation.ts";
import { dependences, experiments, whys } from "./stages/recording.ts";
import { smallestText } from "./stages/smallestRun.ts";
import { stagesWatchedBy } from "./stages/stage.ts";
import { type Why, whyOf } from "./why/whyGraph.ts";

export type PipelineOptions = Budgeted &
  ExplainOptions &
  Parameters<typeof experiments.make>[0]["options"] & {
    /** False to stop before the logic stages; by default true. */
    readonly proves?: boolean;
    /** Receives what is known so far: first the failure, then its causes, then the suspects. */
    observed?(known: Explanation): void;
    /** Receives the recorded run with its dependences. */
    recorded?(graph: DependenceGraph): void;
  };

type Budgeted = {
  /** The time limit in milliseconds; by default none. After it the partial result is reported. */
  readonly budget?: number;
};

/**
 * The processor time for all work, as part of the budget: a machine with a load of one third still keeps to the budget.
 * On a busier machine the answer comes later, but it is the same. Only work that hardly gets a processor at all is
 * dropped, after `latest` times the budget.
 */
const workShare = 0.7;
const latest = 12;

/**
 * Experiments count their steps, so they end at the same point on every machine. This part of the budget ends them only
 * on a machine that is several times slower; what is left for logic is never less than its own part.
 */
const experimentShare = 1;
const logicShare = 0.3;
/** Solvers take some time to start. */
const longRun = 5_000;

/** The stages of an explanation: first the recording, then the proof (see `proveExplanation`), then both are joined. */
export function explainTrace(trace: Trace, options: PipelineOptions, about: () => ExplanationAbout): Explanation {
  const stage = stagesWatchedBy({ check: options.validate ?? false, ...(options.dump ? { dump: options.dump } : {}) });
  const { budget = Number.POSITIVE_INFINITY, cancellation = neverCancelled } = options;
  const within = (share: number) =>
    budget === Number.POSITIVE_INFINITY
      ? cancellation
      : cancelledAfterWork(share * budget, cancellation, latest * budget);
  const usual = within(workShare);
  let forLogic = usual;
  // On a long run, start the solvers now, so that they are ready in time. On a short run that would delay the first
  // output.
  const solvers =
    trace.steps > longRun && options.proves !== false
      ? startSolvers({ ...options, cancellation: latestOf(() => forLogic) })
      : undefined;
  try {
    const recorded = stage(dependences, {
      trace,
      options: { ...options, cancellation: within(experimentShare) },
      about,
    });
    options.recorded?.(recorded.graph);
    const observe = (why: Why, suspects: Experiments["suspects"]) => {
      if (options.observed === undefined || trace.program.watched !== undefined || cancellation.isCancelled()) return;
      options.observed(joinExplanation(trace, about(), why, suspects, null, describeObserved(trace, "pending")));
    };
    if (options.observed !== undefined) observe(whyOf(recorded.graph), []);
    const tried = stage(experiments, recorded);
    const asked = stage(whys, tried);
    observe(asked.why, asked.experiments.suspects);
    if ((usual.workLeft?.() ?? Number.POSITIVE_INFINITY) < logicShare * budget) forLogic = within(logicShare);
    const whole = { ...asked, options: { ...options, cancellation: forLogic } };
    const reasoned = { ...whole, logic: explainByLogic(trace, whole.options, solvers) };
    const shrunk = stage(smallestText, reasoned);
    return stage(explanation, shrunk).explanation;
  } finally {
    solvers?.dispose();
  }
}

function explainByLogic(trace: Trace, options: PipelineOptions, solvers: Solvers | undefined): Logic {
  if (options.proves === false) return { kind: "notRequested" };
  try {
    return { kind: "run", run: proveExplanation(trace, options, solvers) };
  } catch (error) {
    // A run that was stopped by a limit has no target, but it has a loop that it did not leave.
    const isLeft = error instanceof TracefoldError && (error.kind === "unsupported" || error.kind === "limit");
    if (isLeft) return { kind: "none", error };
    throw error;
  }
}

export type ExplainFoundRunOptions = PipelineOptions & {
  about(): About;
  replay: ExplanationAbout["replay"];
};

/** Explains a run: why it fails, that it does not fail, or why a watched condition holds. */
export function explainFoundRun(found: FoundRun, options: ExplainFoundRunOptions): Explanation {
  const { trace } = found;
  const { about, replay } = options;
  const isAsked = trace.program.watched !== undefined;
  if (!isAsked && doesNotFail(trace)) {
    return { ...headOf(trace, about()), kind: "doesNotFail" };
  }
  if (!isAsked) options.observed?.(unexplained(trace, about()));
  const { trace: shown, notes: all, others = [] } = isAsked ? found : shortenEndless(found);
  // The user does not choose the time, so a smaller one tells nothing.
  const shrink = (options.shrink ?? true) && !isAsked && !shown.inputs.some(isClockRead);
  const explanation = withNotes(
    explainTrace(shown, { ...options, shrink }, () => ({ ...about(), replay })),
    all,
  );
  if (explanation.kind !== "explained" || others.length === 0) return explanation;
  return { ...explanation, otherFailures: others.map((outcome) => describeOutcome(trace.program, outcome)) };
}

/** What is known of a failing run before its causes are. */
function unexplained(trace: Trace, about: About): Explanation {
  const head = headOf(trace, about, { status: "unknown" });
  const { location, function: fn = "", kind, message, problem, difference } = head.outcome;
  const optional = {
    ...(problem === undefined ? {} : { problem }),
    ...(difference === undefined ? {} : { difference }),
  };
  const failure = location === null ? null : { ...bareFailure, kind, message, location, function: fn, ...optional };
  return { ...head, kind: "interrupted", failure };
}

function isClockRead({ source }: Trace["inputs"][number]): boolean {
  return source === "time" || source === "clock";
}

function doesNotFail({ outcome }: Trace): boolean {
  return !isFailure(outcome) && outcome.kind !== "limit" && outcome.kind !== "needs-input";
}

function withNotes(explanation: Explanation, notes: readonly string[]): Explanation {
  const { location } = explanation.outcome;
  if (location === null) return explanation;
  return { ...explanation, notes: [...explanation.notes, ...notes.map((message) => ({ message, location }))] };
}

export type ExplainProgramOptions = PipelineOptions & {
  /** The inputs, arguments and standard input of the run. */
  readonly run?: RunOptions;
  readonly version?: string;
  replay?(inputs: readonly string[]): string;
};

/** Explains why a run of a program fails, or why a watched condition holds (`LoadOptions.watch`). */
export function explain(program: Program, options: ExplainProgramOptions = {}): Explanation {
  requireProgram(program);
  const start = performance.now();
  const trace = recordTrace(program, options.run);
  const { kind } = trace.outcome;
  const about = () => ({ version: options.version ?? "", ms: Math.round(performance.now() - start) });
  if (program.watched === undefined && (kind === "exit" || kind === "assumption-violated")) {
    return { ...headOf(trace, about()), kind: "doesNotFail" };
  }
  const replay = options.replay ?? ((inputs: readonly string[]) => inputs.join(","));
  const shrink = (options.shrink ?? true) && isFailure(trace.outcome);
  return explainTrace(trace, { ...options, shrink }, () => ({ ...about(), replay }));
}

/** Guards against callers without types. */
function requireProgram(program: unknown): void {
  if (typeof program === "object" && program !== null && "functions" in program) return;
  throw new TracefoldError({
    code: "TF146",
    message: `explain needs a program that was loaded, not ${typeof program === "string" ? JSON.stringify(program) : typeof program}`,
    help: "For files: await explainFile(paths). Or: explain(await loadC(path)).",
  });
}

/** More steps of an endless run add no information. */
const enoughSteps = 200_000;
/** The number of blocks at the end of a run that are inspected. */
const tail = 2000;

/**
 * Cuts a run that exceeded its step limit to its first steps, if it is in the same loop there as at its end. Every
 * re-run and every walk over dependences takes as long as the run.
 */
function shortenEndless(found: FoundRun): FoundRun {
  const { trace, notes } = found;
  const { outcome, steps } = trace;
  if (outcome.kind !== "limit" || outcome.limit !== "steps" || steps <= 2 * enoughSteps) return found;
  const inputs = trace.inputs.map(({ value }) => value);
  const short = recordTrace(trace.program, { ...runOptionsOf(trace), inputs, maxSteps: enoughSteps });
  if (short.outcome.kind !== "limit") return found;
  const root = failureRoot(dependenceGraph(short));
  if (root.kind !== "loop" || !endsIn(trace, root.function, root.loop.header)) return found;
  const count = (n: number) => n.toLocaleString("en-US");
  const note = `the run had not ended after ${count(steps)} steps; the first ${count(short.steps)} of them are explained`;
  return { ...found, trace: short, notes: [...notes, note] };
}

/** True if the run keeps returning to the loop's header at its end. */
function endsIn({ blocks, log }: Trace, fn: Function, header: LocationId): boolean {
  let visits = 0;
  for (const block of log.at(-1)?.slice(-tail) ?? []) {
    if (blocks.functionOf[block] !== fn.id) continue;
    for (let i = nth(blocks.first, block); i < nth(blocks.first, block + 1); i++) {
      if (nth(fn.edges, nth(blocks.edges, i)).from === header) visits++;
    }
  }
  return visits > 1;
}
