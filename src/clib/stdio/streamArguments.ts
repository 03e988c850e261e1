import type { Host } from "../host.ts";
import type { Pointer } from "../pointer.ts";
import { readProblem, type Stream } from "./stream.ts";

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
