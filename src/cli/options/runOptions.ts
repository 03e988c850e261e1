import { type OutputFlags, type ProgramFlags, type ProgramRequest, programRequest } from "./programOptions.ts";

/** What the engine is asked to do by `tracefold run`. */
export type RunRequest = ProgramRequest & {
  readonly command: "run";
  readonly trace: boolean;
  readonly dumpIr: boolean;
  readonly format: "text" | "json";
  /** What the program writes is passed on, dropped, or passed on with a rule between it and the report. */
  readonly programOutput: "pass" | "drop" | "rule";
};

/** The options as commander hands them over. */
export type RunFlags = ProgramFlags & OutputFlags & { readonly trace?: boolean; readonly dump?: string };

export function runRequest(files: readonly string[], programArguments: readonly string[], flags: RunFlags): RunRequest {
  return {
    command: "run",
    ...programRequest(files, programArguments, flags),
    trace: flags.trace ?? false,
    dumpIr: flags.dump === "ir",
    format: flags.format as RunRequest["format"],
    programOutput: flags.quiet ? "drop" : flags.out === undefined ? "rule" : "pass",
  };
}
