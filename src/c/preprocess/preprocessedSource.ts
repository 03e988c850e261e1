import type { SourceFile } from "../../base/sourceFile.ts";
import type { SourceRange } from "../../base/sourceRange.ts";

/** Something the user should know about the preprocessing that is not an error: a `#warning`, the use of gcc's headers. */
export type PreprocessNote = { readonly message: string; readonly range: SourceRange | undefined };

/** C text without directives and macros, and the way back to what the user wrote. */
export type PreprocessedSource = {
  readonly text: string;
  /** The place in the user's files of `text.slice(start, end)`. A macro's own text maps to the macro's invocation. */
  readonly rangeOf: (start: number, end: number) => SourceRange;
  readonly files: readonly SourceFile[];
  readonly notes: readonly PreprocessNote[];
  /** Whose standard headers it has; nobody's if the file came preprocessed. */
  readonly by: "builtin" | "gcc" | "nobody";
};
