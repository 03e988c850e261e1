import type { ErrnoName } from "../errno.ts";

/**
 * Where a path of the program leads.
 * - `inside`: below the program's folder; `.` is the folder itself.
 * - `scratch`: below `/tmp`, which is empty at first and exists in memory alone.
 * - `outside`: anywhere else. Nothing is there.
 */
export type FilePlace = { readonly kind: "inside" | "scratch" | "outside"; readonly path: string };

const longestName = 255;
const longestPath = 4095;

export function resolvePath(bytes: Uint8Array): FilePlace | ErrnoName {
  if (bytes.length === 0) return "ENOENT";
  const text = Buffer.from(bytes).toString("latin1");
  const names = text.split("/");
  if (text.length > longestPath || names.some(({ length }) => length > longestName)) return "ENAMETOOLONG";
  const parts: string[] = [];
  let climbs = false;
  for (const name of names) {
    if (name === "" || name === ".") continue;
    if (name !== "..") parts.push(name);
    else if (parts.pop() === undefined) climbs = true;
  }
  if (text.startsWith("/")) {
    const path = `/${parts.join("/")}`;
    return { kind: parts[0] === "tmp" ? "scratch" : "outside", path };
  }
  if (climbs) return { kind: "outside", path: text };
  return { kind: "inside", path: parts.length === 0 ? "." : parts.join("/") };
}

/** The folder that a place is in. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "." : path.slice(0, slash);
}
