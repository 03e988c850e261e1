import { readFileSync, statSync } from "node:fs";
import { TracefoldError } from "../../base/errors.ts";
import { resolvePath } from "../../c/library/files.ts";
import type { Expected, ExpectedFile } from "../../interpreter/expected.ts";
import { usageError } from "./values.ts";

/** Options that are files: read before anything else is done, so that whatever is wrong with them is said at once. */

type ExpectedFlags = {
  readonly expectStdout?: string;
  readonly expectExit?: string;
  readonly expectFile: readonly string[];
};

/** What the run has to print, leave behind and end with; null where nothing was said about it. */
export function expectedRun({ expectStdout, expectExit, expectFile }: ExpectedFlags): Expected | null {
  if (expectStdout === undefined && expectExit === undefined && expectFile.length === 0) return null;
  return {
    ...(expectStdout === undefined ? {} : { stdout: readBytes("--expect-stdout", expectStdout) }),
    ...(expectExit === undefined ? {} : { exit: exitStatus(expectExit) }),
    ...(expectFile.length === 0 ? {} : { files: expectFile.map(expectedFile) }),
  };
}

function exitStatus(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 255) return Number(text);
  throw usageError(`--expect-exit needs a status from 0 to 255, not "${text}"`);
}

/** The name may not have a `=`; the path may. */
function expectedFile(text: string): ExpectedFile {
  const equals = text.indexOf("=");
  const name = text.slice(0, Math.max(0, equals));
  const place = resolvePath(Buffer.from(name, "utf8"));
  if (equals === -1 || typeof place === "string" || place.kind === "outside") {
    throw usageError(
      `--expect-file needs a file of the program and one to compare with, as in out.txt=expected.txt, not "${text}"`,
    );
  }
  return { name: place.path, content: readBytes("--expect-file", text.slice(equals + 1)) };
}

export function existingFolder(path: string): string {
  let isFolder = false;
  try {
    isFolder = statSync(path).isDirectory();
  } catch (error) {
    throw new TracefoldError({ code: "TF132", message: `--files: cannot read ${path} (${reason(error)})` });
  }
  if (!isFolder) throw new TracefoldError({ code: "TF132", message: `--files: ${path} is no folder` });
  return path;
}

/** `-` is the command's own standard input. */
export function readBytes(option: string, path: string): Uint8Array {
  try {
    return readFileSync(path === "-" ? 0 : path);
  } catch (error) {
    throw new TracefoldError({ code: "TF132", message: `${option}: cannot read ${path} (${reason(error)})` });
  }
}

function reason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "it is a folder";
  return code === "EACCES" ? "permission denied" : `${code}`;
}
