import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { TracefoldError } from "../../base/errors.ts";
import { checkProgram } from "../../ir/checkProgram.ts";
import type { Program } from "../../ir/program.ts";
import type { DataModelName } from "../../ir/type.ts";
import { type LowerOptions, lowerProgram } from "./lowerProgram.ts";
import { loadCGrammar } from "./parse/grammar.ts";
import { parseC } from "./parse/parseC.ts";
import { preprocess } from "./preprocess/preprocess.ts";

export type LoadOptions = Omit<LowerOptions, "files" | "dataModel"> & {
  /** Default LP64. */
  readonly dataModel?: DataModelName;
  /** Which preprocessor: see `PreprocessOptions.mode`. */
  readonly preprocess?: "auto" | "builtin" | "gcc";
  /** Folders searched for headers. */
  readonly includeFolders?: readonly string[];
  /** `NAME` or `NAME=VALUE`. */
  readonly defines?: readonly string[];
};

/** A C file as a checked program. */
export async function loadC(path: string, options: LoadOptions = {}): Promise<Program> {
  return loadCText(path, await readSource(path), options);
}

/** As `loadC`, for text that is already in memory; `path` names it and is where its includes are looked up. */
export async function loadCText(path: string, text: string, options: LoadOptions = {}): Promise<Program> {
  const dataModel = options.dataModel ?? "LP64";
  const source = preprocess(
    { path, text },
    {
      dataModel,
      mode: options.preprocess ?? "auto",
      includePaths: options.includeFolders ?? [],
      defines: options.defines ?? [],
      readFile: readIfPresent,
    },
  );
  const tree = parseC(source, await loadCGrammar());
  const program = lowerProgram(tree, { ...options, dataModel, files: source.files });
  const range = { file: path, line: 1, column: 1, endLine: 1, endColumn: 1 };
  const notes = source.notes.map((note) => ({ message: note.message, range: note.range ?? range }));
  const result = { ...program, notes: [...notes, ...program.notes] };
  checkProgram(result);
  return result;
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
