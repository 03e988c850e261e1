import type { DataModelName } from "../../../ir/type.ts";

export type PreprocessOptions = {
  /** Folders searched for headers, in order (`-I`). */
  readonly includePaths?: readonly string[];
  /** `NAME` or `NAME=VALUE` (`-D`). */
  readonly defines?: readonly string[];
  readonly dataModel: DataModelName;
  /**
   * `builtin` knows the standard headers only; `gcc` runs `gcc -E`; `auto` is `builtin` until a system header is
   * missing, and `gcc` from then on, where there is one.
   */
  readonly mode?: "auto" | "builtin" | "gcc";
  /** The text of a file, or null when there is no such file. */
  readonly readFile: (path: string) => string | null;
};
