import type { ExploreProperty, Goal } from "../../analyses/explore/target.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { ExploreReport } from "../../jobs/explore/exploreReport.ts";
import { type Command, type OutputFlags, reportAsJson, type Workplace } from "../command.ts";
import { exitCodes } from "../exitCodes.ts";
import {
  type ProgramFlags,
  type ProgramRequest,
  programArgument,
  programOptions,
  programRequest,
  runWords,
} from "../options/programOptions.ts";
import {
  checkOption,
  dumpOption,
  type SolverFlags,
  type SolverRequest,
  solverChoice,
  solverOption,
  solverRequest,
} from "../options/solverOptions.ts";
import { usageError, wholeNumber } from "../options/values.ts";
import { shellWords } from "../shellWords.ts";
import { packageVersion } from "../version.ts";

type ExploreFlags = ProgramFlags &
  SolverFlags &
  OutputFlags & {
    readonly mode: string;
    readonly searcher: string;
    readonly property?: string;
    readonly reach?: string;
    readonly cover?: string;
    readonly all?: boolean;
    readonly first?: boolean;
    readonly tree?: string;
    readonly tests?: string;
    readonly testFormat: string;
    readonly runs: string;
    readonly maxStates: string;
    readonly maxDepth: string;
  };

type ExploreRequest = ProgramRequest &
  SolverRequest & {
    readonly mode: "auto" | "classic" | "concolic" | "compact" | "bounded" | "merged";
    readonly searcher: "bfs" | "dfs" | "coverage" | "random";
    /** null for what the program asserts, or else everything undefined. */
    readonly goal: Goal | null;
    readonly all: boolean;
    readonly first: boolean;
    readonly tree: string | null;
    readonly tests: { readonly folder: string; readonly format: "xml" | "ktest" } | null;
    readonly runs: number;
    readonly seed: number;
    readonly maxStates: number;
    readonly maxDepth: number;
    readonly replay: readonly string[];
  };

type ExploreAnswer = { readonly report: ExploreReport };

/** `tracefold explore`: which inputs lead to an error, to a line, to every branch. */
export const explore: Command<ExploreFlags, ExploreRequest, ExploreAnswer> = {
  name: "explore",
  summary: "find inputs that fail or reach a line, or show that there are none",
  ...programArgument,
  options: [
    ...programOptions,
    {
      flags: "--mode <name>",
      help: "classic paths, concolic search, loops in one step (compact), within bounds (bounded) or unrolled with ways merged; auto: all but classic",
      choices: ["auto", "classic", "concolic", "compact", "bounded", "merged"],
      default: "auto",
    },
    {
      flags: "--searcher <name>",
      help: "which path is followed next",
      choices: ["bfs", "dfs", "coverage", "random"],
      default: "bfs",
    },
    { flags: "--property <names>", help: "what is looked for: assertions, overflow, division, shift, undefined (all)" },
    { flags: "--reach <file:line>", help: "look for inputs that lead to a line" },
    { flags: "--cover <unit>", help: "look for inputs that cover all of these", choices: ["lines", "branches"] },
    {
      flags: "--all",
      help: "all distinct failures, each with the inputs that it is proved for, not one for each target",
    },
    { flags: "--first", help: "end with the first failure" },
    { flags: "--tree <file>", help: "write the whole tree: .json, or Graphviz text" },
    { flags: "--tests <folder>", help: "write a test for each path that was followed to its end" },
    { flags: "--test-format <name>", help: "as Test-Comp or KLEE has them", choices: ["xml", "ktest"], default: "xml" },
    { flags: "--runs <n>", help: "concrete runs before any symbolic work", default: "2000" },
    { flags: "--max-states <n>", help: "states that may be visited", default: "200000" },
    { flags: "--max-depth <n>", help: "branches on one path", default: "5000" },
    solverOption("who decides which paths are feasible"),
    checkOption,
    dumpOption(),
  ],
  request: (given) => {
    const { flags } = given;
    return {
      ...programRequest(given),
      ...solverRequest(flags),
      mode: flags.mode as ExploreRequest["mode"],
      searcher: flags.searcher as ExploreRequest["searcher"],
      goal: goalOf(flags),
      all: flags.all ?? false,
      first: flags.first ?? false,
      tree: flags.tree ?? null,
      tests: flags.tests === undefined ? null : { folder: flags.tests, format: flags.testFormat as "xml" | "ktest" },
      runs: wholeNumber("--runs", flags.runs),
      seed: wholeNumber("--seed", flags.seed),
      maxStates: wholeNumber("--max-states", flags.maxStates),
      maxDepth: wholeNumber("--max-depth", flags.maxDepth),
      replay: runWords(given),
    };
  },
  work,
  formats: {
    async text({ report }, { paint, request }) {
      const { exploreText } = await import("../../report/exploreText.ts");
      const replay = (inputs: string) => shellWords([...request.replay, `--inputs=${inputs}`]);
      return exploreText(report, { paint, replay });
    },
    json: reportAsJson,
  },
  isGood: ({ report }) => report.status === "ok",
  exitCode({ report: { status } }) {
    if (status === "failed") return exitCodes.programIsWrong;
    return status === "ok" ? exitCodes.fine : exitCodes.unknown;
  },
};

const propertyNames: readonly ExploreProperty[] = ["assertions", "overflow", "division", "shift", "undefined"];

function goalOf({ property, reach, cover }: ExploreFlags): Goal | null {
  if ([property, reach, cover].filter((given) => given !== undefined).length > 1) {
    throw usageError("--property, --reach and --cover are different questions: give one of them");
  }
  if (cover !== undefined) return { kind: "cover", unit: cover as "lines" | "branches" };
  if (reach !== undefined) {
    const match = /^(?:(.+):)?(\d+)$/.exec(reach);
    if (match === null) throw usageError(`--reach needs a line, such as main.c:12, not "${reach}"`);
    return { kind: "reach", file: match[1] ?? null, line: Number(match[2]) };
  }
  if (property === undefined) return null;
  const names = property.split(",").map((name) => name.trim()) as ExploreProperty[];
  const wrong = names.find((name) => !propertyNames.includes(name));
  if (wrong !== undefined) throw usageError(`--property: ${wrong} is none of ${propertyNames.join(", ")}`);
  return { kind: "property", properties: names };
}

async function work(request: ExploreRequest, at: Workplace): Promise<ExploreAnswer> {
  const start = performance.now();
  at.report("loading");
  const { loadRequested, requestedProject, requestedRun } = await import("../requestedProgram.ts");
  const program = await loadRequested(await requestedProject(request), request, at);
  const { defaultProperties } = await import("../../analyses/explore/target.ts");
  const { exploreProgram } = await import("../../jobs/explore/exploreProgram.ts");
  const { inputs: _given, ...run } = requestedRun(request, at);
  const explaining = request.all ? await import("../../explain/whyItFails.ts") : null;
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
            explaining.whyItFails(trace, { solver: solverChoice(request), cancellation: at.cancellation }),
        }),
    first: request.first,
    seconds: request.timeoutSeconds,
    wholeTree: request.tree !== null,
    run,
    solver: solverChoice(request),
    cancellation: at.cancellation,
    progress: at.report,
  });
  const { writeTests, writeTree } = await import("../../jobs/explore/writeExploration.ts");
  if (request.tree !== null) writeTree(request.tree, explored);
  if (request.tests !== null) writeTests(request.tests, program, explored, packageVersion());
  const { describeExploration } = await import("../../jobs/explore/describeExploration.ts");
  const ms = Math.round(performance.now() - start);
  return {
    report: describeExploration(program, explored, { version: packageVersion(), ms, tests: request.tests !== null }),
  };
}
