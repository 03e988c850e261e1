import { cancelledAfterWork, neverCancelled } from "../base/cancellation.ts";
import { TracefoldError } from "../base/errors.ts";
import type { Trace } from "../interpreter/trace.ts";
import type { Explanation } from "./explanation.ts";
import { type ExplainOptions, type Solvers, startSolvers } from "./logicWork.ts";
import { proveExplanation } from "./proveExplanation.ts";
import { stagesWatchedBy } from "./stage.ts";
import { type ExplanationAbout, explanation, type Logic } from "./stages/explanation.ts";
import { dependences, experiments, whys } from "./stages/recording.ts";
import { smallestText } from "./stages/smallestRun.ts";


export type PipelineOptions = Budgeted & ExplainOptions & Parameters<typeof experiments.make>[0]["options"];

type Budgeted = {
  /** Milliseconds that an answer may take; without, as many as it takes. What is known when they are over is told. */
  readonly budget?: number;
};

/**
 * Of the budget, the processor time for all of it: so a machine that gives two thirds of itself keeps the time, too. What a busier one does not
 * do by `latest` times the budget is left out.
 */
const workShare = 0.7;
const latest = 1.5;

/**
 * Of the budget, what the experiments may use at most: what the recording tells comes first, what logic adds is the rest. Of a long run logic says
 * little, and each experiment takes longer.
 */
const experimentShare = ({ steps }: Trace) => (steps > longRun ? 0.6 : 0.4);
const longRun = 5_000;

/**
 * The stages of an explanation: first what the recording knows, then what logic can prove of it (`proveExplanation` has those
 * stages), at last what is shown of both.
 */
export function explainTrace(trace: Trace, options: PipelineOptions, about: () => ExplanationAbout): Explanation {
  const stage = stagesWatchedBy({ check: options.validate ?? false, ...(options.dump ? { dump: options.dump } : {}) });
  const { budget = Number.POSITIVE_INFINITY, cancellation = neverCancelled } = options;
  const within = (share: number) =>
    budget === Number.POSITIVE_INFINITY
      ? cancellation
      : cancelledAfterWork(share * budget, cancellation, latest * budget);
  const forAll = within(workShare);
  // By the time that logic asks them they are there. Before a short run is told nothing else is to be in the way.
  const solvers = trace.steps > longRun ? startSolvers({ ...options, cancellation: forAll }) : undefined;
  try {
    const recorded = stage(dependences, {
      trace,
      options: { ...options, cancellation: within(experimentShare(trace)) },
      about,
    });
    const tried = stage(experiments, recorded);
    const asked = stage(whys, tried);
    const whole = { ...asked, options: { ...options, cancellation: forAll } };
    const reasoned = { ...whole, logic: explainByLogic(trace, whole.options, solvers) };
    const shrunk = stage(smallestText, reasoned);
    return stage(explanation, shrunk).explanation;
  } finally {
    solvers?.dispose();
  }
}

function explainByLogic(trace: Trace, options: ExplainOptions, solvers: Solvers | undefined): Logic {
  try {
    return { kind: "run", run: proveExplanation(trace, options, solvers) };
  } catch (error) {
    // A run that a limit ended has no target, but a loop that it did not leave.
    const isLeft = error instanceof TracefoldError && (error.kind === "unsupported" || error.kind === "limit");
    if (isLeft) return { kind: "none", error };
    throw error;
  }
}
