import { type LoadOptions, loadC } from "../../frontend/c/loadC.ts";
import type { Program } from "../../ir/program.ts";
import { type InputSource, listedInputs, randomInputs } from "../../trace/inputs.ts";
import type { Outcome } from "../../trace/outcome.ts";
import type { RunOptions } from "../../trace/run.ts";
import type { ProgramRequest } from "../options/programOptions.ts";
import type { Control } from "./control.ts";

/** The program that a command is about. */
export function loadRequested(
  request: ProgramRequest,
  more: Pick<LoadOptions, "errorFlag" | "watch"> = {},
): Promise<Program> {
  return loadC(request.file, {
    dataModel: request.dataModel,
    entry: request.entry,
    uninitialized: request.uninitialized === "input" ? "input" : "undefined",
    preprocess: request.preprocess,
    includeFolders: request.includeFolders,
    defines: request.defines,
    ...more,
  });
}

/** The run that a command is about. */
export function requestedRun(request: ProgramRequest, control: Control): RunOptions {
  return {
    inputs: inputsOf(request),
    args: request.programArguments,
    programName: request.file,
    stdin: request.stdin,
    undefinedBehaviour: request.undefinedBehaviour === "wrap" ? "wrap" : "stop",
    maxSteps: request.maxSteps,
    interrupt: control.interrupt,
  };
}

function inputsOf({ inputs, randomInputs: seed }: ProgramRequest): InputSource {
  const listed = listedInputs(inputs);
  if (seed === null) return listed;
  const random = randomInputs(seed);
  return (request) => listed(request) ?? random(request);
}

/** The main thread keeps the time; the interpreter only knows that it was stopped. */
export function stoppedBy(outcome: Outcome, control: Control, { timeoutSeconds }: ProgramRequest): Outcome {
  if (outcome.kind !== "limit" || outcome.limit !== "interrupted" || control.stopReason() !== "timeout") return outcome;
  const message = `the time limit of ${timeoutSeconds} s was reached`;
  return { ...outcome, limit: "time", code: "TF342", message, help: "Allow more with --timeout." };
}
