import { TracefoldError } from "../../base/errors.ts";
import { isAlreadyPreprocessed, takeAsGiven } from "./asGiven.ts";
import { findGcc, gccHeaders } from "./gccHeaders.ts";
import type { PreprocessOptions } from "./options.ts";
import type { PreprocessedSource } from "./preprocessedSource.ts";
import { MissingHeader, preprocessFile } from "./preprocessFile.ts";

export type FileToRead = {
  readonly file: { readonly path: string; readonly text: string };
  readonly options: PreprocessOptions;
};

export type ReadFile = FileToRead & { readonly source: PreprocessedSource };

/**
 * The files of one program. If one of them needs gcc's headers, all get them: gcc's headers and the built-in ones do
 * not have the same types.
 */
export function preprocessFiles(files: readonly FileToRead[]): ReadFile[] {
  const read = ({ file, options }: FileToRead): ReadFile => ({ file, options, source: preprocess(file, options) });
  const first = files.map(read);
  if (!first.some(({ source }) => source.by === "gcc")) return first;
  return first.map((each) =>
    each.source.by === "builtin" ? read({ ...each, options: { ...each.options, mode: "gcc" } }) : each,
  );
}

/** A file as the user gave it, to the tokens that the parser reads. */
export function preprocess(file: { path: string; text: string }, options: PreprocessOptions): PreprocessedSource {
  if (isAlreadyPreprocessed(file.path, file.text)) return takeAsGiven(file.path, file.text);
  try {
    if (options.mode === "gcc") return preprocessFile(file, options, gccHeaders(options, file.path));
    return preprocessFile(file, options, null);
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(file);
    if (options.mode === "builtin" || options.mode === "gcc" || !(error instanceof MissingHeader) || !findGcc()) {
      throw error;
    }
    const result = preprocess(file, { ...options, mode: "gcc" });
    const note = { message: `${error.message}: the headers of gcc are used`, range: error.range };
    return { ...result, notes: [note, ...result.notes] };
  }
}

/** Macro arguments inside macro arguments, or the parentheses of a condition, deeper than the stack. */
function tooDeep(file: { path: string }): TracefoldError {
  return new TracefoldError({
    code: "TF301",
    message: "the program's macros are nested too deeply to be expanded",
    range: { file: file.path, line: 1, column: 1, endLine: 1, endColumn: 1 },
  });
}
