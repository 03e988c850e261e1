import type { ScalarValue } from "../../../ir/scalarValue.ts";
import { type Entry, type OperationFields, operations, type Pointer, signedInteger } from "../entry.ts";
import { type Host, longBits } from "../host.ts";
import { pointee, reads, writes } from "../memoryUse.ts";
import { moveTo, positionOf, type Stream, streamFor } from "./streams.ts";

/** `<stdio.h>`: position and end of a stream. Nothing is buffered. */

const operation = operations("stdio.h");
const ofStream = (entry: OperationFields) => operation({ ...entry, source: "environment" });

const pipe = { ESPIPE: "the stream is a pipe" } as const;

function seek(host: Host, stream: Stream, offset: ScalarValue, whence: number): number {
  if (!stream.mode.seeks) {
    host.setErrno("ESPIPE");
    return -1;
  }
  const base = [0, positionOf(stream), stream.content.length][whence];
  const target = base === undefined ? -1 : base + Number(offset);
  // Also if the seek then fails.
  if (base !== undefined) stream.pushedBack.length = 0;
  if (target < 0) {
    host.setErrno("EINVAL");
    return -1;
  }
  moveTo(stream, target);
  return 0;
}

/** -1, with `errno`, for a pipe. */
function tell(host: Host, stream: Stream): number {
  if (stream.mode.seeks) return positionOf(stream);
  host.setErrno("ESPIPE");
  return -1;
}

export const positioning: readonly Entry[] = [
  ofStream({
    prototype: "int fseek(FILE *stream, long offset, int whence)",
    errno: { ...pipe, EINVAL: "the position is invalid" },
    run: (host, stream: Pointer, offset: ScalarValue, whence: number) =>
      seek(host, streamFor(host, stream), offset, whence),
  }),
  ofStream({
    prototype: "long ftell(FILE *stream)",
    errno: pipe,
    run: (host, stream: Pointer) => tell(host, streamFor(host, stream)),
  }),
  ofStream({
    prototype: "void rewind(FILE *stream)",
    errno: pipe,
    run: (host, pointer: Pointer) => {
      const stream = streamFor(host, pointer);
      seek(host, stream, 0, 0);
      stream.failed = false;
      stream.ended = false;
      return undefined;
    },
  }),
  ofStream({
    prototype: "int fgetpos(FILE *stream, fpos_t *position)",
    memory: [writes("position", pointee)],
    errno: pipe,
    run(host, stream: Pointer, position: Pointer) {
      const at = tell(host, streamFor(host, stream));
      if (at === -1) return -1;
      host.writeScalar(position, signedInteger(longBits(host)), at);
      return 0;
    },
  }),
  ofStream({
    prototype: "int fsetpos(FILE *stream, const fpos_t *position)",
    memory: [reads("position", pointee)],
    errno: pipe,
    run(host, stream: Pointer, position: Pointer) {
      const at = host.readScalar(position, signedInteger(longBits(host)));
      if (at < 0) return host.undefined("the position is not from fgetpos");
      return seek(host, streamFor(host, stream), at, 0);
    },
  }),
  ofStream({
    prototype: "int feof(FILE *stream)",
    run: (host, stream: Pointer) => (streamFor(host, stream).ended ? 1 : 0),
  }),
  ofStream({
    prototype: "int ferror(FILE *stream)",
    run: (host, stream: Pointer) => (streamFor(host, stream).failed ? 1 : 0),
  }),
  ofStream({
    prototype: "void clearerr(FILE *stream)",
    run: (host, pointer: Pointer) => {
      const stream = streamFor(host, pointer);
      stream.ended = false;
      stream.failed = false;
      return undefined;
    },
  }),
  ofStream({
    prototype: "int fflush(FILE *stream)",
    run: (host, stream: Pointer) => {
      if (stream !== 0) streamFor(host, stream);
      return 0;
    },
  }),
  ofStream({
    prototype: "int setvbuf(FILE *stream, char *buffer, int mode, size_t size)",
    run: (host, stream: Pointer, _buffer: Pointer, mode: number) => {
      streamFor(host, stream);
      return mode >= 0 && mode <= 2 ? 0 : -1;
    },
  }),
  ofStream({
    prototype: "void setbuf(FILE *stream, char *buffer)",
    run: (host, stream: Pointer) => {
      streamFor(host, stream);
      return undefined;
    },
  }),
];
