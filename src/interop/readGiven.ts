import { readFileSync } from "node:fs";
import { TracefoldError } from "../base/errors.ts";

/** The text of a file that an option names. */
export function readGiven(option: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw unreadable(option, path, error as NodeJS.ErrnoException);
  }
}

export function unreadable(option: string, path: string, { code }: NodeJS.ErrnoException): TracefoldError {
  const why = code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : `${code}`;
  return new TracefoldError({ code: "TF132", message: `${option}: cannot read ${path} (${why})` });
}
