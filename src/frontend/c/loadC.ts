import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { TracefoldError } from "../../base/errors.ts";
import { checkProgram } from "../../ir/checkProgram.ts";
import type { Program } from "../../ir/program.ts";
import type { DataModelName } from "../../ir/type.ts";
import type { TranslationUnit } from "./ast.ts";
import { callbackLibrary, callbackLibraryPath, mayCallBack } from "./callbackLibrary.ts";
import { type LowerOptions, lowerProgram } from "./lowerProgram.ts";
import { type CGrammar, loadCGrammar } from "./parse/grammar.ts";
import { parseC } from "./parse/parseC.ts";
import type { PreprocessOptions } from "./preprocess/options.ts";
import { preprocess } from "./preprocess/preprocess.ts";
import { explainConditionError, takeCondition, withCondition } from "./watch/parseCondition.ts";
import { watchStatement } from "./watch/watchStatement.ts";

export type LoadOptions = Omit<LowerOptions, "files" | "dataModel" | "library"> & {
  /** Default LP64. */
  readonly dataModel?: DataModelName;
  /** Which preprocessor: see `PreprocessOptions.mode`. */
  readonly preprocess?: "auto" | "builtin" | "gcc";
  /** Folders searched for headers. */
  readonly includeFolders?: readonly string[];
  /** `NAME` or `NAME=VALUE`. */
  readonly defines?: readonly string[];
  /** A condition to look at whenever the run comes to a line: see `Program.watched`. */
  readonly watch?: { readonly file: string; readonly line: number; readonly condition: string };
};

/** A C file as a checked program. */
export async function loadC(path: string, options: LoadOptions = {}): Promise<Program> {
  return loadCText(path, await readSource(path), options);
}

/** As `loadC`, for text that is already in memory; `path` names it and is where its includes are looked up. */
export async function loadCText(path: string, text: string, options: LoadOptions = {}): Promise<Program> {
  const dataModel = options.dataModel ?? "LP64";
  const settings: PreprocessOptions = {
    dataModel,
    mode: options.preprocess ?? "auto",
    includePaths: options.includeFolders ?? [],
    defines: options.defines ?? [],
    readFile: readIfPresent,
  };
  const source = preprocess({ path, text }, settings);
  const grammar = await loadCGrammar();
  const { watch } = options;
  const tree = watch === undefined ? parseC(source, grammar) : parseWatching({ path, text }, watch, settings, grammar);
  const lowerOptions: LowerOptions = { ...options, dataModel, files: source.files };
  const program = mayCallBack(source.text)
    ? lowerWithCallbacks(tree, lowerOptions, grammar)
    : lowerProgram(tree, lowerOptions);
  const range = { file: path, line: 1, column: 1, endLine: 1, endColumn: 1 };
  const notes = source.notes.map((note) => ({ message: note.message, range: note.range ?? range }));
  const result = { ...program, notes: [...notes, ...program.notes] };
  checkProgram(result);
  return result;
}

function parseWatching(
  { path, text }: { readonly path: string; readonly text: string },
  { file, line, condition }: NonNullable<LoadOptions["watch"]>,
  settings: PreprocessOptions,
  grammar: CGrammar,
): TranslationUnit {
  // The program's own errors come first.
  parseC(preprocess({ path, text }, settings), grammar);
  try {
    const tree = parseC(preprocess({ path, text: withCondition(text, condition) }, settings), grammar);
    const read = takeCondition(tree, text, condition);
    return watchStatement(read.tree, { file, line, condition: read.condition });
  } catch (error) {
    throw explainConditionError(error, text, condition);
  }
}

/** The library's file is among the program's files only if the program uses it. */
function lowerWithCallbacks(tree: TranslationUnit, options: LowerOptions, grammar: CGrammar): Program {
  const file = { path: callbackLibraryPath, text: callbackLibrary };
  const library = preprocess(file, { dataModel: options.dataModel, mode: "builtin", readFile: () => null });
  const program = lowerProgram(tree, { ...options, library: parseC(library, grammar) });
  const isUsed = program.functions.some((fn) => fn.range.file === callbackLibraryPath);
  return isUsed ? { ...program, files: [...program.files, ...library.files] } : program;
}

async function readSource(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such file" : "it cannot be read";
    throw new TracefoldError({ code: "TF101", message: `${path}: ${reason}` });
  }
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
