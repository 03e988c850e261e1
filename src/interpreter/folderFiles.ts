import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import type { FileSource, FoundFile } from "../c/library/files.ts";

const maxFileSize = 2 ** 28;

/** The files below a folder, as first read. Links out of it are denied, and devices and pipes, which may never end. */
export function folderFiles(folder: string): FileSource {
  const known = new Map<string, FoundFile>();
  const root = realPath(resolve(folder));
  return (path) => {
    let found = known.get(path);
    if (found === undefined) {
      found = root === null ? { kind: path === "." ? "folder" : "missing" } : lookUp(root, path);
      known.set(path, found);
    }
    return found;
  };
}

function lookUp(root: string, path: string): FoundFile {
  // The program sees names as bytes; here they are decoded as UTF-8.
  const name = Buffer.from(path, "latin1").toString("utf8");
  if (name.includes("\0")) return { kind: "missing" };
  try {
    const real = realpathSync(join(root, name));
    const inside = relative(root, real);
    if (inside === ".." || inside.startsWith(`..${sep}`) || resolve(root, inside) !== real) return { kind: "denied" };
    const stat = statSync(real);
    if (stat.isDirectory()) return { kind: "folder" };
    if (!stat.isFile() || stat.size > maxFileSize) return { kind: "denied" };
    accessSync(real, constants.R_OK);
    return { kind: "file", bytes: readFileSync(real) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { kind: code === "ENOENT" || code === "ENOTDIR" ? "missing" : "denied" };
  }
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return null;
  }
}
