import type { ExploreProperty, Goal } from "../../analyses/explore/target.ts";
import type { Trace } from "../../interpreter/trace.ts";
import { type Command, reportAsJson, type Workplace } from "../command.ts";
import { choice, count, flag, type Options, optionalChoice, text, usageError, type Values } from "../options/option.ts";
import {
  longRunSteps,
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
  stepWords,
} from "../options/programOptions.ts";
import { type SolverRequest, solverChoice, solverOptions, solverRequest } from "../options/solverOptions.ts";
import { exitCodes, packageVersion, shellWords } from "../output.ts";
import type { ExploreReport } from "./result.ts";

const options = {
  ...programOptions,
  maxSteps: longRunSteps,
  mode: choice(
    "--mode <name>",
    "classic: path by path; concolic: by concrete runs; compact: loops in one step; bounded: loops within bounds; merged: loops unrolled, paths merged; auto: all but classic",
    ["auto", "classic", "concolic", "compact", "bounded", "merged"],
    "auto",
  ),
  searcher: choice(
    "--searcher <name>",
    "the order in which paths are explored",
    ["bfs", "dfs", "coverage", "random"],
    "bfs",
  ),
  property: text(
    "--property <names>",
    "search for violations of: assertions, overflow, division, shift, undefined (all)",
  ),
  reach: text("--reach <file:line>", "search for inputs that reach a line"),
  cover: optionalChoice("--cover <unit>", "search for inputs that cover all lines or branches", ["lines", "branches"]),
  all: flag("--all", "report all distinct failures, each with the inputs for which it is proved"),
  first: flag("--first", "stop at the first failure"),
  tree: text("--tree <file>", "write the whole tree: .json, or Graphviz text"),
  tests: text("--tests <folder>", "write a test for each completed path"),
  testFormat: choice("--test-format <name>", "the format of Test-Comp (xml) or KLEE (ktest)", ["xml", "ktest"], "xml"),
  runs: count("--runs <n>", "number of concrete runs before symbolic execution", 2000),
  maxStates: count("--max-states <n>", "limit on visited states", 200_000),
  maxDepth: count("--max-depth <n>", "branches on one path", 5000),
  ...pageOptions,
  ...solverOptions("who decides which paths are feasible"),
} satisfies Options;

type ExploreValues = Values<typeof options>;

type ExploreRequest = ProgramRequest &
  PageRequest &
  SolverRequest &
  Pick<ExploreValues, "mode" | "searcher" | "all" | "first" | "tree" | "runs" | "maxStates" | "maxDepth"> & {
    /** null for assertions, or if there are none for undefined behaviour. */
    readonly goal: Goal | null;
    readonly tests: { readonly folder: string; readonly format: "xml" | "ktest" } | null;
    readonly replay: readonly string[];
  };

type ExploreAnswer = { readonly report: ExploreReport };

/** `tracefold explore`: finds inputs that reach an error, a line, or every branch. */
export const explore: Command<typeof options, ExploreRequest, ExploreAnswer> = {
  name: "explore",
  summary: "find inputs that fail or reach a line, or show that there are none",
  ...programArgument,
  options,
  request(given) {
    const { flags } = given;
    const { mode, searcher, all, first, tree, runs, maxStates, maxDepth } = flags;
    return {
      ...programRequest(given, { ...flags, maxSteps: flags.maxSteps ?? Number.POSITIVE_INFINITY }),
      ...solverRequest(flags),
      ...pageRequest(flags),
      ...{ mode, searcher, all, first, tree, runs, maxStates, maxDepth },
      goal: goalOf(flags),
      tests: flags.tests === null ? null : { folder: flags.tests, format: flags.testFormat },
      replay: runWords(given),
    };
  },
  work,
  formats: {
    async text({ report }, { paint, request }) {
      const { exploreText } = await import("../../render/exploreText.ts");
      return exploreText(report, { paint }) + pageLine(request, paint);
    },
    json: reportAsJson,
  },
  exitCode({ report: { status } }) {
    if (status === "failed") return exitCodes.programIsWrong;
    return status === "ok" ? exitCodes.fine : exitCodes.unknown;
  },
  async finish(_, { flags, request }, user) {
    await openIfAsked(request, flags, user);
    return exitCodes.fine;
  },
};

const propertyNames: readonly ExploreProperty[] = ["assertions", "overflow", "division", "shift", "undefined"];

function goalOf({ property, reach, cover }: Pick<ExploreValues, "property" | "reach" | "cover">): Goal | null {
  if ([property, reach, cover].filter((given) => given !== null).length > 1) {
    throw usageError("--property, --reach and --cover are different questions: give one of them");
  }
  if (cover !== null) return { kind: "cover", unit: cover };
  if (reach !== null) {
    const match = /^(?:(.+):)?(\d+)$/.exec(reach);
    if (match === null) throw usageError(`--reach needs a line, such as main.c:12, not "${reach}"`);
    return { kind: "reach", file: match[1] ?? null, line: Number(match[2]) };
  }
  if (property === null) return null;
  const names = property.split(",").map((name) => name.trim()) as ExploreProperty[];
  const wrong = names.find((name) => !propertyNames.includes(name));
  if (wrong !== undefined) throw usageError(`--property: ${wrong} is none of ${propertyNames.join(", ")}`);
  return { kind: "property", properties: names };
}

async function work(request: ExploreRequest, at: Workplace): Promise<ExploreAnswer> {
  const start = performance.now();
  at.report("loading");
  const { loadRequested, requestedProject, requestedRun } = await import("../request.ts");
  const program = await loadRequested(await requestedProject(request), request, at);
  const { defaultProperties } = await import("../../analyses/explore/target.ts");
  const { exploreProgram } = await import("./pipeline.ts");
  const { describeExploration, mostListed } = await import("./result.ts");
  const { inputs: _given, maxSteps = Number.POSITIVE_INFINITY, ...limitless } = requestedRun(request, at);
  const run = maxSteps === Number.POSITIVE_INFINITY ? limitless : { ...limitless, maxSteps };
  const explaining = request.all ? await import("../explain/inputCondition.ts") : null;
  const explored = exploreProgram(program, {
    goal: request.goal ?? { kind: "property", properties: defaultProperties(program) },
    mode: request.mode,
    searcher: request.searcher,
    seed: request.seed,
    runs: request.runs,
    maxStates: request.maxStates,
    maxDepth: request.maxDepth,
    all: request.all,
    ...(explaining === null
      ? {}
      : {
          explainFailure: (trace: Trace) =>
            explaining.inputConditionForExplore(trace, {
              solver: solverChoice(request),
              cancellation: at.cancellation,
            }),
        }),
    first: request.first,
    seconds: request.timeoutSeconds,
    wholeTree: request.tree !== null,
    shownNodes: request.page === null ? 0 : mostListed,
    run,
    solver: solverChoice(request),
    cancellation: at.cancellation,
    progress: at.report,
  });
  const { writeTests, writeTree } = await import("./writeExploration.ts");
  if (request.tree !== null) writeTree(request.tree, explored);
  if (request.tests !== null) writeTests(request.tests, program, explored, packageVersion());
  const report = describeExploration(program, explored, {
    version: packageVersion(),
    ms: Math.round(performance.now() - start),
    tests: request.tests !== null,
    listed: request.page !== null,
    replay: (inputs, steps) => shellWords([...request.replay, `--inputs=${inputs.join(",")}`, ...stepWords(steps)]),
  });
  if (request.page !== null) {
    at.report("writing the page");
    const { writePage } = await import("../writePage.ts");
    const sources = new Map(program.files.map((file) => [file.path, file.text]));
    await writePage(request.page, { report, sources, recording: null });
  }
  return { report };
}
