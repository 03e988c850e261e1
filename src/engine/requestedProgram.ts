import { dirname } from "node:path";
import { throwIfCancelled } from "../base/cancellation.ts";
import type { FrontEndOptions } from "../frontEnd/frontEnd.ts";
import { type Project, readProject } from "../frontEnd/project.ts";
import { fromBits } from "../interop/testCases.ts";
import { folderFiles } from "../interpreter/folderFiles.ts";
import { type InputSource, listedInputs, randomInputs } from "../interpreter/inputs.ts";
import type { RunOptions } from "../interpreter/run.ts";
import type { Program } from "../ir/program.ts";
import { loadProject } from "../languages/loadProject.ts";
import type { Workplace } from "./command.ts";
import type { ProgramRequest } from "./options/programOptions.ts";

/** The files of the program that a command is about. */
export async function requestedProject(request: ProgramRequest): Promise<Project> {
  const { files, database, dataModel, entry, includeFolders, defines } = request;
  const settings = { dataModel, entry, includeFolders, defines };
  if (database === null) return readProject(files, settings);
  const { databaseProject } = await import("../c/compileDatabase.ts");
  return databaseProject(database, files, settings);
}

/** The program that they are. */
export async function loadRequested(
  project: Project,
  request: ProgramRequest,
  { cancellation }: Pick<Workplace, "cancellation">,
  more: Pick<FrontEndOptions, "errorFlag" | "watch" | "keeps" | "stated" | "unsupported"> = {},
): Promise<Program> {
  const program = await loadProject(project, {
    uninitialized: request.uninitialized === "input" ? "input" : "undefined",
    undefined: request.undefined,
    subobjectBounds: request.subobjectBounds,
    preprocess: request.preprocess,
    ...more,
  });
  throwIfCancelled(cancellation, "loading the program");
  return program;
}

/** The run that a command is about. */
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

function inputsOf({ inputs, inputsAreBits, randomInputs: seed }: ProgramRequest): InputSource {
  const listed = inputsAreBits ? fromBits(listedInputs(inputs)) : listedInputs(inputs);
  if (seed === null) return listed;
  const random = randomInputs(seed);
  return (request) => listed(request) ?? random(request);
}
