import { isAlreadyPreprocessed, takeAsGiven } from "./asGiven.ts";
import type { PreprocessOptions } from "./options.ts";
import { MissingSystemHeader, preprocessBuiltin } from "./preprocessBuiltin.ts";
import type { PreprocessedSource } from "./preprocessedSource.ts";
import { findGcc, preprocessWithGcc } from "./preprocessWithGcc.ts";

/** A file as the user gave it to text that the parser reads. */
export function preprocess(file: { path: string; text: string }, options: PreprocessOptions): PreprocessedSource {
  if (file.path.endsWith(".i") || isAlreadyPreprocessed(file.text)) return takeAsGiven(file.path, file.text);
  if (options.mode === "gcc") return preprocessWithGcc(file, options);
  try {
    return preprocessBuiltin(file, options);
  } catch (error) {
    if (options.mode === "builtin" || !(error instanceof MissingSystemHeader) || !findGcc()) throw error;
    const result = preprocessWithGcc(file, options);
    const note = { message: `${error.message}: preprocessed with gcc -E`, range: error.range };
    return { ...result, notes: [note, ...result.notes] };
  }
}
