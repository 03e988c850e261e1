import { workMilliseconds } from "../../base/cancellation.ts";
import type { SourceOutline } from "../../c/outline.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { Project } from "../../frontEnd/project.ts";
import type { TestSuite } from "../../interpreter/run.ts";
import type { Recording } from "../../recording/recording.ts";
import type { Patch } from "../../render/patch.ts";
import type { SmallestText } from "../../search/shrink.ts";
import type { Command, Given, NothingToWrite, Workplace } from "../command.ts";
import { flag, type Options, optionalWord, type Raw, text, usageError, type Values } from "../options/option.ts";
import {
  openIfAsked,
  type PageRequest,
  type ProgramRequest,
  pageLine,
  pageOptions,
  pageRequest,
  programArgument,
  programOptions,
  programRequest,
  runWords,
} from "../options/programOptions.ts";
import {
  candidatesOption,
  type SolverRequest,
  solverChoice,
  solverOptions,
  solverRequest,
} from "../options/solverOptions.ts";
import {
  passingOption,
  type RequestedTarget,
  type RequestedTest,
  type RequestedTests,
  requestedPassing,
  requestedTarget,
  requestedTests,
  testsOptions,
} from "../options/testOptions.ts";
import { exitCodes, packageVersion, printfCommand, shellWords, writeDump } from "../output.ts";
import type { RunSource } from "./findRun.ts";
import type { ExplainFoundRunOptions } from "./pipeline.ts";
import type { Explanation } from "./result.ts";
import { type StageName, stageNames } from "./stages/stage.ts";

const options = {
  ...programOptions,
  witness: text("--witness <path>", "explain the run of an SV-COMP violation witness (2.x)"),
  cbmcTrace: text("--cbmc-trace <path>", "explain the failing run in the output of cbmc --trace --json-ui"),
  property: text("--property <name>", "the failing property of --cbmc-trace to explain"),
  ...testsOptions,
  test: text("--test <name>", "the test of --tests to explain; or a test of a project: --test NAME -- npm test"),
  target: text("--target <condition>", "explain why a condition holds before a line: 'x >= 0 @ file.c:12'"),
  passing: passingOption,
  fix: optionalWord(
    "--fix [apply]",
    "write a change with which all tests pass as tracefold.patch, or apply it to the file",
    ["apply"],
  ),
  yes: flag("--yes", "apply the change of --fix=apply without asking"),
  ...pageOptions,
  all: flag("--all", "print everything, not only what fits on a screen"),
  verbose: flag("--verbose", "list the notes"),
  flowSensitive: flag(
    "--flow-sensitive",
    "print the complete proof: every statement and condition that implies the failure",
  ),
  // The command line has one value for both: a folder, or false.
  proof: {
    flags: "--proof <folder>",
    help: "write the proof to a folder for tracefold check, with SMT-LIB scripts and a Coq file",
    read: (given: Raw) => (typeof given === "string" ? given : null),
  },
  proves: {
    flags: "--no-proof",
    help: "print what was observed in runs, without a proof",
    read: (given: Raw) => given !== false,
  },
  testPath: text("--write-test <path>", "write a C program that fails in the same way under gcc"),
  shrink: flag("--no-shrink", "do not look for a smaller failing run"),
  candidates: candidatesOption("what loop invariants are made of: the paper's candidates, or more"),
  ...solverOptions("who searches for the explanation", {
    check: "check every answer of the solver, and what each stage of the explanation made",
    dump: `STAGE DIR: write the result of a stage (${stageNames.join(", ")}; stages for all)`,
  }),
} satisfies Options;

type ExplainValues = Values<typeof options>;

type ExplainRequest = ProgramRequest &
  SolverRequest &
  PageRequest &
  Pick<ExplainValues, "flowSensitive" | "proves" | "shrink" | "candidates" | "proof" | "testPath" | "fix"> & {
    readonly source: RunSource;
    /** A failing test of a project, null for the first one; the words after `--` run the tests. */
    readonly ofProject: { readonly test: string | null } | null;
    readonly tests: RequestedTests | null;
    /** The test of a unit-test framework that the user chose. */
    readonly test: string | null;
    readonly target: RequestedTarget | null;
    readonly passing: readonly RequestedTest[];
    /** True for witnesses, which refer to statements. */
    readonly withOutlines: boolean;
    /** True if questions about the run will follow. */
    readonly withRecording: boolean;
    /** The words of `tracefold run FILE …` before and after the inputs. */
    readonly replay: {
      readonly before: readonly string[];
      readonly exact: boolean;
      readonly after: readonly string[];
    };
  };

type ExplainAnswer = {
  readonly explanation: Explanation;
  readonly sources: ReadonlyMap<string, string>;
  readonly outlines: ReadonlyMap<string, SourceOutline>;
  /** null if it was not wanted, or if nothing was recorded. */
  readonly recording: Recording | null;
  /** True to print the complete form, including the reasons why something is not proved. */
  readonly isComplete: boolean;
  /** Says which part of the proof was written to a folder; null if no folder was requested. */
  readonly exported: string | null;
  /** The requested change; null if none was requested, `none` if none was found. */
  readonly fix: Patch | "none" | null;
};

/** `tracefold explain`: exit code 0 if the run was explained or does not fail, 3 if something stayed unknown. */
export const explain: Command<typeof options, ExplainRequest, ExplainAnswer> = {
  name: "explain",
  summary: "explain why a run fails: the cause, the values, and a proof",
  ...programArgument,
  options,
  request(given) {
    const { words: files, flags, programArguments } = given;
    const { flowSensitive, proves, shrink, candidates, proof, testPath, fix } = flags;
    if (!proves && (flowSensitive || flags.target !== null))
      throw usageError("--flow-sensitive and --target ask for a proof: give no --no-proof");
    const isOfProject =
      files.length === 0 &&
      flags.database === null &&
      flags.tests === null &&
      (flags.test !== null || programArguments.length > 0);
    return {
      ...programRequest(given, flags, !isOfProject),
      ...solverRequest(flags, [...stageNames, "stages"]),
      ...pageRequest(flags),
      ...{ flowSensitive, proves, shrink, candidates, proof, testPath, fix },
      source: runSource(flags),
      ofProject: isOfProject ? requestedTest(given) : null,
      test: flags.test,
      tests: requestedTests(given),
      target: flags.target === null ? null : requestedTarget(flags.target, files),
      passing: flags.passing.map((each) => requestedPassing(each, flags)),
      withOutlines: flags.format === "witness" || flags.format === "invariants",
      withRecording: false,
      replay: {
        before: runWords(given),
        exact: flags.exact,
        after: programArguments.length === 0 ? [] : ["--", ...programArguments],
      },
    };
  },
  work,
  formats: {
    async text({ explanation, sources, exported, fix }, { flags, paint, request }) {
      const proof = exported === null ? "" : `${paint.dim("proof:")} ${exported}\n`;
      const change =
        fix === null || explanation.kind === "doesNotFail"
          ? null
          : (await import("../writeFix.ts")).describeFix(fix, request.fix);
      const changed = change === null ? proof : `${proof}${paint.dim("change:")} ${change}\n`;
      const written = `${changed}${pageLine(request, paint)}`;
      const source = (path: string) => sources.get(path) ?? null;
      const isComplete = flags.flowSensitive || flags.target !== null;
      const { isArgued, explainProofText } = await import("../../render/explainProofText.ts");
      if (isComplete && isArgued(explanation)) return explainProofText(explanation, { paint }) + written;
      const { explainText } = await import("../../render/explainText.ts");
      return explainText(explanation, { paint, source, verbose: flags.verbose, all: flags.all }) + written;
    },
    json: async ({ explanation }) => `${JSON.stringify(explanation, null, 2)}\n`,
    async sarif({ explanation }) {
      const { toSarif } = await import("../../render/sarif.ts");
      return `${JSON.stringify(toSarif(explanation), null, 2)}\n`;
    },
    async witness({ explanation, outlines }) {
      const { toViolationWitness } = await import("../../render/witness/violationWitness.ts");
      return toViolationWitness(explanation, { outline: (path) => outlines.get(path) ?? null }) ?? nothing(explanation);
    },
    async invariants({ explanation, outlines }) {
      const { toInvariantWitness } = await import("../../render/witness/invariantWitness.ts");
      return toInvariantWitness(explanation, { outline: (path) => outlines.get(path) ?? null }) ?? nothing(explanation);
    },
  },
  exitCode({ explanation, isComplete }) {
    const argument = isComplete && explanation.kind === "explained" ? explanation.argument : null;
    const isOpen = explanation.status !== "ok" || (argument?.unknowns.length ?? 0) > 0;
    return isOpen ? exitCodes.unknown : exitCodes.fine;
  },
  async finish({ fix }, { flags, request }, user) {
    await openIfAsked(request, flags, user);
    if (fix === null || fix === "none") return exitCodes.fine;
    const { writeFix } = await import("../writeFix.ts");
    const isShown = flags.format === "text" && flags.out === null && !flags.quiet;
    return writeFix(fix, request.fix, { isAgreed: flags.yes, isShown }, user);
  },
};

function nothing({ kind }: Explanation): NothingToWrite {
  return {
    nothing: kind === "doesNotFail" ? "this run does not fail" : "no loop was folded into something that C can say",
  };
}

function runSource(flags: ExplainValues): RunSource {
  const { inputs, inputsFile, randomInputs, witness, cbmcTrace, property, tests, target } = flags;
  const hasInputs = inputs !== null || inputsFile !== null || randomInputs;
  if (tests !== null && (witness !== null || cbmcTrace !== null || target !== null))
    throw usageError("--tests gives the runs: give no --witness, --cbmc-trace or --target");
  const given = [witness !== null, cbmcTrace !== null, hasInputs].filter(Boolean);
  if (given.length > 1)
    throw usageError("a run comes from inputs, from --witness or from --cbmc-trace: give one of them");
  if (property !== null && cbmcTrace === null)
    throw usageError("--property chooses among the properties of --cbmc-trace");
  if (witness !== null) return { kind: "witness", path: witness };
  if (cbmcTrace !== null) return { kind: "cbmc", path: cbmcTrace, property };
  return { kind: hasInputs ? "inputs" : "search" };
}

/** A test is run by its own test runner, so options that choose a run are errors. */
function requestedTest({ flags }: Given<typeof options>): { readonly test: string | null } {
  if (flags.target !== null) throw usageError("--test and --target ask different questions: give one of them");
  return { test: flags.test };
}

/** In milliseconds, including reading and running the program. */
const defaultBudget = 10_000;
const leastBudget = 5_000;
/** For trying changes of a project's sources. */
const testBudget = 3_000;

async function work(request: ExplainRequest, at: Workplace<ExplainAnswer>): Promise<ExplainAnswer> {
  if (request.ofProject !== null) return workOnTest(request, request.ofProject.test, at);
  const start = performance.now();
  const before = workMilliseconds(at.cancellation.processes);
  const { assertWritable } = await import("../../proof/proofFolder.ts");
  if (request.proof !== null) assertWritable(request.proof);
  const { judgedRun, loadRequested, requestedProject, withTests } = await import("../request.ts");
  at.report("loading");
  const project = await requestedProject(request);
  const watch = request.target === null ? {} : { watch: request.target };
  const load = (more: Parameters<typeof loadRequested>[3]) =>
    loadRequested(project, request, at, { unsupported: "whenReached", ...watch, ...more });
  const passing = request.passing.flatMap(({ entry }) => entry ?? []);
  const loaded = await withTests(load, passing);
  const sources = new Map(loaded.files.map((file) => [file.path, file.text]));
  at.report("running");
  const base = judgedRun(request, at);
  const { passingRuns, testSuite } = await import("../request.ts");
  const { atFailedCheck, findRun } = await import("./findRun.ts");
  const { describeSuite, runSuite } = await import("./testSuite.ts");
  const { frameworkTests } = await import("../../interpreter/run.ts");
  const tests = request.tests === null ? frameworkTests(loaded, base) : testSuite(loaded, base, request.tests.list);
  const chosen = request.tests?.only ?? request.test;
  if (request.tests === null && chosen !== null) requireTest(chosen, tests);
  const isAsked = request.source.kind === "search" && request.target === null;
  const suite = tests.length === 0 || !isAsked ? null : runSuite(loaded, tests, chosen);
  const first =
    suite?.found ??
    (await findRun(loaded, {
      source: request.source,
      run: base,
      expectsStatus: request.expected?.exit !== undefined,
      seed: request.seed,
      hasTarget: request.target !== null,
      cancellation: at.cancellation,
      searching: () => at.report("searching"),
    }));
  const found = await atFailedCheck(first, (checks) => withTests((more) => load({ ...more, checks }), passing));
  const { program } = found.trace;
  const { explainFoundRun } = await import("./pipeline.ts");
  let proved: Proved | null = null;
  let graph: DependenceGraph | null = null;
  let exported = request.proof === null ? null : `nothing was proved, so ${request.proof} was not written`;
  const explained = explainFoundRun(found, {
    ...explainOptions(request, at, workMilliseconds(at.cancellation.processes) - before),
    proved(what) {
      proved = what;
    },
    recorded(known) {
      graph = known;
    },
    experiments: {
      passing: [...passingRuns(program, base, request.passing), ...(suite?.others ?? [])],
    },
    shrink: request.shrink,
    observed: (explanation) => at.tell(answerOf({ explanation, sources }, request)),
    about: () => ({ version: packageVersion(), ms: Math.round(performance.now() - start) }),
    replay: (inputs, text) => replayCommand(request, suite?.test.name ?? null, inputs, text),
  });
  const explanation = suite === null ? explained : { ...explained, tests: describeSuite(program, suite) };
  at.report("printing");
  if (request.testPath !== null && explanation.kind !== "doesNotFail") {
    const { writeCTest } = await import("../writeFiles.ts");
    const smallest = explanation.kind === "explained" ? explanation.reproducer : null;
    writeCTest(request.testPath, request, found.trace, smallest);
  }
  if (request.proof !== null && proved !== null) {
    const { writeRunProof } = await import("../writeFiles.ts");
    const { claims: folds, runs } = proved;
    const { length } = writeRunProof(request.proof, request, project, found.trace, { folds, runs });
    const what = runs === null ? "of the folded run" : "of the folded run and of the inputs that it fails for";
    exported = `${request.proof} has the ${length} condition${length === 1 ? "" : "s"} ${what}, not those between facts`;
  }
  const recording = request.page === null && !request.withRecording ? null : await recordingOf(graph);
  if (request.page !== null) {
    at.report("writing the page");
    const { writePage } = await import("../writePage.ts");
    await writePage(request.page, { report: explanation, sources, recording });
  }
  const isComplete = request.flowSensitive || request.target !== null;
  const fix = request.fix === null ? null : await findFix(explanation, sources);
  const outlines = await outlinesFor(request, project);
  return { explanation, sources, recording, outlines, isComplete, exported, fix };
}

function requireTest(chosen: string, tests: TestSuite): void {
  if (tests.some(({ name }) => name === chosen)) return;
  const names = tests.map(({ name }) => name).join(", ");
  throw usageError(
    names === ""
      ? `--test ${chosen}: the program uses no unit-test framework; --entry ${chosen} runs a function alone`
      : `--test ${chosen}: the program has no such test, but ${names}`,
  );
}

async function recordingOf(graph: DependenceGraph | null): Promise<Recording | null> {
  if (graph === null) return null;
  const { recordRun } = await import("./recording/recordingOf.ts");
  return recordRun(graph);
}

type Proved = Parameters<NonNullable<ExplainFoundRunOptions["proved"]>>[0];

async function workOnTest(
  request: ExplainRequest,
  test: string | null,
  at: Workplace<ExplainAnswer>,
): Promise<ExplainAnswer> {
  const start = performance.now();
  const { explainTest } = await import("./failingTest/explainTest.ts");
  const explained = await explainTest(test, request.programArguments, {
    budget: request.timeoutSeconds === null ? testBudget : request.timeoutSeconds * 1000,
    cancellation: at.cancellation,
    progress: at.report,
    keepsAll: request.page !== null || request.withRecording,
    recorded: (explained) => at.tell(answerOf(explained, request)),
    about: () => ({ version: packageVersion(), ms: Math.round(performance.now() - start) }),
  });
  if (request.page !== null) {
    at.report("writing the page");
    const { writePage } = await import("../writePage.ts");
    await writePage(request.page, { report: explained.explanation, ...explained });
  }
  at.report("printing");
  const fix = request.fix === null ? null : await findFix(explained.explanation, explained.sources);
  return { ...answerOf(explained, request), fix };
}

function answerOf(
  { explanation, sources, recording = null }: Pick<ExplainAnswer, "explanation" | "sources"> & Partial<ExplainAnswer>,
  { withRecording }: Pick<ExplainRequest, "withRecording">,
): ExplainAnswer {
  const kept = withRecording ? recording : null;
  return { explanation, sources, recording: kept, outlines: new Map(), isComplete: false, exported: null, fix: null };
}

function explainOptions(request: ExplainRequest, at: Workplace<ExplainAnswer>, used = 0) {
  return {
    candidates: request.candidates,
    flowSensitive: request.flowSensitive,
    // An explicit --timeout replaces the default budget.
    ...(request.timeoutSeconds === null ? { budget: Math.max(leastBudget, defaultBudget - used) } : {}),
    solver: solverChoice(request),
    validate: request.validate,
    cancellation: at.cancellation,
    progress: at.report,
    proves: request.proves,
    ...dumping(request),
  };
}

async function findFix(explanation: Explanation, sources: ExplainAnswer["sources"]): Promise<Patch | "none"> {
  const { patchOf } = await import("../../render/patch.ts");
  return patchOf(explanation, (path) => sources.get(path) ?? null) ?? "none";
}

function dumping({ dumpStages }: ExplainRequest): Pick<ExplainFoundRunOptions, "dump"> {
  if (Object.keys(dumpStages).length === 0) return {};
  return {
    dump(stage: StageName, text) {
      const folders = [dumpStages[stage], dumpStages.stages];
      for (const folder of folders) if (folder !== undefined) writeDump(folder, stage, text());
    },
  };
}

async function outlinesFor(request: ExplainRequest, project: Project): Promise<ExplainAnswer["outlines"]> {
  if (!request.withOutlines) return new Map();
  const { outlineC } = await import("../../c/cFrontEnd.ts");
  return outlineC(project, request);
}

function replayCommand(
  { replay, tests }: ExplainRequest,
  test: string | null,
  inputs: readonly string[],
  text?: SmallestText,
): string {
  const given = inputs.length === 0 ? [] : [`--inputs=${inputs.join(",")}`];
  if (text === undefined) {
    const exact = replay.exact ? ["--exact"] : [];
    const folder = tests === null ? [] : ["--tests", tests.folder, ...exact];
    const chosen = test === null ? [] : [...folder, "--test", test];
    return shellWords([...replay.before, ...chosen, ...given, ...replay.after]);
  }
  const at = replay.before.findIndex((word) => word === "--stdin" || word === "--fuzz-input");
  const option = replay.before[at] ?? "--stdin";
  const run = at === -1 ? replay.before : replay.before.toSpliced(at, 2);
  const own = [...given, ...(text.args.length === 0 ? [] : ["--", ...text.args])];
  if (text.stdin.length === 0 && option === "--stdin") return shellWords([...run, ...own]);
  return `${printfCommand(text.stdin)} | ${shellWords([...run, option, "-", ...own])}`;
}
