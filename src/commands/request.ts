import { dirname } from "node:path";
import type { PassingRun } from "../analyses/counterfactual/experimentRunner.ts";
import { throwIfCancelled } from "../base/cancellation.ts";
import { TracefoldError } from "../base/errors.ts";
import type { FrontEndOptions } from "../frontEnd/frontEnd.ts";
import { type Project, readProject } from "../frontEnd/project.ts";
import { fromBits } from "../interop/testCases.ts";
import { folderFiles } from "../interpreter/folderFiles.ts";
import { type InputSource, listedInputs, randomInputs } from "../interpreter/inputs.ts";
import { type RunOptions, runProgram, runTest, type TestSuite } from "../interpreter/run.ts";
import type { FunctionId, Program } from "../ir/program.ts";
import { loadProject } from "../languages/loadProject.ts";
import type { Workplace } from "./command.ts";
import { usageError } from "./options/option.ts";
import type { ProgramRequest } from "./options/programOptions.ts";
import type { RequestedTest } from "./options/testOptions.ts";

/** Loads the project that the command line names. */
export async function requestedProject(request: ProgramRequest): Promise<Project> {
  const { files, database, dataModel, entry, includeFolders, defines, within } = request;
  const settings = { dataModel, entry, includeFolders, defines, ...(within === undefined ? {} : { within }) };
  if (database === null) return readProject(files, settings);
  const { databaseProject } = await import("../c/compileDatabase.ts");
  return databaseProject(database, files, settings);
}

export async function loadRequested(
  project: Project,
  request: ProgramRequest,
  { cancellation }: Pick<Workplace, "cancellation">,
  more: Pick<FrontEndOptions, "errorFlag" | "watch" | "keeps" | "stated" | "unsupported" | "checks"> = {},
): Promise<Program> {
  const program = await loadProject(project, { ...frontEndOptions(request), ...more });
  throwIfCancelled(cancellation, "loading the program");
  return program;
}

function frontEndOptions(request: ProgramRequest): FrontEndOptions {
  return {
    uninitialized: request.uninitialized === "input" ? "input" : "undefined",
    undefined: request.undefined,
    subobjectBounds: request.subobjectBounds,
    preprocess: request.preprocess,
  };
}

/** Keeps functions that look like tests, besides those that are named, unless one of the former cannot be read. */
export async function withTests(
  load: (more: Pick<FrontEndOptions, "keeps">) => Promise<Program>,
  names: readonly string[],
): Promise<Program> {
  const named = new Set(names);
  try {
    return await load({ keeps: (name) => named.has(name) || isTestName(name) });
  } catch (error) {
    if (!(error instanceof TracefoldError) || named.size > 0) throw error;
    return load({});
  }
}

export function isTestName(name: string): boolean {
  return /^test/i.test(name);
}

export function requestedRun(request: ProgramRequest, { cancellation }: Pick<Workplace, "cancellation">): RunOptions {
  return {
    inputs: inputsOf(request),
    args: request.programArguments,
    programName: request.files[0] ?? request.database ?? "program",
    stdin: request.stdin,
    files: folderFiles(request.filesFolder ?? dirname(request.files[0] ?? request.database ?? ".")),
    ...(request.expected === null ? {} : { expected: request.expected }),
    undefinedBehaviour: request.undefinedBehaviour === "wrap" ? "wrap" : "stop",
    maxSteps: request.maxSteps,
    cancellation,
  };
}

/** The run of a command that says whether it fails: every status but 0 is a failure, unless the user expects another. */
export function judgedRun(request: ProgramRequest, at: Pick<Workplace, "cancellation">): RunOptions {
  const run = requestedRun(request, at);
  return request.anyExit ? run : { ...run, expected: { exit: 0, ...run.expected } };
}

function inputsOf({ inputs, inputsAreBits, randomInputs: seed }: ProgramRequest): InputSource {
  const listed = inputsAreBits ? fromBits(listedInputs(inputs)) : listedInputs(inputs);
  if (seed === null) return listed;
  const random = randomInputs(seed);
  return (request) => listed(request) ?? random(request);
}

/** The requested runs, each with what it gives itself and otherwise the command's own settings. */
export function testSuite(program: Program, base: RunOptions, requested: readonly RequestedTest[]): TestSuite {
  const { expected: usual, ...common } = base;
  const status = usual?.exit === undefined ? {} : { exit: usual.exit };
  return requested.map(({ name, entry, expected, ...given }) => ({
    name,
    run: {
      ...common,
      ...given,
      ...(entry === null ? {} : { entry: testFunction(program, name, entry) }),
      ...(expected === undefined ? {} : { expected: { ...status, ...expected } }),
    },
  }));
}

function testFunction(program: Program, given: string, wanted: string): FunctionId {
  const test = program.functions.find(({ name, parameters }) => name === wanted && parameters.length === 0);
  if (test === undefined) throw usageError(`${given}: there is no such file, and no such function`);
  return test.id;
}

/** The runs of `--passing`, which must pass. A run of the program without an expectation has the output that it prints now. */
export function passingRuns(
  program: Program,
  base: RunOptions,
  requested: readonly RequestedTest[],
): readonly PassingRun[] {
  return testSuite(program, base, requested).map(({ name, run }) => {
    if (!runTest(program, { name, run }).passes)
      throw usageError(`${name}: this run does not pass: \`tracefold run\` says how it ends`);
    if (run.entry !== undefined || run.expected?.stdout !== undefined) return run;
    const { stdout } = runProgram(program, run);
    const compares = base.expected?.compares ?? "tokens";
    return { ...run, expected: { exit: 0, ...run.expected, stdout, compares } };
  });
}
