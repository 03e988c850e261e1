import type { Pointer } from "./pointer.ts";
import { createStreams, type StandardStreams } from "./stdio/streams.ts";

/** What the library keeps between calls of one run. */
export type LibraryState = {
  readonly streams: StandardStreams;
  /** State of `rand`, made when first used. */
  random: Int32Array | null;
  /** Where `strtok` goes on. */
  tokenPlace: Pointer;
  /** Where the program itself does not look at `errno`. */
  errno: number;
};

export function createLibraryState(stdin: Uint8Array, sink: StandardStreams["sink"]): LibraryState {
  return { streams: createStreams(stdin, sink), random: null, tokenPlace: 0, errno: 0 };
}
