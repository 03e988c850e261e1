import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { TracefoldError } from "../base/errors.ts";
import { isSystemError, unreadableReason } from "../base/files.ts";

/** The folder that all paths must be in, links followed. */
export type Workspace = {
  readonly root: string;
  /** The path of an existing file or folder, relative to the root. Names with `..` and links must stay inside. */
  path(given: string, kind: "file" | "folder"): string;
};

export function openWorkspace(folder: string): Workspace {
  const root = rootOf(folder);
  return {
    root,
    path(given, kind) {
      const real = realPathInside(root, given);
      const stat = statSync(real);
      if (kind === "file" ? !stat.isFile() : !stat.isDirectory())
        throw new TracefoldError({ code: "TF107", message: `${given} is no ${kind}`, help: `Name a ${kind}.` });
      return relative(root, real) || ".";
    },
  };
}

function realPathInside(root: string, given: string): string {
  const path = resolve(root, given);
  try {
    const real = realpathSync(path);
    if (isBelow(real, root)) return real;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    // Of what is outside, nothing is said: not even whether it exists.
    if (isBelow(path, root))
      throw new TracefoldError({
        code: "TF107",
        message: `${given}: ${unreadableReason(error)}`,
        help: "Paths are relative to the root of the workspace.",
      });
  }
  throw new TracefoldError({
    code: "TF107",
    message: `${given} is outside of the workspace`,
    help: `Paths are relative to ${root}, and must stay in it, links included.`,
  });
}

function isBelow(path: string, root: string): boolean {
  const inside = relative(root, path);
  return inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

function rootOf(folder: string): string {
  try {
    const root = realpathSync(folder);
    if (statSync(root).isDirectory()) return root;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new TracefoldError({ code: "TF132", message: `--root: cannot read ${folder} (${unreadableReason(error)})` });
  }
  throw new TracefoldError({ code: "TF132", message: `--root: ${folder} is no folder` });
}
