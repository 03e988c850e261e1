import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type Cancellation, throwIfCancelled } from "../../../base/cancellation.ts";
import { TracefoldError } from "../../../base/errors.ts";
import { type SourceFile, sourceFile } from "../../../base/sourceFile.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import { judgeChanges } from "../../../js/changes/judgeChanges.ts";
import { type JsJudgement, type JudgeRequest, notJudged } from "../../../js/changes/judgement.ts";
import { type Survey, surveyTests } from "../../../js/changes/surveyTests.ts";
import { orderOf, type Suspicion, suspicionOf } from "../../../js/changes/suspicion.ts";
import { detectRunner } from "../../../js/runners/detectRunner.ts";
import { entryPath } from "../../../js/runners/entries.ts";
import type { TestOutcome } from "../../../js/runners/runner.ts";
import { openSession, type RunnerSession } from "../../../js/runners/session.ts";
import { testCodeOf } from "../../../js/runners/testCode.ts";
import { firstLine } from "../../../js/trace/question.ts";
import {
  readRawRecording,
  readTracedFiles,
  readTraceRun,
  type TracedFile,
  type TraceOptions,
  type TraceRun,
} from "../../../js/trace/run.ts";
import { endless } from "../../../js/trace/runtimeName.ts";
import type { Recording } from "../../../recording/recording.ts";
import { type About, reportHead, solverStats } from "../../common/result.ts";
import type { RunOutcome, TestReport } from "../../run/result.ts";
import { bareFailure, withoutProof } from "../joinExplanation.ts";
import type { Explained, Explanation, Failure } from "../result.ts";
import { chooseTest, problemText } from "./chooseTest.ts";
import { failedCondition } from "./failedCondition.ts";
import { suspectsOf } from "./suspects.ts";
import { testRecording } from "./testRecording.ts";
import { besideQuestion, functionName, type TracePlaces, traceGraph, tracePlaces } from "./traceGraph.ts";

export type ExplainedTest = {
  readonly explanation: Explanation;
  readonly sources: ReadonlyMap<string, string>;
  /** The whole run, if it was wanted. */
  readonly recording: Recording | null;
};

export type ExplainTestOptions = {
  readonly cancellation: Cancellation;
  readonly about: () => About;
  readonly progress: (stage: string) => void;
  /** Values and chain, as soon as they are recorded. */
  readonly recorded: (explained: ExplainedTest) => void;
  /** Milliseconds of processor time for trying changes. */
  readonly budget: number;
  /** True if the whole run is wanted. */
  readonly keepsAll?: boolean;
};

/** Changes that are run in a copy of the project before they are shown. */
const confirmed = 3;

/** Explains a failing test in its own runtime: records which events led to the failure, then tries changes. */
export async function explainTest(
  name: string | null,
  command: readonly string[],
  options: ExplainTestOptions,
): Promise<ExplainedTest> {
  const root = process.cwd();
  const detected = detectRunner(command, root);
  options.progress("running");
  const session = await openSession({ ...detected, root, cancellation: options.cancellation });
  try {
    const survey = await surveyTests(session, null, name);
    throwIfCancelled(options.cancellation, "running the tests");
    const target = chooseTest(name, survey.run, session.printed());
    options.progress("recording");
    const recorded = await recordTest(session, target, root, survey, options.keepsAll);
    const tests = survey.run.tests.filter(({ state }) => state !== "skipped");
    const sources = new Map([...recorded.sources.values()].map(({ path, text }) => [path, text]));
    const { recording } = recorded;
    const explained = (judgement: JsJudgement): ExplainedTest => ({
      explanation: explanationOf(recorded, target, tests, judgement, options.about()),
      sources,
      recording,
    });
    options.recorded(explained(notJudged));
    options.progress("trying changes");
    const judgement = await judged(() =>
      judgeChanges({ session, target, survey, budget: options.budget, confirm: confirmed, ...orderFrom(recorded) }),
    );
    return explained(judgement);
  } finally {
    session.close();
  }
}

/** Without changes the chain still stands. */
async function judged(work: () => Promise<JsJudgement>): Promise<JsJudgement> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    return { ...notJudged, notice: error.message };
  }
}

export type RecordedTest = {
  readonly run: TraceRun;
  readonly files: readonly TracedFile[];
  /** By absolute path; their own paths are relative to the project. */
  readonly sources: ReadonlyMap<string, SourceFile>;
  readonly places: TracePlaces;
  /** The whole run, if it was wanted. */
  readonly recording: Recording | null;
  readonly outcome: RunOutcome & { readonly location: SourceRange };
  /** By paths relative to the project. */
  readonly suspicion: Suspicion;
};

/** Runs the failing test alone with the recorder. */
export async function recordTest(
  session: RunnerSession,
  target: TestOutcome,
  root: string,
  survey: Survey,
  keepsAll = false,
): Promise<RecordedTest> {
  const folder = mkdtempSync(join(session.folder, "trace-"));
  const isEndless = firstLine(target.error?.message ?? "") === endless;
  const options: TraceOptions = { folder, test: target.id.name, isEndless, keepsAll };
  const { problems } = await session.run({
    ...{ files: [target.id.file], tests: [target.id.name], options },
    ...{ transform: entryPath("traceTransform"), hooks: entryPath("traceWorker") },
  });
  const run = readTraceRun(folder);
  if (run === null) {
    const [problem] = problems;
    throw new TracefoldError({
      code: "TF262",
      message: `the test "${target.id.name}" fails, but not while it is recorded alone${problem === undefined ? "" : `: ${problemText(problem, session.printed())}`}`,
      help: "It may need other tests to run before it, or depend on time.",
    });
  }
  const isTestCode = testCodeOf(survey.run, root);
  const files = readTracedFiles(folder)
    // What stands in for a reporter or a runner is no source of the project.
    .filter(({ path }) => !path.startsWith(session.folder))
    .map((file) => ({ ...file, isTest: file.isTest || isTestCode(file.path) }));
  const sources = new Map(
    files
      .filter(({ path }) => existsSync(path))
      .map(({ path }) => [path, sourceFile(relative(root, path), readFileSync(path, "utf8"))]),
  );
  const places = tracePlaces(files, sources);
  const raw = readRawRecording(folder);
  const recording = raw === null ? null : testRecording(raw, files, sources);
  const suspected = suspicionOf(survey);
  const suspicion: Suspicion = (file, line) => suspected(join(root, file), line);
  return { run, files, sources, places, recording, outcome: outcomeOf(run, places, target, root), suspicion };
}

function outcomeOf(
  { question, slice }: TraceRun,
  places: TracePlaces,
  target: TestOutcome,
  root: string,
): RecordedTest["outcome"] {
  const executions = new Map(slice.executions.map(({ id, site }) => [id, site]));
  const nearest = slice.events
    .map(({ execution }) => places(executions.get(execution) ?? -1))
    .find((each) => each !== null);
  const place = places(question.site) ?? nearest ?? null;
  const location = place?.range ?? placeOfError(target, root);
  // The nearest event is in the statement that threw.
  const isThere = nearest !== undefined && nearest.file === place?.file;
  const fn = question.kind === "matcher" || !isThere ? "test" : functionName(nearest);
  return {
    kind: question.kind === "matcher" ? "assertion" : "error-location",
    message: question.message,
    location,
    function: fn,
  };
}

/** Where an error comes from whose files could not be recorded: its stack says so, as the runner maps it to the sources. */
function placeOfError({ id, error }: TestOutcome, root: string): SourceRange {
  for (const [, path = "", line, column] of (error?.stack ?? "").matchAll(/(?:file:\/\/)?(\/[^\s():]+):(\d+):(\d+)/g)) {
    const isOwn = path.startsWith(`${root}${sep}`) && !path.includes(`${sep}node_modules${sep}`) && existsSync(path);
    if (isOwn) return rangeAt(relative(root, path), Number(line), Number(column));
  }
  return rangeAt(relative(root, id.file), 1, 1);
}

function rangeAt(file: string, line: number, column: number): SourceRange {
  return { file, line, column, endLine: line, endColumn: column };
}

/** The order in which changes of lines are tried: suspicious lines near the failure first. */
export function orderFrom({
  run,
  places,
  sources,
  suspicion,
}: RecordedTest): Required<Pick<JudgeRequest, "rank" | "isRelated">> {
  const executions = new Map(run.slice.executions.map(({ id, site }) => [id, site]));
  const distances = new Map<string, number>();
  for (const { execution, site } of run.slice.events) {
    for (const number of [site, executions.get(execution) ?? -1]) {
      const range = places(number)?.range;
      for (let line = range?.line ?? 1; line <= Math.min(range?.endLine ?? 0, (range?.line ?? 0) + 5); line++) {
        const key = `${range?.file}:${line}`;
        if (!distances.has(key)) distances.set(key, distances.size);
      }
    }
  }
  const unrelated = 2 * distances.size;
  const pathOf = (file: string) => sources.get(file)?.path ?? file;
  return {
    rank(file, line) {
      const path = pathOf(file);
      return orderOf(suspicion(path, line), distances.get(`${path}:${line}`) ?? unrelated);
    },
    isRelated: (file, line) => distances.has(`${pathOf(file)}:${line}`),
  };
}

/** Functions are known from all tests, lines only from those of the target's file: both count. */
function refinedSuspicion({ sources, suspicion }: RecordedTest, judgement: JsJudgement): Suspicion {
  const absolute = new Map([...sources].map(([path, { path: relativePath }]) => [relativePath, path]));
  return (file, line) => {
    const own = judgement.suspicion(absolute.get(file) ?? file, line);
    return own === 0 ? suspicion(file, line) : Math.sqrt(own * suspicion(file, line));
  };
}

export function explanationOf(
  recorded: RecordedTest,
  target: TestOutcome,
  tests: readonly TestOutcome[],
  judgement: JsJudgement,
  about: About,
): Explained {
  const { run, sources, places, outcome } = recorded;
  const graph = traceGraph(run, places, refinedSuspicion(recorded, judgement));
  const hasBeside = graph.nodes.some(({ question }) => question === besideQuestion);
  const failure: Failure = {
    ...bareFailure,
    ...{
      kind: outcome.kind,
      message: outcome.message,
      location: outcome.location,
      function: outcome.function ?? "test",
    },
    isTested: true,
    condition: failedCondition(run.question, places),
  };
  const testFiles = new Set(
    recorded.files.flatMap(({ path, isTest }) => (isTest ? (sources.get(path)?.path ?? []) : [])),
  );
  const suspects = suspectsOf(judgement, graph, sources, (path) => testFiles.has(path));
  const own = new Set([...graph.nodes, ...suspects, outcome].map(({ location }) => location.file));
  return {
    ...reportHead("explain", about),
    kind: "explained",
    status: "ok",
    program: {
      files: [...sources.values()].filter(({ path }) => own.has(path)).map(({ path, sha256 }) => ({ path, sha256 })),
      entry: target.id.name,
    },
    dataModel: "LP64",
    outcome,
    inputs: [],
    trace: { steps: run.steps },
    tests: { explained: target.id.name, list: tests.map(testReport) },
    notes: notesOf(recorded, target, judgement),
    stats: solverStats(about),
    unknowns: [],
    failure,
    questions: [questionText(run), ...(hasBeside ? ["what else ran there"] : [])],
    graph,
    suspects,
    ...withoutProof,
    missing: [{ kind: "recording", reason: evidenceText(judgement) }],
  };
}

function testReport({ id, state, error }: TestOutcome): TestReport {
  const passes = state === "passed";
  const message = passes ? "passed" : (error?.message ?? "failed");
  return { name: id.name, passes, outcome: { kind: passes ? "exit" : "assertion", message, location: null }, steps: 0 };
}

function questionText({ question }: TraceRun): string {
  if (question.kind === "timeout") return "what it still waits for";
  if (question.message === endless) return "why it does not end";
  if (question.kind === "thrown") return "why this error was thrown";
  return question.subject === "" ? "what led to it" : `why ${question.subject} is ${question.received}`;
}

/** Nothing is proved: values were observed, changes were run. */
function evidenceText({ lines }: JsJudgement): string {
  return lines.some(({ changes }) => changes.some(({ isConfirmed }) => isConfirmed))
    ? "observed and re-run"
    : "observed";
}

function notesOf(
  { run, files, sources, outcome: { location } }: RecordedTest,
  { error }: TestOutcome,
  { notice, complete, tried, proposed }: JsJudgement,
) {
  const unfollowed = files.filter(({ unfollowed: reason }) => reason !== null);
  const messages = [
    ...(proposed === 0
      ? []
      : [`${tried} of ${proposed} proposed changes were tried${complete ? "" : " in the time there was"}`]),
    ...(notice === null ? [] : [notice]),
    ...unfollowed.map(
      ({ path, unfollowed: reason }) => `${sources.get(path)?.path ?? path} is not followed: ${reason}`,
    ),
    ...(error !== null && firstLine(error.message) !== run.error
      ? [`with the recorder the test failed in another way: ${run.error}`]
      : []),
    ...(run.isCut ? ["the run is long: its first events were given up"] : []),
  ];
  return messages.map((message) => ({ message, location }));
}
