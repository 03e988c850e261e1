import { byteBuffer } from "../files/byteBuffer.ts";
import type { Pointer } from "../pointer.ts";
import { createStream, pipeIn, pipeOut, type Stream } from "./stream.ts";

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
