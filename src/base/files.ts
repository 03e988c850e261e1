import {
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { nth } from "./checked.ts";
import { TracefoldError } from "./errors.ts";

/** The most bytes that are read from a pipe or a device, which may have no end. */
const mostOfStream = 64 * 2 ** 20;

/** The bytes of a file or of an open descriptor. */
export function readFinite(from: string | number): Buffer {
  const file = typeof from === "number" ? from : openSync(from, "r");
  try {
    if (fstatSync(file).isFile()) return readFileSync(file);
    const parts: Buffer[] = [];
    for (let size = 0; ; ) {
      const part = Buffer.alloc(2 ** 16);
      const read = readSync(file, part);
      if (read === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, read));
      size += read;
      if (size > mostOfStream) throw Object.assign(new Error("no end"), { code: "EFBIG" });
    }
  } finally {
    if (typeof from === "string") closeSync(file);
  }
}

/** Says why a file cannot be read. */
export function unreadableReason(error: unknown): string {
  const { code = "" } = error as NodeJS.ErrnoException;
  return reasons[code] ?? code;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  ENOTDIR: "it is no folder",
  EACCES: "permission denied",
  EFBIG: "it is not a regular file, and has more than 64 MB",
  ERR_STRING_TOO_LONG: "it is larger than 512 MB",
};

/** The text of a file; null if there is none. */
export function readIfPresent(path: string): string | null {
  try {
    return decodeSource(readFinite(path));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw new TracefoldError({ code: "TF132", message: `cannot read ${path} (${unreadableReason(error)})` });
  }
}

/** True if a path leads to something in a folder, links followed. What does not exist is nowhere. */
export function isInFolder(path: string, folder: string): boolean {
  try {
    const inside = relative(realpathSync(folder), realpathSync(path));
    return inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return false;
  }
}

/** Writes a file wholly or not at all, by renaming. Other targets (`/dev/stdout`, a pipe) are written directly. */
export function writeWhole(path: string, data: string | Uint8Array): void {
  writeAllWhole([[path, data]]);
}

/** Like `writeWhole` for several files: none is replaced before all are written. */
export function writeAllWhole(
  files: readonly (readonly [path: string, data: string | Uint8Array])[],
  /** Called once all are written, before the first is replaced. */
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
      const { from, to } = nth(unfinished, 0);
      renameSync(from, to);
      unfinished.shift();
    }
  } finally {
    for (const { from } of unfinished) rmSync(from, { force: true });
  }
}

/** The file that a path leads to; null if something other than a file is there. */
function targetOf(path: string): string | null {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) {
    // A dangling link: the file is created at its target.
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
    // Some disks report only here that they are full.
    if (statSync(path).isFile()) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** True for errors of the operating system: others are defects. */
export function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

/** An invalid UTF-8 byte becomes the lone surrogate U+DC00 + byte, as in Python's `surrogateescape`, and back. */
const escaped = 0xdc00;

export function decodeSource(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString("utf8");
  // A byte order mark is an ordinary character.
  if (!text.includes("\ufffd") || Buffer.from(text, "utf8").equals(buffer)) return text;
  let decoded = "";
  for (let at = 0; at < buffer.length; ) {
    const length = characterLength(buffer, at);
    decoded += length === 0 ? String.fromCharCode(escaped + nth(buffer, at)) : buffer.toString("utf8", at, at + length);
    at += Math.max(length, 1);
  }
  return decoded;
}

/** The bytes that a text was decoded from. */
export function encodeSource(text: string): Uint8Array {
  if (!/[\udc80-\udcff]/.test(text)) return Buffer.from(text, "utf8");
  const parts = text.split(/((?<![\ud800-\udbff])[\udc80-\udcff])/);
  return Buffer.concat(
    parts.map((part, i) => (i % 2 === 0 ? Buffer.from(part, "utf8") : Buffer.of(part.charCodeAt(0) - escaped))),
  );
}

/** The length of the UTF-8 character at a byte; 0 if there is none. */
function characterLength(bytes: Buffer, at: number): number {
  const first = nth(bytes, at);
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  return bytes.toString("utf8", at, at + length).includes("\ufffd") && !isReplacement(bytes, at) ? 0 : length;
}

function isReplacement(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
}

/** The text of a file that an option names. */
export function readGiven(option: string, path: string): string {
  try {
    return readFinite(path).toString("utf8");
  } catch (error) {
    throw unreadable(option, path, error);
  }
}

export function unreadable(option: string, path: string, error: unknown): TracefoldError {
  return new TracefoldError({
    code: "TF132",
    message: `${option}: cannot read ${path} (${unreadableReason(error)})`,
  });
}

/** True if Node reads a JavaScript file as an ES module: by its ending, or by the package that it is in. */
export function isModule(path: string): boolean {
  if (/\.[cm]js$/.test(path)) return path.endsWith(".mjs");
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    const manifest = readIfPresent(join(folder, "package.json"));
    if (manifest !== null) return (JSON.parse(manifest) as { readonly type?: string }).type === "module";
    if (folder === dirname(folder)) return false;
  }
}
