import { nth } from "../../../base/checked.ts";
import { type Entry, type OperationFields, operations, type Pointer } from "../entry.ts";
import { byteBuffer, type OpenedFile, type Opening, openFile, removeFile, renameFile } from "../files.ts";
import type { Host } from "../host.ts";
import { reads, string } from "../memoryUse.ts";
import { createStream, moveTo, type Stream, type StreamMode, streamFor } from "./streams.ts";

/** `<stdio.h>`: opening, closing and removing. */

const operation = operations("stdio.h");
const outside = (entry: OperationFields) => operation({ ...entry, source: "environment" });

type FileMode = { readonly opening: Opening; readonly mode: StreamMode };

/** glibc's rule: one letter, then flags up to a comma or the seventh character. null if invalid. */
function parseMode(text: Uint8Array): FileMode | null {
  const [kind, ...flags] = nth(Buffer.from(text.subarray(0, 7)).toString("latin1").split(","), 0);
  if (kind !== "r" && kind !== "w" && kind !== "a") return null;
  const both = flags.includes("+");
  const mode: StreamMode = {
    reads: kind === "r" || both,
    writes: kind !== "r" || both,
    appends: kind === "a",
    seeks: true,
    isFolder: false,
  };
  const opening = kind === "r" ? "read" : flags.includes("x") ? "create" : kind === "w" ? "truncate" : "keep";
  return { opening, mode };
}

function opened(host: Host, path: Pointer, modeText: Pointer): { file: OpenedFile; mode: StreamMode } | null {
  const parsed = parseMode(host.readString(modeText).slice());
  const name = host.readString(path).slice();
  if (parsed === null) {
    host.setErrno("EINVAL");
    return null;
  }
  const file = openFile(host.state.files, name, parsed.opening, parsed.mode.writes);
  if (file.kind === "error") {
    host.setErrno(file.errno);
    return null;
  }
  return { file, mode: { ...parsed.mode, isFolder: file.kind === "folder" } };
}

/** An append-only stream starts at the end; one that is also read does not. */
function startOf(stream: Stream): void {
  moveTo(stream, stream.mode.appends && !stream.mode.reads ? stream.content.length : 0);
  stream.failed = false;
}

/** The lowest number that no open stream has. */
function freeNumber({ state }: Host): number {
  const used = new Set([...state.streams.opened.values()].map(({ number }) => number));
  let number = 3;
  while (used.has(number)) number++;
  return number;
}

/** The size of glibc's `FILE`; no program looks inside. */
const streamSize = 216;

function give(host: Host, stream: Stream): Pointer {
  const pointer = host.newObject(streamSize);
  host.state.streams.opened.set(pointer, stream);
  host.state.streams.closed.delete(pointer);
  startOf(stream);
  return pointer;
}

const openErrors = {
  ENOENT: "there is no such file or folder",
  EACCES: "access is denied, or it is outside of the program's folder",
  EISDIR: "a folder cannot be written",
  ENOTDIR: "a file is used as a folder",
  EEXIST: "it exists, and the mode has an x",
  EINVAL: "the mode is invalid",
  ENAMETOOLONG: "the name is too long",
} as const;

const named = [reads("path", string), reads("mode", string)];

function reopen(host: Host, path: Pointer, mode: Pointer, pointer: Pointer): Pointer {
  if (path === 0) return host.unsupported("freopen without a path is not supported", "Open the file by its name.");
  const stream = streamFor(host, pointer);
  const found = opened(host, path, mode);
  if (found === null) {
    close(host, pointer);
    return 0;
  }
  stream.mode = found.mode;
  stream.content = found.file.kind === "file" ? found.file.content : byteBuffer();
  stream.name = found.file.kind === "error" ? "" : found.file.path;
  stream.sink = null;
  stream.isKept = true;
  startOf(stream);
  return pointer;
}

function close(host: Host, pointer: Pointer): void {
  const { streams } = host.state;
  const stream = streamFor(host, pointer);
  streams.closed.add(pointer);
  // `putchar` and `getchar` use the stream without a pointer.
  stream.mode = { ...stream.mode, reads: false, writes: false };
  if (streams.opened.delete(pointer)) host.endObject(pointer);
}

export const opening: readonly Entry[] = [
  outside({
    prototype: "FILE *fopen(const char *path, const char *mode)",
    memory: named,
    errno: openErrors,
    run(host, path: Pointer, mode: Pointer) {
      const found = opened(host, path, mode);
      if (found === null || found.file.kind === "error") return 0;
      const content = found.file.kind === "file" ? found.file.content : byteBuffer();
      return give(host, createStream(found.file.path, freeNumber(host), found.mode, content));
    },
  }),
  outside({
    prototype: "FILE *freopen(const char *path, const char *mode, FILE *stream)",
    memory: named,
    errno: openErrors,
    run: reopen,
  }),
  outside({
    prototype: "FILE *tmpfile(void)",
    run: (host) => {
      const mode = { reads: true, writes: true, appends: false, seeks: true, isFolder: false };
      return give(host, createStream("a temporary file", freeNumber(host), mode, byteBuffer()));
    },
  }),
  outside({
    prototype: "int fclose(FILE *stream)",
    run(host, stream: Pointer) {
      close(host, stream);
      return 0;
    },
  }),
  outside({
    prototype: "int remove(const char *path)",
    memory: [reads("path", string)],
    errno: {
      ENOENT: openErrors.ENOENT,
      EACCES: "access is denied, or it is a folder",
      ENOTDIR: openErrors.ENOTDIR,
      ENAMETOOLONG: openErrors.ENAMETOOLONG,
    },
    run(host, path: Pointer) {
      const problem = removeFile(host.state.files, host.readString(path).slice());
      if (problem !== null) host.setErrno(problem);
      return problem === null ? 0 : -1;
    },
  }),
  outside({
    prototype: "int rename(const char *from, const char *to)",
    memory: [reads("from", string), reads("to", string)],
    errno: {
      ENOENT: openErrors.ENOENT,
      EACCES: "access is denied, it is a folder, or it is outside of the program's folder",
      EISDIR: "a folder cannot be replaced",
      ENOTDIR: openErrors.ENOTDIR,
      ENAMETOOLONG: openErrors.ENAMETOOLONG,
    },
    run(host, from: Pointer, to: Pointer) {
      const source = host.readString(from).slice();
      const problem = renameFile(host.state.files, source, host.readString(to).slice());
      if (problem !== null) host.setErrno(problem);
      return problem === null ? 0 : -1;
    },
  }),
  outside({ prototype: "int fileno(FILE *stream)", run: (host, stream: Pointer) => streamFor(host, stream).number }),
];
