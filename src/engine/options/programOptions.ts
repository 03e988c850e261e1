import { TracefoldError } from "../../base/errors.ts";
import { readKtestInputs, readTestCompInputs } from "../../interop/testCases.ts";
import type { Expected } from "../../interpreter/expected.ts";
import { type InputValue, parseInputs } from "../../interpreter/inputs.ts";
import type { DataModelName } from "../../ir/type.ts";
import type { CommandOption, Given } from "../command.ts";
import { existingFolder, expectedRun, readBytes } from "./expectedOptions.ts";
import { seconds, usageError, wholeNumber } from "./values.ts";

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
  /** They are bits, whatever type reads them. */
  readonly inputsAreBits: boolean;
  /** Once the given inputs are used up: random ones from this seed, or the end of the run. */
  readonly randomInputs: number | null;
  readonly stdin: Uint8Array;
  /** Where the program finds its files; null for the folder of its first source file. */
  readonly filesFolder: string | null;
  readonly expected: Expected | null;
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
  readonly files?: string;
  readonly expectStdout?: string;
  readonly expectExit?: string;
  readonly expectFile: readonly string[];
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

/** Which program, and which run of it. */
export const programOptions: readonly CommandOption[] = [
  { flags: "--project <path>", help: "read the files as a compile_commands.json (or the one in a folder) says" },
  { flags: "--inputs <values>", help: "values for nondeterministic reads, in order: 3,0,-7" },
  {
    flags: "--inputs-file <path>",
    help: "the same from a file: numbers, a test of Test-Comp (.xml) or of KLEE (.ktest)",
  },
  { flags: "--random-inputs", help: "random values when the given ones are used up" },
  { flags: "--seed <n>", help: "what random inputs start from", default: "1" },
  { flags: "--stdin <path>", help: "the program's standard input (- for this command's)" },
  { flags: "--files <folder>", help: "where the program finds its files, instead of its own folder" },
  { flags: "--expect-stdout <path>", help: "printing anything else than this file holds is a failure" },
  { flags: "--expect-exit <status>", help: "ending with any other status is a failure" },
  {
    flags: "--expect-file <name=path>",
    help: "leaving anything else than the file PATH holds in NAME is a failure",
    repeated: true,
  },
  { flags: "--entry <name>", help: "the function to run", default: "main" },
  { flags: "--data-model <name>", help: "sizes of types", choices: ["LP64", "ILP32"], default: "LP64" },
  { flags: "--ub <mode>", help: "undefined overflow and shifts", choices: ["error", "wrap"], default: "error" },
  {
    flags: "--uninitialized <mode>",
    help: "what memory and variables that nothing was written to hold",
    choices: ["error", "input"],
    default: "error",
  },
  {
    flags: "--undefined <mode>",
    help: "functions and variables that no file defines",
    choices: ["error", "input"],
    default: "error",
  },
  {
    flags: "--subobject-bounds <mode>",
    help: "are indices outside of an array inside of a struct or array undefined",
    choices: ["on", "off"],
    default: "on",
  },
  { flags: "--max-steps <n>", help: "end the run after so many steps", default: "50000000" },
  { flags: "--timeout <seconds>", help: "end the work after so many seconds" },
  { flags: "-I, --include <folder>", help: "look for included files here", repeated: true },
  { flags: "-D, --define <macro>", help: "define a macro: NAME or NAME=VALUE", repeated: true },
  {
    flags: "--preprocess <how>",
    help: "whose standard headers to use",
    choices: ["auto", "builtin", "gcc"],
    default: "auto",
  },
];

/** Of a command that is about a program. */
export const programArgument = {
  usage: "[options] <files...> [-- arguments...]",
  argument: {
    words: "[files...]",
    help: "the program's C files, or preprocessed ones (.i); its own arguments come after --",
  },
} as const;

/** `needsFile`: there is no other program that it could be about. */
export function programRequest(
  { words: files, programArguments, flags }: Given<ProgramFlags>,
  needsFile = true,
): ProgramRequest {
  if (needsFile && files.length === 0 && flags.project === undefined) throw usageError("the program's file is missing");
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
    inputsAreBits: flags.inputsFile?.endsWith(".ktest") ?? false,
    randomInputs: flags.randomInputs ? wholeNumber("--seed", flags.seed) : null,
    stdin: flags.stdin === undefined ? new Uint8Array() : readBytes("--stdin", flags.stdin),
    filesFolder: flags.files === undefined ? null : existingFolder(flags.files),
    expected: expectedRun(flags),
    programArguments,
    undefinedBehaviour: flags.ub as ProgramRequest["undefinedBehaviour"],
    maxSteps: wholeNumber("--max-steps", flags.maxSteps),
    timeoutSeconds: flags.timeout === undefined ? null : seconds("--timeout", flags.timeout),
  };
}

/** `tracefold run` with the options that decide which run it is, without its inputs and arguments. */
export function runWords({ words, flags }: Given<ProgramFlags>): readonly string[] {
  const run = ["tracefold", "run", ...words];
  if (flags.project !== undefined) run.push("--project", flags.project);
  if (flags.entry !== "main") run.push("--entry", flags.entry);
  if (flags.dataModel !== "LP64") run.push("--data-model", flags.dataModel);
  if (flags.ub !== "error") run.push("--ub", flags.ub);
  if (flags.uninitialized !== "error") run.push("--uninitialized", flags.uninitialized);
  if (flags.undefined !== "error") run.push("--undefined", flags.undefined);
  if (flags.subobjectBounds !== "on") run.push("--subobject-bounds", flags.subobjectBounds);
  if (flags.preprocess !== "auto") run.push("--preprocess", flags.preprocess);
  for (const folder of flags.include) run.push("-I", folder);
  for (const macro of flags.define) run.push("-D", macro);
  if (flags.stdin !== undefined) run.push("--stdin", flags.stdin);
  if (flags.files !== undefined) run.push("--files", flags.files);
  if (flags.expectStdout !== undefined) run.push("--expect-stdout", flags.expectStdout);
  if (flags.expectExit !== undefined) run.push("--expect-exit", flags.expectExit);
  for (const file of flags.expectFile) run.push("--expect-file", file);
  return run;
}

/** `#` starts a comment. */
export function inputsFromFile(path: string): InputValue[] {
  const bytes = readBytes("--inputs-file", path);
  if (path.endsWith(".ktest")) return readKtestInputs(bytes, path);
  const text = Buffer.from(bytes).toString("utf8");
  if (path.endsWith(".xml")) return readTestCompInputs(text, path);
  try {
    return parseInputs(text.replaceAll(/#.*/g, ""));
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    throw new TracefoldError({ code: "TF131", message: `${path}: ${error.message}`, help: error.help });
  }
}
