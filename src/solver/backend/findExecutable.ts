import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { isSystemError } from "../../base/files.ts";

/** The first executable file of that name on a search path, or null. A name with a separator is taken as a path. */
export function findExecutable(name: string, searchPath: string = process.env.PATH ?? ""): string | null {
  const candidates =
    isAbsolute(name) || name.includes("/")
      ? [resolve(name)]
      : searchPath
          .split(delimiter)
          .flatMap((folder) => (folder === "" ? [] : suffixes.map((s) => join(folder, name + s))));
  return candidates.find(isExecutable) ?? null;
}

const suffixes = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return false;
  }
}
