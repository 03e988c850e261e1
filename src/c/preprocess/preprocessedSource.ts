import type { SourceFile } from "../../base/sourceFile.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { Tokens } from "./tokenList.ts";

/** Something the user should know about the preprocessing that is not an error: a `#warning`, the use of gcc's headers. */
export type PreprocessNote = { readonly message: string; readonly range: SourceRange | undefined };

/** A file ready to be parsed. */
export type PreprocessedSource = {
  readonly tokens: Tokens;
  readonly files: readonly SourceFile[];
  readonly notes: readonly PreprocessNote[];
  /** Whose standard headers it has; nobody's if the file came preprocessed. */
  readonly by: "builtin" | "gcc" | "nobody";
};
