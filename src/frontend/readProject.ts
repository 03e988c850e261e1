import { readFile } from "node:fs/promises";
import { TracefoldError } from "../base/errors.ts";
import { decodeSource } from "../base/files.ts";
import { type Project, type ProjectFile, type ReadingSettings, readingSettings } from "./project.ts";

export type ProjectSettings = Partial<Pick<Project, "dataModel" | "entry"> & ReadingSettings>;

/** Files that are all read in the same way, as one program. */
export async function readProject(paths: readonly string[], settings: ProjectSettings = {}): Promise<Project> {
  const texts = await Promise.all(paths.map(readSource));
  return projectOf(
    paths.map((path, i) => ({ path, text: texts[i]! })),
    settings,
  );
}

/** As `readProject`, for texts that are already in memory; a path is where a file's includes are looked up. */
export function projectOf(
  files: readonly Pick<ProjectFile, "path" | "text">[],
  settings: ProjectSettings = {},
): Project {
  const reading = readingSettings(settings);
  return {
    files: files.map(({ path, text }) => ({ ...reading, path, text })),
    dataModel: settings.dataModel ?? "LP64",
    entry: settings.entry ?? "main",
  };
}

export async function readSource(path: string): Promise<string> {
  try {
    return decodeSource(await readFile(path));
  } catch (error) {
    throw new TracefoldError({
      code: "TF101",
      message: `${path}: ${reason((error as NodeJS.ErrnoException).code)}`,
      // `tracefold run file.c 3 4`.
      help: /\.[ci]$/.test(path) ? undefined : "Only files stand here; the program's own arguments come behind --.",
    });
  }
}

function reason(code: string | undefined): string {
  if (code === "ENOENT") return "there is no such file";
  return code === "EISDIR" ? "it is a folder" : "it cannot be read";
}
