import { type Cancellation, graceBudget } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { followRuns } from "../../concolic/c/followRuns.ts";
import type { RunOptions } from "../../interpreter/run.ts";
import { recordTrace } from "../../interpreter/trace.ts";
import type { Program } from "../../ir/program.ts";
import type { SolverOptions } from "../../solver/solverChain.ts";
import { assembleReport } from "./assembleReport.ts";
import type { InferReport } from "./inferReport.ts";

export type InferRunsOptions = {
  /** Only functions of files that match; all of the program's own where nothing is given. */
  readonly wanted: (path: string) => boolean;
  readonly keep: number;
  readonly solver: SolverOptions;
  readonly version: string;
  readonly cancellation: Cancellation;
  readonly progress: (phase: string) => void;
  readonly before: Pick<InferReport, "classes" | "functions"> | null;
};

/** Longer runs are followed up to here: an edge takes some microseconds. */
const followedSteps = 3_000_000;
/** Milliseconds of work on what is left to do after Ctrl-C. */
const joiningTime = 700;

/** Runs a C program, each run recorded by the interpreter, follows the calls, and joins them to contracts. */
export function inferRuns(
  program: Program,
  runs: readonly { readonly name: string; readonly options: RunOptions }[],
  options: InferRunsOptions,
): InferReport {
  const start = performance.now();
  const { cancellation, progress } = options;
  const entry = nth(program.functions, program.entry).name;
  progress("running the program");
  const traces = runs.map((run) => ({ name: run.name, trace: recordTrace(program, run.options) }));
  progress("following the calls");
  const stop = cancellation.isCancelled;
  const joining = graceBudget(cancellation, joiningTime);
  const followed = followRuns(traces, { keep: options.keep, maxSteps: followedSteps, stop });
  if (followed.functions.length === 0 && !stop()) throw nothingCalled(entry);
  const unfinished = traces.filter(({ trace: { outcome } }) => outcome.kind === "needs-input");
  const unknowns: { reason: string; where: null; help: string }[] = [];
  const add = (reason: string, help: string): void => void unknowns.push({ reason, where: null, help });
  if (stop()) add("the work was interrupted", "what is shown is from the calls until then");
  else if (followed.cutShort > 0)
    add(`a run has more than ${followedSteps} steps`, "it was followed up to there; give shorter runs");
  if (unfinished.length > 0)
    add(
      `${nth(unfinished, 0).name} ends before the run does`,
      "calls that were under way are left out; give more inputs",
    );
  progress("joining the paths");
  return assembleReport(
    {
      language: "c",
      program: { files: program.files.map(({ path, sha256 }) => ({ path, sha256 })), entry },
      tests: null,
      functions: followed.functions,
      recording: {
        ...{ replayed: followed.calls, calls: followed.calls, events: followed.steps, lost: 0, wrongDecisions: 0 },
        ...{ agreed: followed.agreed, disagreed: followed.disagreed, open: followed.open },
      },
      unknowns,
    },
    {
      ...options,
      start,
      stop: joining.isCancelled,
      solver: { ...options.solver, cancellation: joining },
      shown: (path) => path,
    },
  );
}

function nothingCalled(entry: string): TracefoldError {
  return new TracefoldError({
    code: "TF189",
    message: `${entry} called no function of the program in these runs`,
    help: "--entry names the function that calls those whose contracts are wanted; it is the test, and has none itself.",
  });
}
