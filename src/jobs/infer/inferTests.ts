import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type Cancellation, graceBudget } from "../../base/cancellation.ts";
import { TracefoldError } from "../../base/errors.ts";
import { replayRecording } from "../../concolic/js/replayRecording.ts";
import { readSources } from "../../js/recorder/sources.ts";
import type { SolverOptions } from "../../solver/solverChain.ts";
import { assembleReport } from "./assembleReport.ts";
import { globPattern } from "./globPattern.ts";
import type { InferReport } from "./inferReport.ts";
import { recordTests } from "./recordTests.ts";

export type InferTestsOptions = {
  readonly words: readonly string[];
  readonly folder: string;
  /** Only files that match; all but tests where nothing is given. */
  readonly only: readonly string[];
  readonly quota: number;
  readonly maxMegabytes: number;
  readonly output: 1 | 2;
  readonly solver: SolverOptions;
  readonly version: string;
  readonly cancellation: Cancellation;
  readonly progress: (phase: string) => void;
  /** A recording that exists already: nothing is run. */
  readonly recording: string | null;
  /** Contracts of an earlier run, to compare with. */
  readonly before: Pick<InferReport, "classes" | "functions"> | null;
};

/** Runs tests under the recorder, follows what they did, and joins it to contracts. */
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

/** Milliseconds of work on what is left to do after Ctrl-C: less than anybody waits for. */
const followingTime = 700;
const joiningTime = 700;

function report(recording: string, exitCode: number | null, start: number, options: InferTestsOptions): InferReport {
  const { cancellation, folder, words } = options;
  options.progress("following the calls");
  // Tests that were interrupted are followed all the same, in what time is left.
  const replayed = replayRecording(recording, graceBudget(cancellation, followingTime).isCancelled);
  const joining = graceBudget(cancellation, joiningTime);
  const { stats } = replayed;
  if (stats.calls === 0 && !cancellation.isCancelled())
    throw options.recording === null
      ? nothingRecorded(words, exitCode, replayed.skippedFiles[0])
      : emptyRecording(options.recording, stats.cutOff);
  const shown = (path: string): string => relative(folder, path).replaceAll("\\", "/");
  const wanted = (path: string): boolean =>
    options.only.length === 0
      ? !isTestFile(shown(path))
      : options.only.some((glob) => globPattern(glob).test(shown(path)));
  options.progress("joining the paths");
  return assembleReport(
    {
      language: "typescript",
      program: { files: filesOf(recording, wanted, shown), entry: "" },
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

function isTestFile(path: string): boolean {
  return (
    /(^|\/)(tests?|__tests__|spec)\//.test(path) ||
    /\.(test|spec)\.[cm]?[jt]sx?$/.test(path) ||
    /(^|\/)test\.[cm]?[jt]s$/.test(path)
  );
}

function filesOf(recording: string, wanted: (path: string) => boolean, shown: (path: string) => string) {
  return readSources(recording)
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
