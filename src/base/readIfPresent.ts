import { readFileSync } from "node:fs";
import { TracefoldError } from "./errors.ts";
import { decodeSource } from "./sourceBytes.ts";
import { isSystemError } from "./systemError.ts";

/** The text of a file; null where there is none. */
export function readIfPresent(path: string): string | null {
  try {
    return decodeSource(readFileSync(path));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw new TracefoldError({ code: "TF132", message: `cannot read ${path} (${error.code})` });
  }
}
