import { spawnSync } from "node:child_process";
import { TracefoldError } from "../../base/errors.ts";
import type { PreprocessOptions } from "./options.ts";

/** A compiler's own part of a program: its predefined macros, as `#define` lines, and the folders of its headers. */
export type CompilerHeaders = { readonly macros: string; readonly folders: readonly string[] };

export function findGcc(): boolean {
  return spawnSync("gcc", ["--version"], { stdio: "ignore" }).status === 0;
}

/** Asks gcc. With `-v` it prints the folders that it searches. */
export function gccHeaders({ dataModel, standard }: PreprocessOptions, path: string): CompilerHeaders {
  const model = dataModel === "ILP32" ? "-m32" : "-m64";
  const words = ["-E", "-dM", "-v", "-xc", model, ...(standard == null ? [] : [`-std=${standard}`]), "-"];
  const result = spawnSync("gcc", words, { input: "", encoding: "utf8", env: { ...process.env, LC_ALL: "C" } });
  if (result.error !== undefined) throw gccError(path, `gcc cannot be run: ${result.error.message}`);
  const folders = /search starts here:\n([\s\S]*)End of search list/.exec(result.stderr)?.[1];
  if (result.status !== 0 || folders === undefined) {
    throw gccError(path, `gcc -E failed: ${/error: (.*)/.exec(result.stderr)?.[1] ?? "it does not list its folders"}`);
  }
  const isFolder = (line: string): boolean => line.startsWith(" ");
  return {
    macros: result.stdout,
    folders: folders
      .split("\n")
      .filter(isFolder)
      .map((line) => line.trim()),
  };
}

function gccError(file: string, message: string): TracefoldError {
  return new TracefoldError({
    code: "TF120",
    message,
    range: { file, line: 1, column: 1, endLine: 1, endColumn: 1 },
    help: "Install gcc, use --preprocess builtin, or preprocess the file yourself and pass the .i file.",
  });
}
