import { TracefoldError } from "../../../base/errors.ts";
import { isAlreadyPreprocessed, takeAsGiven } from "./asGiven.ts";
import type { PreprocessOptions } from "./options.ts";
import { MissingSystemHeader, preprocessBuiltin } from "./preprocessBuiltin.ts";
import type { PreprocessedSource } from "./preprocessedSource.ts";
import { findGcc, preprocessWithGcc } from "./preprocessWithGcc.ts";

/** A file as the user gave it to text that the parser reads. */
export function preprocess(file: { path: string; text: string }, options: PreprocessOptions): PreprocessedSource {
  if (isAlreadyPreprocessed(file.path, file.text)) return takeAsGiven(file.path, file.text);
  if (options.mode === "gcc") return preprocessWithGcc(file, options);
  try {
    return preprocessBuiltin(file, options);
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(file);
    if (options.mode === "builtin" || !(error instanceof MissingSystemHeader) || !findGcc()) throw error;
    const result = preprocessWithGcc(file, options);
    const note = { message: `${error.message}: preprocessed with gcc -E`, range: error.range };
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
