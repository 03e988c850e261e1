import type { Project, ProjectFile, ReadingSettings } from "../frontend/project.ts";
import { readSource } from "../frontend/readProject.ts";
import type { ProvedFile, ProvedProgram } from "./manifest.ts";

/** A project's files as a manifest has them; `toManifest` turns a path into one from the manifest's folder. */
export function provedFiles({ files }: Project, toManifest: (path: string) => string): Pick<ProvedProgram, "files"> {
  return { files: files.map((file) => ({ path: toManifest(file.path), ...movedSettings(file, toManifest) })) };
}

/** The project that a manifest is about, read again; `fromManifest` turns its paths into ones that can be opened. */
export async function provedProject(
  { files, dataModel, entry }: ProvedProgram,
  fromManifest: (path: string) => string,
): Promise<Project> {
  return { files: await Promise.all(files.map((file) => readProved(file, fromManifest))), dataModel, entry };
}

async function readProved(file: ProvedFile, fromManifest: (path: string) => string): Promise<ProjectFile> {
  const path = fromManifest(file.path);
  return { path, text: await readSource(path), ...movedSettings(file, fromManifest) };
}

function movedSettings(settings: ReadingSettings, move: (path: string) => string): ReadingSettings {
  const { includeFolders, quoteFolders, defines, undefines, headers, standard, common } = settings;
  return {
    includeFolders: includeFolders.map(move),
    quoteFolders: quoteFolders.map(move),
    defines,
    undefines,
    headers: headers.map(move),
    standard,
    common,
  };
}
