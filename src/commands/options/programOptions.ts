import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TracefoldError } from "../../base/errors.ts";
import { resolvePath } from "../../c/library/files.ts";
import { readKtestInputs, readTestCompInputs } from "../../interop/testCases.ts";
import type { Expected, ExpectedFile } from "../../interpreter/expected.ts";
import { type InputValue, parseInputs } from "../../interpreter/inputs.ts";
import { fuzzEntry, mostFuzzBytes } from "../../ir/reservedNames.ts";
import type { Paint } from "../../render/layout.ts";
import type { Given, User } from "../command.ts";
import {
  choice,
  count,
  existingFolder,
  exitStatus,
  fileBytes,
  flag,
  list,
  type Option,
  type Options,
  onOff,
  option,
  optionalCount,
  optionWords,
  type Raw,
  type RawValues,
  readBytes,
  replayed,
  seconds,
  text,
  textOr,
  usageError,
  type Values,
} from "./option.ts";

export function outputOptions(formats: readonly string[]) {
  return {
    format: choice("--format <format>", "how to print the result", formats, "text"),
    out: text("--out <path>", "write the result to a file"),
    color: choice("--color <when>", "colours in text", ["auto", "always", "never"], "auto"),
    quiet: flag("--quiet", "print nothing: the exit status is the answer"),
    debug: { ...flag("--debug", "print stack traces of defects"), hidden: true as const },
  } satisfies Options;
}

export type OutputValues = Values<ReturnType<typeof outputOptions>>;

const usualSteps = 50_000_000;

export const programOptions = {
  database: replayed(
    text("--project <path>", "use the files and flags of a compile_commands.json, or of the one in a folder"),
  ),
  inputs: text("--inputs <values>", "values for nondeterministic reads, in order: 3,0,-7"),
  inputsFile: text(
    "--inputs-file <path>",
    "the same from a file: numbers, a Test-Comp test (.xml) or a KLEE test (.ktest)",
  ),
  randomInputs: flag("--random-inputs", "random values after the given ones"),
  seed: count("--seed <n>", "seed of the random inputs", 1),
  stdin: replayed(fileBytes("--stdin <path>", "the program's standard input (- for this command's)")),
  fuzzInput: replayed(
    fileBytes("--fuzz-input <path>", "call LLVMFuzzerTestOneInput with the bytes of this file (- for standard input)"),
  ),
  filesFolder: replayed(
    option("--files <folder>", "the working folder of the program; default: its own folder", {}, (path) =>
      existingFolder("--files", path),
    ),
  ),
  expectStdout: replayed(fileBytes("--expect-stdout <path>", "fail if the output differs from this file")),
  expectExit: replayed(
    option("--expect-exit <status>", "the exit status of a run that passes (0 unless told), or any", {}, (given) =>
      given === "any" ? given : exitStatus("--expect-exit", given),
    ),
  ),
  expectFile: replayed(
    list("--expect-file <name=path>", "fail if the program's file NAME differs from PATH at the end"),
  ),
  entry: replayed(textOr("--entry <name>", "the function to run", "main")),
  dataModel: replayed(choice("--data-model <name>", "sizes of types", ["LP64", "ILP32"], "LP64")),
  undefinedBehaviour: replayed(
    choice("--ub <mode>", "overflow and shifts that C leaves undefined", ["error", "wrap"], "error"),
  ),
  uninitialized: replayed(
    choice("--uninitialized <mode>", "the content of uninitialised memory and variables", ["error", "input"], "error"),
  ),
  undefined: replayed(
    choice("--undefined <mode>", "functions and variables that no file defines", ["error", "input"], "error"),
  ),
  subobjectBounds: replayed(
    onOff("--subobject-bounds <mode>", "report indices outside of an array that is part of a struct or array"),
  ),
  maxSteps: count("--max-steps <n>", "step limit of the run", usualSteps),
  timeoutSeconds: seconds("--timeout <seconds>", "time limit"),
  includeFolders: replayed(list("-I, --include <folder>", "search this folder for included files")),
  defines: replayed(list("-D, --define <macro>", "define a macro: NAME or NAME=VALUE")),
  preprocess: replayed(choice("--preprocess <how>", "the standard headers to use", ["auto", "builtin", "gcc"], "auto")),
} satisfies Options;

export type ProgramValues = Values<typeof programOptions>;

type Derived =
  | "inputs"
  | "inputsFile"
  | "randomInputs"
  | "stdin"
  | "fuzzInput"
  | "expectStdout"
  | "expectExit"
  | "expectFile";

export type ProgramRequest = Omit<ProgramValues, Derived> & {
  /** The program's files; with a compilation database, empty means all of its files. */
  readonly files: readonly string[];
  readonly inputs: readonly InputValue[];
  /** True if inputs are raw bits, whatever type reads them. */
  readonly inputsAreBits: boolean;
  /** The seed for inputs after the given ones; null to end the run there. */
  readonly randomInputs: number | null;
  readonly stdin: Uint8Array;
  readonly expected: Expected | null;
  /** True if a run passes with every exit status. */
  readonly anyExit: boolean;
  readonly programArguments: readonly string[];
  /** The folder that the program's own headers must be in; absent: they may be anywhere. */
  readonly within?: string;
};

export const programArgument = {
  usage: "[options] <files...> [-- arguments...]",
  argument: {
    words: "[files...]",
    help: "the program's C files, or preprocessed ones (.i); its own arguments come after --",
  },
} as const;

export function programRequest(
  { words: files, programArguments }: Pick<Given<Options>, "words" | "programArguments">,
  flags: ProgramValues,
  needsFile = true,
): ProgramRequest {
  if (needsFile && files.length === 0 && flags.database === null) throw usageError("the program's file is missing");
  const twice = files.find((file, i) => files.indexOf(file) !== i);
  if (twice !== undefined) throw usageError(`${twice} is named twice`);
  const { inputs, inputsFile, randomInputs, stdin, fuzzInput, expectStdout, expectExit, expectFile, ...rest } = flags;
  if (fuzzInput !== null && stdin !== null) throw usageError("--fuzz-input takes the place of --stdin");
  if (fuzzInput !== null && fuzzInput.length > mostFuzzBytes) throw usageError("--fuzz-input takes at most 1 MB");
  return {
    ...rest,
    ...(fuzzInput === null ? {} : { entry: fuzzEntry }),
    files,
    inputs: [
      ...(inputs === null ? [] : parseInputs(inputs)),
      ...(inputsFile === null ? [] : inputsFromFile(inputsFile)),
    ],
    inputsAreBits: inputsFile?.endsWith(".ktest") ?? false,
    randomInputs: randomInputs ? flags.seed : null,
    stdin: fuzzInput ?? stdin ?? new Uint8Array(),
    expected: expectedRun(flags),
    anyExit: expectExit === "any",
    programArguments,
  };
}

/** The expected output, files and exit code; null if nothing was expected. */
function expectedRun({ expectStdout, expectExit, expectFile }: ProgramValues): Expected | null {
  if (expectStdout === null && expectExit === null && expectFile.length === 0) return null;
  return {
    ...(expectStdout === null ? {} : { stdout: expectStdout }),
    ...(expectExit === null || expectExit === "any" ? {} : { exit: expectExit }),
    ...(expectFile.length === 0 ? {} : { files: expectFile.map(expectedFile) }),
  };
}

/** The path may contain `=`, the name may not. */
function expectedFile(given: string): ExpectedFile {
  const equals = given.indexOf("=");
  const name = given.slice(0, Math.max(0, equals));
  const place = resolvePath(Buffer.from(name, "utf8"));
  if (equals === -1 || typeof place === "string" || place.kind === "outside") {
    throw usageError(
      `--expect-file needs a file of the program and one to compare with, as in out.txt=expected.txt, not "${given}"`,
    );
  }
  return { name: place.path, content: readBytes("--expect-file", given.slice(equals + 1)) };
}

/** The words of `tracefold run` with the options that select the run, without inputs and arguments. */
export function runWords(
  { words, raw }: Pick<Given<typeof programOptions>, "words" | "raw">,
  changed: RawValues<typeof programOptions> = {},
): readonly string[] {
  const given: Readonly<Record<string, Raw>> = { ...raw, ...changed };
  const options = Object.entries<Option>(programOptions).filter(([, option]) => option.replayed);
  return ["tracefold", "run", ...words, ...options.flatMap(([key, option]) => optionWords(option, given[key]))];
}

/** The option of commands that choose the runs themselves. */
export const longRunSteps = optionalCount("--max-steps <n>", "step limit of each run; default: the time limits it");

/** The words that allow a run of so many steps. */
export function stepWords(steps: number): readonly string[] {
  return steps < usualSteps ? [] : [`--max-steps=${steps + 1}`];
}

/** Reads inputs; `#` starts a comment. */
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

/** The options of commands whose result can be looked at in a browser. */
export const pageOptions = {
  html: text("--html <path>", "write a page for a browser: one file that needs no network"),
  open: flag("--open", "open the page in a browser; without --html it is in a temporary folder"),
} satisfies Options;

type PageValues = Values<typeof pageOptions>;

/** Where the page goes; null for no page. */
export type PageRequest = { readonly page: string | null };

export function pageRequest({ html, open }: PageValues): PageRequest {
  if (html !== null || !open) return { page: html };
  return { page: join(mkdtempSync(join(tmpdir(), "tracefold-")), "page.html") };
}

/** The line of a text that names the page; empty without a page. */
export function pageLine({ page }: PageRequest, paint: Paint): string {
  return page === null ? "" : `${paint.dim("page:")} ${page}\n`;
}

/** Opens the page if the user wants to see it at once. */
export async function openIfAsked({ page }: PageRequest, { open }: PageValues, user: User): Promise<void> {
  if (page !== null && open) await (await import("../writePage.ts")).openPage(page, user);
}
