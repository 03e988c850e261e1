import type { ErrnoName } from "./errno.ts";

/** The program printed more than `maxLength` bytes. */
export class OutputExhausted extends Error {}

/** A growing buffer; `length` bytes are in use. */
export type ByteBuffer = { bytes: Uint8Array; length: number };

/** A file longer than this ends the run: the program prints in an endless loop. */
const maxLength = 2 ** 28;

export function byteBuffer(content: Uint8Array = new Uint8Array(0)): ByteBuffer {
  return { bytes: content.slice(), length: content.length };
}

/** Fills a gap between the end and `at` with zeros. */
export function writeAt(buffer: ByteBuffer, at: number, bytes: Uint8Array): void {
  const end = at + bytes.length;
  if (end > buffer.bytes.length) {
    if (end > maxLength) throw new OutputExhausted();
    const larger = new Uint8Array(Math.max(end, buffer.bytes.length * 2, 256));
    larger.set(buffer.bytes.subarray(0, buffer.length));
    buffer.bytes = larger;
  }
  if (at > buffer.length) buffer.bytes.fill(0, buffer.length, at);
  buffer.bytes.set(bytes, at);
  buffer.length = Math.max(buffer.length, end);
}

export function contentOf({ bytes, length }: ByteBuffer): Uint8Array {
  return bytes.slice(0, length);
}

/**
 * Where a path of the program leads. `inside`: below the program's folder (`.` is the folder itself). `scratch`: below
 * `/tmp`, in memory only and empty at first. `outside`: anywhere else; nothing exists there.
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

export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "." : path.slice(0, slash);
}

/** The files below one folder at program start, by relative path (`data/in.txt`). Answers never change. */
export type FileSource = (path: string) => FoundFile;

export type FoundFile =
  | { readonly kind: "file"; readonly bytes: Uint8Array }
  | { readonly kind: "folder" }
  | { readonly kind: "missing" }
  /** Not readable, or it leads out of the folder. */
  | { readonly kind: "denied" };

export const noFiles: FileSource = (path) => (path === "." ? { kind: "folder" } : { kind: "missing" });

export function listedFiles(files: Readonly<Record<string, Uint8Array>>): FileSource {
  const folders = new Set(["."]);
  for (const name of Object.keys(files)) {
    const parts = name.split("/");
    for (let i = 1; i < parts.length; i++) folders.add(parts.slice(0, i).join("/"));
  }
  return (path) => {
    if (Object.hasOwn(files, path)) return { kind: "file", bytes: files[path]! };
    return { kind: folders.has(path) ? "folder" : "missing" };
  };
}

/**
 * The files of one run: those found, overlaid in memory by the run's changes. The machine's files are never changed.
 */
export type FileSystem = {
  readonly source: FileSource;
  /** Files opened for writing, or read, by path; null if removed. */
  readonly changed: Map<string, ByteBuffer | null>;
  /** Paths that the program asked for outside of its folder. */
  readonly outside: Set<string>;
};

export function createFileSystem(source: FileSource): FileSystem {
  return { source, changed: new Map(), outside: new Set() };
}

/** `read`: must exist. `truncate`: emptied or created. `keep`: kept or created. `create`: must be new. */
export type Opening = "read" | "truncate" | "keep" | "create";

export type OpenedFile =
  | { readonly kind: "file"; readonly path: string; readonly content: ByteBuffer }
  /** glibc opens folders for reading, and fails each read. */
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "error"; readonly errno: ErrnoName };

/** Opens the file that the bytes of a path name. `write`: it will be written. */
export function openFile(files: FileSystem, name: Uint8Array, opening: Opening, write: boolean): OpenedFile {
  const place = locate(files, name);
  if (typeof place === "string") return failed(place);
  const { path } = place;
  const content = contentAt(files, place);
  switch (content.kind) {
    case "error":
      return content;
    case "folder":
      if (opening === "create") return failed("EEXIST");
      return write ? failed("EISDIR") : content;
    case "missing": {
      if (opening === "read") return failed("ENOENT");
      const problem = creationProblem(files, place);
      if (problem !== null) return failed(problem);
      const created = byteBuffer();
      files.changed.set(path, created);
      return { kind: "file", path, content: created };
    }
    case "file":
      if (opening === "create") return failed("EEXIST");
      // Other streams that have the file open must see the change, so the buffer is reused.
      if (opening === "truncate") content.content.length = 0;
      return { kind: "file", path, content: content.content };
  }
}

function failed(errno: ErrnoName): { readonly kind: "error"; readonly errno: ErrnoName } {
  return { kind: "error", errno };
}

function locate(files: FileSystem, name: Uint8Array): FilePlace | ErrnoName {
  const place = resolvePath(name);
  if (typeof place !== "string" && place.kind === "outside") files.outside.add(place.path);
  return place;
}

type Content =
  | { readonly kind: "file"; readonly content: ByteBuffer }
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "missing" }
  | { readonly kind: "error"; readonly errno: ErrnoName };

/** The current content at a place. A file that was found becomes the run's own copy. */
function contentAt(files: FileSystem, { kind, path }: FilePlace): Content {
  const known = files.changed.get(path);
  if (known === null || kind === "outside") return { kind: "missing" };
  if (known !== undefined) return { kind: "file", content: known };
  const found: FoundFile = kind === "inside" ? files.source(path) : { kind: path === "/tmp" ? "folder" : "missing" };
  switch (found.kind) {
    case "file": {
      const content = byteBuffer(found.bytes);
      files.changed.set(path, content);
      return { kind: "file", content };
    }
    case "folder":
      return { kind: "folder", path };
    case "denied":
      return failed("EACCES");
    case "missing":
      // A file contains nothing.
      return isFile(files, { kind, path: parentOf(path) }) ? failed("ENOTDIR") : { kind: "missing" };
  }
}

function isFile(files: FileSystem, place: FilePlace): boolean {
  return place.path !== "." && place.path !== "" && contentAt(files, place).kind === "file";
}

function creationProblem(files: FileSystem, place: FilePlace): ErrnoName | null {
  if (place.kind === "outside") return "EACCES";
  const parent = contentAt(files, { kind: place.kind, path: parentOf(place.path) });
  if (parent.kind === "folder") return null;
  return parent.kind === "error" ? parent.errno : parent.kind === "file" ? "ENOTDIR" : "ENOENT";
}

/** null on success. */
export function removeFile(files: FileSystem, name: Uint8Array): ErrnoName | null {
  const place = locate(files, name);
  if (typeof place === "string") return place;
  const content = contentAt(files, place);
  if (content.kind === "error") return content.errno;
  // Folders cannot be removed: no program creates one.
  if (content.kind === "folder") return "EACCES";
  if (content.kind === "missing") return "ENOENT";
  files.changed.set(place.path, null);
  return null;
}

export function renameFile(files: FileSystem, from: Uint8Array, to: Uint8Array): ErrnoName | null {
  const [source, target] = [locate(files, from), locate(files, to)];
  if (typeof source === "string") return source;
  if (typeof target === "string") return target;
  const moved = contentAt(files, source);
  if (moved.kind === "error") return moved.errno;
  if (moved.kind === "missing") return "ENOENT";
  if (moved.kind === "folder") return "EACCES";
  const replaced = contentAt(files, target);
  if (replaced.kind === "error") return replaced.errno;
  if (replaced.kind === "folder") return "EISDIR";
  const problem = replaced.kind === "missing" ? creationProblem(files, target) : null;
  if (problem !== null) return problem;
  if (source.path === target.path) return null;
  files.changed.set(source.path, null);
  files.changed.set(target.path, moved.content);
  return null;
}

/** The current content of a file, by its path relative to the program's folder; null if there is none. */
export function fileContent(files: FileSystem, name: string): ByteBuffer | null {
  const place = resolvePath(Buffer.from(name, "latin1"));
  if (typeof place === "string") return null;
  const content = contentAt(files, place);
  return content.kind === "file" ? content.content : null;
}
