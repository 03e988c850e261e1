import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Writes a file wholly or not at all: under another name beside it first, which then takes the place of the old one. A disk that is
 * full leaves what was there. What is no file (`/dev/stdout`, a pipe) is written to as it is.
 */
export function writeWhole(path: string, data: string | Uint8Array): void {
  writeAllWhole([[path, data]]);
}

/** The same for files that belong together: none of them is replaced before all are written. */
export function writeAllWhole(
  files: readonly (readonly [path: string, data: string | Uint8Array])[],
  /** Called once all are written, before the first takes its place. */
  prepare: () => void = () => {},
): void {
  const unfinished: { readonly from: string; readonly to: string }[] = [];
  try {
    for (const [path, data] of files) {
      const to = targetOf(path);
      if (to === null) {
        writeTo(path, "w", data);
        continue;
      }
      const from = join(dirname(to), `.${basename(to)}.${process.pid}.unfinished`);
      unfinished.push({ from, to });
      writeTo(from, "w", data);
    }
    prepare();
    while (unfinished.length > 0) {
      const { from, to } = unfinished[0]!;
      renameSync(from, to);
      unfinished.shift();
    }
  } finally {
    for (const { from } of unfinished) rmSync(from, { force: true });
  }
}

/** The file that a path leads to; null for what is there and no file. */
function targetOf(path: string): string | null {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) {
    // A link to nothing yet: the file is made where it points to.
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    return isLink ? null : path;
  }
  return there.isFile() ? realpathSync(path) : null;
}

function writeTo(path: string, flags: string, data: string | Uint8Array): void {
  const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
  const file = openSync(path, flags);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done);
    // Some disks say only then that they are full.
    if (statSync(path).isFile()) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
