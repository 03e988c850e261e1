import type { DataModelName } from "../../ir/type.ts";

export type PreprocessOptions = {
  /** Folders searched for headers, in order (`-I`). */
  readonly includePaths?: readonly string[];
  /** Folders searched before them for headers in quotes (`-iquote`). */
  readonly quotePaths?: readonly string[];
  /** `NAME` or `NAME=VALUE` (`-D`). */
  readonly defines?: readonly string[];
  /** Predefined macros that are not to be there (`-U`). */
  readonly undefines?: readonly string[];
  /** Headers read before the file (`-include`). */
  readonly headers?: readonly string[];
  /** `c99`, `gnu11`, …: see `languageStandard`. */
  readonly standard?: string | null;
  readonly dataModel: DataModelName;
  /**
   * `builtin` has the standard headers that are built in; `gcc` has those of gcc; `auto` is `builtin` unless a header is
   * missing and there is a gcc.
   */
  readonly mode?: "auto" | "builtin" | "gcc";
  /** The text of a file, or null when there is no such file. */
  readonly readFile: (path: string) => string | null;
};
