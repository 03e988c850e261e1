import type { DataModelName } from "../ir/type.ts";

/** The files that make one program, and how they are to be read. Plain data. */
export type Project = {
  readonly files: readonly ProjectFile[];
  readonly dataModel: DataModelName;
  /** The function where the run begins. */
  readonly entry: string;
};

/** A file of a program: not a header, which others include. */
export type ProjectFile = ReadingSettings & {
  /** As the user names it; places in messages and reports use it. */
  readonly path: string;
  readonly text: string;
};

/** What a compiler is told about a file. */
export type ReadingSettings = {
  /** Folders searched for headers, in order (`-I`, then `-isystem` and `-idirafter`). */
  readonly includeFolders: readonly string[];
  /** Folders searched before them for headers in quotes (`-iquote`). */
  readonly quoteFolders: readonly string[];
  /** `NAME` or `NAME=VALUE` (`-D`). */
  readonly defines: readonly string[];
  /** Macros that the compiler would define itself (`-U`). */
  readonly undefines: readonly string[];
  /** Headers read before the file (`-include`). */
  readonly headers: readonly string[];
  /** `c99`, `gnu11`, …; null for the latest that is known, with GNU's extensions. */
  readonly standard: string | null;
  /** `int x;` in several files is one variable (`-fcommon`). */
  readonly common: boolean;
};

/** With what a compiler does that is told nothing. */
export function readingSettings(given: Partial<ReadingSettings>): ReadingSettings {
  return {
    includeFolders: given.includeFolders ?? [],
    quoteFolders: given.quoteFolders ?? [],
    defines: given.defines ?? [],
    undefines: given.undefines ?? [],
    headers: given.headers ?? [],
    standard: given.standard ?? null,
    common: given.common ?? false,
  };
}
