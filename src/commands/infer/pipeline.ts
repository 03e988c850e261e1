import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type InferOptions, inferContracts } from "../../analyses/infer/inferContracts.ts";
import { type Cancellation, graceBudget } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { globPattern } from "../../base/glob.ts";
import { followRuns } from "../../concolic/c/followRuns.ts";
import { replayRecording } from "../../concolic/js/replayRecording.ts";
import type { FunctionRecord } from "../../concolic/summary.ts";
import type { RunOptions } from "../../interpreter/run.ts";
import { recordTrace } from "../../interpreter/trace.ts";
import type { Program } from "../../ir/program.ts";
import { type RecordedSource, readSources } from "../../js/recorder/sources.ts";
import { createTerms } from "../../logic/terms.ts";
import { createSolver, type SolverOptions } from "../../solver/solverChain.ts";
import { describeProgram, reportHead, solverStats } from "../common/result.ts";
import { describeInference } from "./describeInference.ts";
import { diffContracts } from "./diffContracts.ts";
import { type RecordOptions, recordTests } from "./recordSuite.ts";
import type { InferReport } from "./result.ts";

type CommonInferOptions = {
  readonly solver: SolverOptions;
  readonly version: string;
  readonly cancellation: Cancellation;
  readonly progress: (phase: string) => void;
  /** Contracts of an earlier run to compare with. */
  readonly before: Pick<InferReport, "classes" | "functions"> | null;
};

export type InferTestsOptions = CommonInferOptions &
  Omit<RecordOptions, "recording"> & {
    /** Patterns of files; by default all but tests. */
    readonly only: readonly string[];
    /** An existing recording to read instead of running tests. */
    readonly recording: string | null;
  };

export async function inferTests(options: InferTestsOptions): Promise<InferReport> {
  const start = performance.now();
  const recording = options.recording ?? mkdtempSync(join(tmpdir(), "tracefold-recording-"));
  try {
    options.progress("running the tests");
    const exitCode = options.recording === null ? await recordTests({ ...options, recording }) : null;
    return report(recording, exitCode, start, options);
  } finally {
    if (options.recording === null) rmSync(recording, { recursive: true, force: true });
  }
}

const followingTime = 700;
const joiningTime = 700;

function report(recording: string, exitCode: number | null, start: number, options: InferTestsOptions): InferReport {
  const { cancellation, folder, words } = options;
  options.progress("following the calls");
  // Interrupted tests are still followed in the remaining time.
  const replayed = replayRecording(recording, graceBudget(cancellation, followingTime).isCancelled);
  const joining = graceBudget(cancellation, joiningTime);
  const { stats } = replayed;
  if (stats.calls === 0 && !cancellation.isCancelled())
    throw options.recording === null
      ? nothingRecorded(words, exitCode, replayed.skippedFiles[0])
      : emptyRecording(options.recording, stats.cutOff);
  const shown = (path: string): string => relative(folder, path).replaceAll("\\", "/");
  const sources = readSources(recording);
  const tests = new Set(sources.filter(({ path, text }) => isTestFile(shown(path), text)).map(({ path }) => path));
  const wanted = (path: string): boolean =>
    options.only.length === 0 ? !tests.has(path) : options.only.some((glob) => globPattern(glob).test(shown(path)));
  if (options.only.length > 0 && !sources.some(({ path }) => wanted(path))) throw nothingMatches(options.only);
  options.progress("joining the paths");
  return assembleReport(
    {
      language: "typescript",
      program: { files: filesOf(sources, wanted, shown), entry: "" },
      tests: options.recording === null ? { command: words, exitCode } : null,
      functions: replayed.functions,
      recording: {
        replayed: stats.replayed,
        calls: replayed.functions.reduce((sum, one) => sum + one.calls, 0),
        events: stats.events,
        lost: stats.lost,
        wrongDecisions: stats.wrongDecisions,
        agreed: stats.agreed,
        disagreed: stats.disagreed,
        open: stats.open,
      },
      unknowns: describeUnknowns(replayed, cancellation, shown),
    },
    {
      ...{ wanted, shown, start, before: options.before, version: options.version },
      stop: joining.isCancelled,
      solver: { ...options.solver, cancellation: joining },
    },
  );
}

/** `--only` names files that no run loads. */
export function nothingMatches(only: readonly string[]): TracefoldError {
  return new TracefoldError({
    code: "TF125",
    message: `no file that was loaded matches --only ${only.join(" ")}`,
    help: "Patterns are relative to this folder: 'src/**' matches all files below src, 'src/{a,b}.ts' two files.",
  });
}

/** Files that a runner calls by their names, and files that call a runner. */
function isTestFile(path: string, text: string): boolean {
  return (
    /(^|\/)(tests?|__tests__|spec)\//.test(path) ||
    /(^|[./_-])(tests?|spec)\.[cm]?[jt]sx?$/.test(path) ||
    /\b(from|require\()\s*["'](vitest|node:test|@jest\/globals|mocha|tape|ava|uvu)["']/.test(text) ||
    /^\s*(describe|it|test|suite)(\.\w+)*\(\s*["'`]/m.test(text)
  );
}

function filesOf(
  sources: readonly RecordedSource[],
  wanted: (path: string) => boolean,
  shown: (path: string) => string,
) {
  return sources
    .filter(({ path }) => wanted(path))
    .map(({ path, text }) => ({ path: shown(path), sha256: createHash("sha256").update(text).digest("hex") }));
}

function nothingRecorded(
  words: readonly string[],
  exitCode: number | null,
  skipped: { readonly path: string; readonly reason: string } | undefined,
): TracefoldError {
  const ended = exitCode === null ? "" : ` (it ended with exit code ${exitCode})`;
  const file = skipped === undefined ? "" : `; ${skipped.path} ${skipped.reason}`;
  return new TracefoldError({
    code: "TF125",
    message: `${words.join(" ")} called no function of this project${ended}${file}`,
    help: "Run the same command without tracefold infer -- first: it must run tests of files below this folder.",
  });
}

function emptyRecording(recording: string, cutOff: number): TracefoldError {
  const cut = cutOff > 0 ? ": its log ends in the middle of the first block" : "";
  return new TracefoldError({
    code: "TF125",
    message: `the recording in ${recording} has no call of a function${cut}`,
    help: "Record the tests again, or run them with tracefold infer -- COMMAND.",
  });
}

function describeUnknowns(
  replayed: ReturnType<typeof replayRecording>,
  cancellation: Cancellation,
  shown: (path: string) => string,
): InferReport["unknowns"] {
  const { stats, skippedFiles } = replayed;
  const unknowns: { reason: string; where: null; help: string }[] = [];
  const add = (reason: string, help: string): void => void unknowns.push({ reason, where: null, help });
  if (cancellation.isCancelled()) add("the work was interrupted", "what is shown is from the calls until then");
  if (stats.cutOff > 0)
    add("a log ends in the middle", "the process was ended while it wrote; what came before counts");
  if (stats.stopped) add("a log reached its limit", "--max-megabytes allows more");
  for (const { path, reason } of skippedFiles)
    add(`${shown(path)} ${reason}`, "it was loaded as it is, and has no contracts");
  return unknowns;
}

export type InferRunsOptions = CommonInferOptions & {
  /** Selects functions by their file; by default all of the program's own files. */
  readonly wanted: (path: string) => boolean;
  readonly keep: number;
};

/** Longer runs are followed up to this step: an edge takes some microseconds. */
const followedSteps = 3_000_000;

/** Records runs of a C program in the interpreter, follows the calls, and joins them to contracts. */
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
      program: describeProgram(program),
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

/** The followed calls, and the parts of the report besides contracts. */
type Followed = Pick<InferReport, "language" | "program" | "tests" | "recording" | "unknowns"> & {
  readonly functions: readonly FunctionRecord[];
};

type AssembleOptions = InferOptions &
  Pick<CommonInferOptions, "solver" | "version" | "before"> & {
    readonly shown: (path: string) => string;
    readonly start: number;
  };

function assembleReport(followed: Followed, options: AssembleOptions): InferReport {
  const chain = createSolver(options.solver);
  try {
    const { functions, unknowns, ...rest } = followed;
    const tools = { terms: createTerms(), solver: chain.solver };
    const described = describeInference(inferContracts(tools, functions, options), options.shown);
    return {
      ...reportHead("infer", options),
      status: unknowns.length === 0 ? "ok" : "unknown",
      target: null,
      notes: [],
      ...rest,
      ...described,
      diff: options.before === null ? null : diffContracts(options.before, described),
      properties: null,
      stats: solverStats({ ms: Math.round(performance.now() - options.start) }, chain.statistics),
      unknowns,
    };
  } finally {
    chain.solver.dispose();
  }
}
