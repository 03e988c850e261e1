import type { BackendChoice } from "../../solver/findBackends.ts";
import {
  type OutputFlags,
  type ProgramFlags,
  type ProgramRequest,
  programRequest,
  usageError,
} from "./programOptions.ts";

/** What the engine is asked to do by `tracefold compress`. */
export type CompressRequest = ProgramRequest & {
  readonly command: "compress";
  readonly errorFlag: boolean;
  readonly candidates: "canonical" | "extended";
  readonly solver: BackendChoice;
  /** Check the solver's answers as they come. */
  readonly validate: boolean;
  /** Where every query is written. */
  readonly dumpSmt: string | null;
  /** Where the proof is written. */
  readonly proof: string | null;
  /** Every step that is left is listed. */
  readonly full: boolean;
};

export type CompressFlags = ProgramFlags &
  OutputFlags & {
    readonly errorFlag?: boolean;
    readonly candidates: string;
    readonly solver: string;
    readonly check?: boolean;
    readonly dump?: readonly string[];
    readonly proof?: string;
    readonly full?: boolean;
  };

export function compressRequest(
  files: readonly string[],
  programArguments: readonly string[],
  flags: CompressFlags,
): CompressRequest {
  return {
    command: "compress",
    ...programRequest(files, programArguments, flags),
    errorFlag: flags.errorFlag ?? false,
    candidates: flags.candidates as CompressRequest["candidates"],
    solver: flags.solver as BackendChoice,
    validate: flags.check ?? false,
    dumpSmt: dumpFolder(flags.dump),
    proof: flags.proof ?? null,
    full: flags.full ?? false,
  };
}

export function dumpFolder(words: readonly string[] | undefined): string | null {
  if (words === undefined) return null;
  const [what, folder, ...rest] = words;
  if (what === "smt" && folder !== undefined && rest.length === 0) return folder;
  throw usageError("--dump needs what to write and where: --dump smt DIR");
}
