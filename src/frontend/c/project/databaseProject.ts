import { TracefoldError } from "../../../base/errors.ts";
import type { Project, ProjectFile, ReadingSettings } from "../../project.ts";
import { readSource } from "../../readProject.ts";
import { type CompiledFile, fromHere, readCompileDatabase } from "./compileDatabase.ts";

export type DatabaseSettings = Pick<Project, "dataModel" | "entry"> &
  Pick<ReadingSettings, "includeFolders" | "defines">;

/**
 * The program that a compilation database describes: the files named, or all of them where none is. What is given beside
 * it holds for every file, behind what the database says.
 */
export async function databaseProject(
  database: string,
  named: readonly string[],
  settings: DatabaseSettings,
): Promise<Project> {
  const listed = readCompileDatabase(database);
  const chosen = named.length === 0 ? listed : named.map((path) => findListed(listed, path, database));
  for (const file of chosen) requireModelled(file, settings);
  const { dataModel, entry } = settings;
  return { files: await Promise.all(chosen.map((file) => projectFile(file, settings))), dataModel, entry };
}

function findListed(listed: readonly CompiledFile[], path: string, database: string): CompiledFile {
  const found = listed.find((file) => file.path === fromHere(path));
  if (found !== undefined) return found;
  throw new TracefoldError({
    code: "TF122",
    message: `${path} is not among the C files of ${database}`,
    help: `It lists ${listed.map((file) => file.path).join(", ")}.`,
  });
}

function requireModelled({ path, words }: CompiledFile, { dataModel }: DatabaseSettings): void {
  if (words.refused !== null) {
    throw new TracefoldError({
      code: "TF261",
      message: `${path} is compiled with ${words.refused}, which is not supported`,
    });
  }
  const model = words.narrow ? "ILP32" : "LP64";
  if (model === dataModel) return;
  throw new TracefoldError({
    code: "TF122",
    message: `${path} is compiled for ${model}, not ${dataModel}`,
    help: `Give --data-model ${model}.`,
  });
}

async function projectFile({ path, words }: CompiledFile, given: DatabaseSettings): Promise<ProjectFile> {
  const { narrow: _narrow, language: _language, refused: _refused, ...settings } = words;
  const redefined = new Set(given.defines.map((define) => /^[^=(]*/.exec(define)![0]));
  return {
    ...settings,
    path,
    text: await readSource(path),
    includeFolders: [...settings.includeFolders, ...given.includeFolders],
    defines: [...settings.defines, ...given.defines],
    undefines: settings.undefines.filter((name) => !redefined.has(name)),
  };
}
