import { nth } from "../base/checked.ts";
import { TracefoldError } from "../base/errors.ts";
import { decodeSource, readFinite, unreadableReason } from "../base/files.ts";
import type { DataModelName } from "../ir/type.ts";

/** The files of one program and their settings. Plain data. */
export type Project = {
  readonly files: readonly ProjectFile[];
  readonly dataModel: DataModelName;
  readonly entry: string;
  /** By path: the texts of included files that are not those on the disk. */
  readonly changedHeaders?: ReadonlyMap<string, string>;
  /** The folder that included files must be in, the system's headers excepted; absent: they may be anywhere. */
  readonly within?: string;
};

/** A file of a program, not an included header. */
export type ProjectFile = ReadingSettings & {
  /** As the user names it; messages and reports use it. */
  readonly path: string;
  readonly text: string;
};

/** A compiler's settings for a file. */
export type ReadingSettings = {
  /** Header folders in order (`-I`, then `-isystem` and `-idirafter`). */
  readonly includeFolders: readonly string[];
  readonly quoteFolders: readonly string[];
  /** `NAME` or `NAME=VALUE` (`-D`). */
  readonly defines: readonly string[];
  /** Predefined macros to remove (`-U`). */
  readonly undefines: readonly string[];
  /** Headers read before the file (`-include`). */
  readonly headers: readonly string[];
  /** `c99`, `gnu11`, …; null for the latest one with GNU extensions. */
  readonly standard: string | null;
  /** `int x;` in several files is one variable (`-fcommon`). */
  readonly common: boolean;
};

/** Fills in compiler defaults. */
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

export type ProjectSettings = Partial<Pick<Project, "dataModel" | "entry" | "within"> & ReadingSettings>;

export async function readProject(paths: readonly string[], settings: ProjectSettings = {}): Promise<Project> {
  const texts = await Promise.all(paths.map(readSource));
  return projectOf(
    paths.map((path, i) => ({ path, text: nth(texts, i) })),
    settings,
  );
}

/** Like `readProject`, for texts in memory; includes are looked up relative to the path. */
export function projectOf(
  files: readonly Pick<ProjectFile, "path" | "text">[],
  settings: ProjectSettings = {},
): Project {
  const reading = readingSettings(settings);
  return {
    files: files.map(({ path, text }) => ({ ...reading, path, text })),
    dataModel: settings.dataModel ?? "LP64",
    entry: settings.entry ?? "main",
    ...(settings.within === undefined ? {} : { within: settings.within }),
  };
}

export async function readSource(path: string): Promise<string> {
  try {
    return decodeSource(readFinite(path));
  } catch (error) {
    throw new TracefoldError({
      code: "TF101",
      message: `${path}: ${unreadableReason(error)}`,
      // `tracefold run file.c 3 4`.
      help: /\.[ci]$/.test(path) ? undefined : "Put the program's own arguments after `--`.",
    });
  }
}
