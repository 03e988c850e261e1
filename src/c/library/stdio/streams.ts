import { nth } from "../../../base/checked.ts";
import type { Pointer } from "../entry.ts";
import type { ErrnoName } from "../errno.ts";
import { type ByteBuffer, byteBuffer, writeAt } from "../files.ts";
import type { Host } from "../host.ts";

/** What a `FILE *` stands for. */
export type Stream = {
  /** `stdin`, or the path of a file. */
  name: string;
  /** What `fileno` says. */
  readonly number: number;
  mode: StreamMode;
  content: ByteBuffer;
  position: number;
  /** Characters that `ungetc` pushed back, last one first to be read. */
  readonly pushedBack: number[];
  /** A read met the end; it stays at it, whatever is written there, until someone moves or clears it. */
  ended: boolean;
  failed: boolean;
  /** Is what is written kept in `content`? */
  isKept: boolean;
  /** Receives what is written. */
  sink: ((bytes: Uint8Array) => void) | null;
};

export type StreamMode = {
  readonly reads: boolean;
  readonly writes: boolean;
  /** Every write goes to the end. */
  readonly appends: boolean;
  /** A pipe or a terminal has no positions. */
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

/** Why a stream cannot be read; it then knows of its failure. */
export function readProblem(stream: Stream): ErrnoName | null {
  if (stream.mode.reads && !stream.mode.isFolder) return null;
  stream.failed = true;
  return stream.mode.isFolder ? "EISDIR" : "EBADF";
}

/** The next character, or -1 at the end; of a stream that can be read. */
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

/** Where the bytes begin in the stream's content. The stream can be written. */
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

/** Where the program believes the stream to be. */
export function positionOf({ position, pushedBack }: Stream): number {
  return position - pushedBack.length;
}

export function moveTo(stream: Stream, position: number): void {
  stream.position = position;
  stream.pushedBack.length = 0;
  stream.ended = false;
}

/** The streams of one run. */
export type Streams = {
  readonly stdin: Stream;
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** By the pointers that stand for them. */
  readonly opened: Map<Pointer, Stream>;
  /** Pointers that stand for a stream no more. */
  readonly closed: Set<Pointer>;
};

/** `sink` receives standard output as it is written; it is kept beside that only if `keeps`. */
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

/** The stream that the argument of a call stands for; it is open. */
export function streamFor(host: Host, pointer: Pointer): Stream {
  const { streams } = host.state;
  const standard = host.streamAt(pointer);
  const found = standard === null ? streams.opened.get(pointer) : streams[standard];
  if (pointer === 0) return host.undefined("the stream is a null pointer");
  if (streams.closed.has(pointer)) return host.undefined("the stream was closed");
  return found ?? host.undefined("the pointer stands for no stream");
}

/** The same, where it can be read; else null, with `errno`. */
export function inputFor(host: Host, pointer: Pointer): Stream | null {
  const stream = streamFor(host, pointer);
  const problem = readProblem(stream);
  if (problem === null) return stream;
  host.setErrno(problem);
  return null;
}

/** The same, where it can be written; else null, with `errno`. */
export function outputFor(host: Host, pointer: Pointer): Stream | null {
  const stream = streamFor(host, pointer);
  if (stream.mode.writes) return stream;
  stream.failed = true;
  host.setErrno("EBADF");
  return null;
}
