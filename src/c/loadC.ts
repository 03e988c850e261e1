import type { FrontEndOptions } from "../frontEnd/frontEnd.ts";
import { type ProjectSettings, projectOf, readProject } from "../frontEnd/project.ts";
import type { Program } from "../ir/program.ts";
import { cFrontEnd } from "./cFrontEnd.ts";

export type LoadOptions = FrontEndOptions & ProjectSettings;

/** A C program of one file or several. */
export async function loadC(path: string | readonly string[], options: LoadOptions = {}): Promise<Program> {
  const paths = typeof path === "string" ? [path] : path;
  return cFrontEnd.load(await readProject(paths, options), options);
}

/** As `loadC`, for text that is already in memory; `path` names it and is where its includes are looked up. */
export async function loadCText(path: string, text: string, options: LoadOptions = {}): Promise<Program> {
  return cFrontEnd.load(projectOf([{ path, text }], options), options);
}
