import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { TracefoldError } from "../base/errors.ts";
import { encodeSource, isSystemError } from "../base/files.ts";
import type { Patch } from "../render/patch.ts";
import type { User } from "./command.ts";
import { exitCodes } from "./output.ts";

const patchFile = "tracefold.patch";

export type FixMode = "patch" | "apply" | null;

/** The change with its diff. It is not said to be the right one. */
export function describeFix(fix: Patch | "none", mode: FixMode): string {
  if (fix === "none") {
    const old = mode === "patch" && existsSync(patchFile) ? `; ${patchFile} is older` : "";
    return `no change was found with which all tests pass, so nothing was written${old}`;
  }
  const { file, effect, diff } = fix;
  const what = `a change with which ${effect} (it need not be the right one)\n${diff.trimEnd()}`;
  return mode === "patch" ? `${patchFile} has ${what}` : `of ${file}: ${what}`;
}

/**
 * Writes a change as a patch or, with `apply`, into its file. If git could not bring back the file as it was, the user is
 * asked first; without a terminal the file stays as it is.
 */
export async function writeFix(
  fix: Patch,
  mode: FixMode,
  { isAgreed, isShown }: { readonly isAgreed: boolean; readonly isShown: boolean },
  user: User,
): Promise<number> {
  if (mode === "patch") {
    write(patchFile, fix.diff);
    return exitCodes.fine;
  }
  const { file } = fix;
  if (contentOf(file)?.equals(encodeSource(fix.before)) !== true) {
    throw new TracefoldError({
      code: "TF133",
      message: `--fix=apply: ${file} has changed meanwhile: explain it again`,
    });
  }
  const doubt = isAgreed ? null : doubtOf(file);
  if (doubt !== null) {
    if (!isShown) user.tell(fix.diff);
    const answer = await user.ask(`Apply the change to ${file}, although ${doubt}?`);
    if (answer === null) {
      const next = "Commit first, agree with --yes, or write a patch with --fix.";
      process.stderr.write(`tracefold: --fix=apply: ${file} was not changed: ${doubt}\n  ${next}\n`);
      return exitCodes.inputIsWrong;
    }
    if (!answer) {
      user.tell(`${file} was not changed\n`);
      return exitCodes.fine;
    }
  }
  write(file, encodeSource(fix.text));
  user.tell(`${file} was changed: with this ${fix.effect} (it need not be the right change)\n`);
  return exitCodes.fine;
}

/** Why git could not bring back the file, or tell the change from others; null if it can. */
function doubtOf(file: string): string | null {
  const git = (...words: readonly string[]) => spawnSync("git", ["-C", dirname(file), ...words], { encoding: "utf8" });
  const known = git("ls-files", "--error-unmatch", "--", basename(file));
  if (known.status !== 0) return `${file} is not in git`;
  const { status, stdout } = git("status", "--porcelain", "--untracked-files=no");
  return status === 0 && stdout === "" ? null : "the tree has changes that are not committed";
}

/** null if the file cannot be read any more. */
function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return null;
  }
}

function write(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new TracefoldError({ code: "TF133", message: `--fix: cannot write ${path} (${code})` });
  }
}
