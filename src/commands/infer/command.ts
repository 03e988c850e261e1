import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { globPattern } from "../../base/glob.ts";
import { type InputValue, parseInputs } from "../../interpreter/inputs.ts";
import { type Command, type CommonRequest, reportAsJson, type Workplace } from "../command.ts";
import { count, flag, list, type Options, text, usageError, type Values } from "../options/option.ts";
import {
  inputsFromFile,
  openIfAsked,
  type PageRequest,
  type ProgramRequest,
  pageLine,
  pageOptions,
  pageRequest,
  programOptions,
  programRequest,
} from "../options/programOptions.ts";
import { solverOption } from "../options/solverOptions.ts";
import { exitCodes, packageVersion } from "../output.ts";
import type { InferReport, WrittenProperties } from "./result.ts";

const { inputs: _inputs, inputsFile: _inputsFile, ...commonOptions } = programOptions;

const options = {
  only: list("--only <glob>", "only contracts of files that match, for example 'src/**'"),
  quota: count("--keep <count>", "number of calls to keep for each path; 0 keeps all", 6),
  maxMegabytes: count("--max-megabytes <count>", "size limit of the recording of each process", 256),
  all: flag("--all", "print all lines of each contract, and contracts of callbacks without a name"),
  recording: text("--recording <folder>", "infer from a recording that tracefold/vitest or tracefold/register made"),
  diff: text("--diff <old.json>", "compare with an earlier --format json"),
  base: text("--base <revision>", "compare with the contracts of a git revision, for example main"),
  tsdoc: flag("--tsdoc", "print a patch that documents functions with @requires, @ensures, @throws"),
  properties: text("--properties <file>", "write a vitest file with fast-check properties"),
  solver: solverOption("who simplifies conditions"),
  inputs: list("--inputs <values>", "run the C program with these inputs: 3,0,-7"),
  inputsFile: list(
    "--inputs-file <path...>",
    "run it once with each file of inputs: numbers, a Test-Comp test (.xml) or a KLEE test (.ktest)",
  ),
  ...commonOptions,
  ...pageOptions,
} satisfies Options;

type InferValues = Values<typeof options>;

type InferRequest = CommonRequest &
  PageRequest &
  Pick<InferValues, "solver" | "only" | "quota" | "maxMegabytes" | "recording" | "diff" | "base" | "properties"> & {
    readonly words: readonly string[];
    readonly folder: string;
    readonly output: 1 | 2 | null;
    readonly c: { readonly program: ProgramRequest; readonly runs: readonly RequestedRun[] } | null;
  };

/** The inputs of one run; `bits`: raw bits, whatever type reads them. */
type RequestedRun = { readonly name: string; readonly inputs: readonly InputValue[]; readonly bits: boolean };

export const infer: Command<typeof options, InferRequest, { readonly report: InferReport }> = {
  name: "infer",
  summary: "infer contracts of JavaScript and TypeScript code from its tests, of C functions from runs",
  usage: "[options] -- <test command>\n       tracefold infer <files...> [options] [-- arguments...]",
  argument: {
    words: "[files...]",
    help: "C files; without them, give the test command after --, for example npx vitest run",
  },
  options,
  request(given) {
    const { words, programArguments, flags } = given;
    const { solver, only, quota, maxMegabytes, recording, diff, base, properties, tsdoc, timeoutSeconds } = flags;
    const isC = words.length > 0 || flags.database !== null;
    const other = words.find((word) => !/\.[ci]$/.test(word));
    if (other !== undefined) throw usageError(`${other} is no C file; give the test command after --`);
    if (!isC && programArguments.length === 0 && recording === null)
      throw usageError("infer needs the command that runs the tests: tracefold infer -- npx vitest run");
    if (isC && (tsdoc || properties !== null || recording !== null || base !== null))
      throw usageError("--tsdoc, --properties, --recording and --base are for tests of JavaScript and TypeScript");
    if (base !== null && (diff !== null || recording !== null))
      throw usageError("--base runs the tests of another revision: it does not go with --diff and --recording");
    const program = () => programRequest(given, { ...flags, inputs: null, inputsFile: null });
    return {
      ...{ solver, only, quota, maxMegabytes, recording, diff, base, properties, timeoutSeconds },
      ...pageRequest(flags),
      words: programArguments,
      folder: process.cwd(),
      // Our standard output may be piped: the tests' output goes to standard error then.
      output: flags.format === "text" && flags.out === null && !tsdoc && base === null ? 1 : 2,
      c: isC ? { program: program(), runs: requestedRuns(flags) } : null,
    };
  },
  work,
  formats: {
    async text({ report }, { paint, flags, request }) {
      if (report.diff !== null) {
        const { inferDiffText } = await import("../../render/inferText.ts");
        return inferDiffText(report.diff, paint);
      }
      if (flags.tsdoc) {
        const { tsdocPatch } = await import("../../render/tsdocPatch.ts");
        return tsdocPatch(report, (file) => readText(resolve(request.folder, file)));
      }
      const { inferText } = await import("../../render/inferText.ts");
      return inferText(report, paint, flags.all) + pageLine(request, paint);
    },
    json: reportAsJson,
  },
  exitCode({ report }) {
    if (report.diff !== null && report.diff.gone.length > 0) return exitCodes.programIsWrong;
    return report.status === "ok" ? exitCodes.fine : exitCodes.unknown;
  },
  async finish(_, { flags, request }, user) {
    await openIfAsked(request, flags, user);
    return exitCodes.fine;
  },
};

/** One run for each list of inputs; one run without inputs if there is no list. */
function requestedRuns({ inputs, inputsFile }: InferValues): readonly RequestedRun[] {
  const runs = [
    ...inputs.map((text) => ({ name: `--inputs ${text}`, inputs: parseInputs(text), bits: false })),
    ...inputsFile.map((path) => ({ name: path, inputs: inputsFromFile(path), bits: path.endsWith(".ktest") })),
  ];
  return runs.length > 0 ? runs : [{ name: "the run", inputs: [], bits: false }];
}

function readText(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

async function work(request: InferRequest, at: Workplace) {
  const report = request.c === null ? await workOnTests(request, at) : await workOnC(request, request.c, at);
  if (request.page !== null) {
    at.report("writing the page");
    const { writePage } = await import("../writePage.ts");
    const sources = report.program.files.flatMap(({ path }) => {
      const text = readText(resolve(request.folder, path));
      return text === null ? [] : [[path, text] as const];
    });
    await writePage(request.page, { report, sources: new Map(sources), recording: null });
  }
  return { report };
}

async function workOnTests(request: InferRequest, at: Workplace): Promise<InferReport> {
  const { cancellation, report: progress } = at;
  const { inferTests } = await import("./pipeline.ts");
  const { readContracts } = await import("./diffContracts.ts");
  const solver = { backend: request.solver };
  const options = { ...request, before: null, solver, version: packageVersion(), cancellation, progress };
  const { base, folder } = request;
  const { atRevision } = await import("./baseRevision.ts");
  const before =
    base !== null
      ? await atRevision(base, folder, (copy) => inferTests({ ...options, folder: copy }))
      : request.diff === null
        ? null
        : readContracts(request.diff);
  const report = await inferTests({ ...options, before });
  if (request.properties === null) return report;
  const { writeProperties } = await import("./writeProperties.ts");
  const properties = await writeProperties(report, { ...request, path: request.properties }, cancellation);
  const written = { ...report, properties };
  return properties.count === 0 ? withoutProperties(written, properties) : written;
}

/** A requested file that cannot be written is reported, and the file is not created. */
function withoutProperties(report: InferReport, { path }: WrittenProperties): InferReport {
  const reason = `no contract can be tested with other values, so ${path} was not written`;
  const help = "Properties are written for exported classes, and exported functions of numbers, strings and booleans.";
  return { ...report, status: "unknown", unknowns: [...report.unknowns, { reason, where: null, help }] };
}

async function workOnC(request: InferRequest, { program: asked, runs }: NonNullable<InferRequest["c"]>, at: Workplace) {
  const { inferRuns, nothingMatches } = await import("./pipeline.ts");
  const { readContracts } = await import("./diffContracts.ts");
  const { loadRequested, requestedProject, requestedRun } = await import("../request.ts");
  const before = request.diff === null ? null : readContracts(request.diff);
  at.report("loading");
  const project = await requestedProject(asked);
  const program = await loadRequested(project, asked, at);
  const own = new Set(program.files.map(({ path }) => path).filter((path) => !path.startsWith("<")));
  const isNamed = (path: string): boolean => request.only.some((glob) => globPattern(glob).test(path));
  if (request.only.length > 0 && !program.files.some(({ path }) => isNamed(path))) throw nothingMatches(request.only);
  return inferRuns(
    program,
    runs.map(({ name, inputs, bits }) => ({
      name,
      options: requestedRun({ ...asked, inputs, inputsAreBits: bits }, at),
    })),
    {
      wanted: (path) => (request.only.length === 0 ? own.has(path) : isNamed(path)),
      ...{ keep: request.quota, solver: { backend: request.solver }, version: packageVersion(), before },
      ...{ cancellation: at.cancellation, progress: at.report },
    },
  );
}
