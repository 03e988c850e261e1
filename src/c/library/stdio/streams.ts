import { nth } from "../../../base/checked.ts";
import type { Pointer } from "../entry.ts";
import type { ErrnoName } from "../errno.ts";
import { type ByteBuffer, byteBuffer, writeAt } from "../files.ts";
import type { Host } from "../host.ts";

/** The state of a `FILE *`. */
export type Stream = {
  name: string;
  readonly number: number;
  mode: StreamMode;
  content: ByteBuffer;
  position: number;
  /** Characters pushed back by `ungetc`; the last one is read first. */
  readonly pushedBack: number[];
  /** Sticky end-of-file flag, until a seek or `clearerr`. */
  ended: boolean;
  failed: boolean;
  /** True if writes are kept in `content`. */
  isKept: boolean;
  sink: ((bytes: Uint8Array) => void) | null;
};

export type StreamMode = {
  readonly reads: boolean;
  readonly writes: boolean;
  readonly appends: boolean;
  /** False for a pipe or terminal. */
  readonly seeks: boolean;
  readonly isFolder: boolean;
};

export const pipeIn: StreamMode = { reads: true, writes: false, appends: false, seeks: false, isFolder: false };
export const pipeOut: StreamMode = { reads: false, writes: true, appends: true, seeks: false, isFolder: false };

export function createStream(
  name: string,
  number: number,
  mode: StreamMode,
  content: ByteBuffer,
  sink: Stream["sink"] = null,
): Stream {
  const start = { position: 0, pushedBack: [], ended: false, failed: false };
  return { name, number, mode, content, ...start, isKept: true, sink };
}

/** Why a stream cannot be read; sets its error flag. */
export function readProblem(stream: Stream): ErrnoName | null {
  if (stream.mode.reads && !stream.mode.isFolder) return null;
  stream.failed = true;
  return stream.mode.isFolder ? "EISDIR" : "EBADF";
}

/** The next character, or -1 at the end. The stream must be readable. */
export function readCharacter(stream: Stream): number {
  const pushed = stream.pushedBack.pop();
  if (pushed !== undefined) return pushed;
  const { content, position, ended } = stream;
  if (!ended && position < content.length) {
    stream.position++;
    return nth(content.bytes, position);
  }
  stream.ended = true;
  return -1;
}

/** Returns the offset of the bytes in the stream's content. The stream must be writable. */
export function writeStream(stream: Stream, bytes: Uint8Array): number {
  const { content, sink } = stream;
  if (stream.mode.appends && stream.mode.seeks) stream.position = content.length;
  const at = stream.position;
  stream.position = at + bytes.length;
  stream.pushedBack.length = 0;
  if (bytes.length === 0) return at;
  sink?.(bytes);
  if (stream.isKept) writeAt(content, at, bytes);
  return at;
}

/** The position that the program sees. */
export function positionOf({ position, pushedBack }: Stream): number {
  return position - pushedBack.length;
}

export function moveTo(stream: Stream, position: number): void {
  stream.position = position;
  stream.pushedBack.length = 0;
  stream.ended = false;
}

export type Streams = {
  readonly stdin: Stream;
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly opened: Map<Pointer, Stream>;
  readonly closed: Set<Pointer>;
};

/** `sink` receives standard output as it is written; it is also kept in memory if `keeps`. */
export function createStreams(input: Uint8Array, sink: Stream["sink"], keeps: boolean): Streams {
  const stdout = createStream("stdout", 1, pipeOut, byteBuffer(), sink);
  stdout.isKept = sink === null || keeps;
  return {
    stdin: createStream("stdin", 0, pipeIn, { bytes: input, length: input.length }),
    stdout,
    stderr: createStream("stderr", 2, pipeOut, byteBuffer()),
    opened: new Map(),
    closed: new Set(),
  };
}

/** The stream of a call's argument; it must be open. */
export function streamFor(host: Host, pointer: Pointer): Stream {
  const { streams } = host.state;
  const standard = host.streamAt(pointer);
  const found = standard === null ? streams.opened.get(pointer) : streams[standard];
  if (pointer === 0) return host.undefined("the stream is a null pointer");
  if (streams.closed.has(pointer)) return host.undefined("the stream was closed");
  return found ?? host.undefined("the pointer is not a stream");
}

/** Like `streamFor`; null, with `errno`, if it cannot be read. */
export function inputFor(host: Host, pointer: Pointer): Stream | null {
  const stream = streamFor(host, pointer);
  const problem = readProblem(stream);
  if (problem === null) return stream;
  host.setErrno(problem);
  return null;
}

/** Like `streamFor`; null, with `errno`, if it cannot be written. */
export function outputFor(host: Host, pointer: Pointer): Stream | null {
  const stream = streamFor(host, pointer);
  if (stream.mode.writes) return stream;
  stream.failed = true;
  host.setErrno("EBADF");
  return null;
}
