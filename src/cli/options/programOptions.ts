import { readFileSync } from "node:fs";
import { TracefoldError } from "../../base/errors.ts";
import type { DataModelName } from "../../ir/type.ts";
import { type InputValue, parseInputs } from "../../trace/inputs.ts";

/** Which run of which program; plain data, because it goes to a worker thread. */
export type ProgramRequest = {
  /** The program's files; with a database, none for all that it lists. */
  readonly files: readonly string[];
  /** A `compile_commands.json` that says how they are to be read, or its folder. */
  readonly database: string | null;
  readonly dataModel: DataModelName;
  readonly entry: string;
  readonly uninitialized: "error" | "input";
  readonly undefined: "error" | "input";
  readonly subobjectBounds: boolean;
  readonly preprocess: "auto" | "builtin" | "gcc";
  readonly includeFolders: readonly string[];
  readonly defines: readonly string[];
  readonly inputs: readonly InputValue[];
  /** Once the given inputs are used up: random ones from this seed, or the end of the run. */
  readonly randomInputs: number | null;
  readonly stdin: Uint8Array;
  readonly programArguments: readonly string[];
  readonly undefinedBehaviour: "error" | "wrap";
  readonly maxSteps: number;
  readonly timeoutSeconds: number | null;
};

/** The options about the program and its run, as commander hands them over. */
export type ProgramFlags = {
  readonly inputs?: string;
  readonly inputsFile?: string;
  readonly randomInputs?: boolean;
  readonly seed: string;
  readonly stdin?: string;
  readonly entry: string;
  readonly dataModel: string;
  readonly ub: string;
  readonly uninitialized: string;
  readonly undefined: string;
  readonly subobjectBounds: string;
  readonly project?: string;
  readonly preprocess: string;
  readonly include: readonly string[];
  readonly define: readonly string[];
  readonly maxSteps: string;
  readonly timeout?: string;
};

/** The options about what is printed, which every command has. */
export type OutputFlags = {
  readonly format: string;
  readonly out?: string;
  readonly quiet?: boolean;
  readonly debug?: boolean;
};

export function programRequest(
  files: readonly string[],
  programArguments: readonly string[],
  flags: ProgramFlags,
): ProgramRequest {
  if (files.length === 0 && flags.project === undefined) throw usageError("the program's file is missing");
  const twice = files.find((file, i) => files.indexOf(file) !== i);
  if (twice !== undefined) throw usageError(`${twice} is named twice`);
  return {
    files,
    database: flags.project ?? null,
    dataModel: flags.dataModel as DataModelName,
    entry: flags.entry,
    uninitialized: flags.uninitialized as ProgramRequest["uninitialized"],
    undefined: flags.undefined as ProgramRequest["undefined"],
    subobjectBounds: flags.subobjectBounds === "on",
    preprocess: flags.preprocess as ProgramRequest["preprocess"],
    includeFolders: flags.include,
    defines: flags.define,
    inputs: [
      ...(flags.inputs === undefined ? [] : parseInputs(flags.inputs)),
      ...(flags.inputsFile === undefined ? [] : inputsFromFile(flags.inputsFile)),
    ],
    randomInputs: flags.randomInputs ? wholeNumber("--seed", flags.seed) : null,
    stdin: flags.stdin === undefined ? new Uint8Array() : readBytes("--stdin", flags.stdin),
    programArguments,
    undefinedBehaviour: flags.ub as ProgramRequest["undefinedBehaviour"],
    maxSteps: wholeNumber("--max-steps", flags.maxSteps),
    timeoutSeconds: flags.timeout === undefined ? null : seconds("--timeout", flags.timeout),
  };
}

export function wholeNumber(option: string, text: string): number {
  const plain = text.replaceAll("_", "");
  if (/^\d+$/.test(plain) && Number.isSafeInteger(Number(plain))) return Number(plain);
  if (/^\d+e\d+$/.test(plain) && Number.isSafeInteger(Number(plain))) return Number(plain);
  throw usageError(`${option} needs a whole number, not "${text}"`);
}

export function seconds(option: string, text: string): number {
  if (/^(\d+\.?\d*|\.\d+)$/.test(text) && Number(text) > 0) return Number(text);
  throw usageError(`${option} needs a number of seconds, not "${text}"`);
}

/** `#` starts a comment. */
function inputsFromFile(path: string): InputValue[] {
  const text = Buffer.from(readBytes("--inputs-file", path)).toString("utf8");
  try {
    return parseInputs(text.replaceAll(/#.*/g, ""));
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    throw new TracefoldError({ code: "TF131", message: `${path}: ${error.message}`, help: error.help });
  }
}

/** `-` is the command's own standard input. */
function readBytes(option: string, path: string): Uint8Array {
  try {
    return readFileSync(path === "-" ? 0 : path);
  } catch (error) {
    throw new TracefoldError({ code: "TF132", message: `${option}: cannot read ${path} (${reason(error)})` });
  }
}

function reason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "it is a folder";
  return code === "EACCES" ? "permission denied" : `${code}`;
}

export function usageError(message: string): TracefoldError {
  return new TracefoldError({ code: "TF130", message, help: "tracefold COMMAND --help lists the options." });
}
