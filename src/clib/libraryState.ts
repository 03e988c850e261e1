import type { FileSource } from "./files/fileSource.ts";
import { noFiles } from "./files/fileSource.ts";
import { createFileSystem, type FileSystem } from "./files/fileSystem.ts";
import type { Pointer } from "./pointer.ts";
import type { Stream } from "./stdio/stream.ts";
import { createStreams, type Streams } from "./stdio/streams.ts";

/** What the library keeps between calls of one run. */
export type LibraryState = {
  readonly streams: Streams;
  readonly files: FileSystem;
  /** State of `rand`, made when first used. */
  random: Int32Array | null;
  /** State of `drand48` and its relatives. */
  random48: bigint;
  /** Where `strtok` goes on. */
  tokenPlace: Pointer;
  /** Where the program itself does not look at `errno`. */
  errno: number;
  /** By number, the texts that `strerror` gave. */
  readonly errorTexts: Map<number, Pointer>;
};

export type LibrarySurroundings = {
  readonly stdin?: Uint8Array | undefined;
  readonly files?: FileSource | undefined;
  /** Receives standard output, which is kept beside that only if `keeps`. */
  readonly sink?: Stream["sink"] | undefined;
  readonly keeps?: boolean;
};

export function createLibraryState({ stdin, files, sink, keeps }: LibrarySurroundings = {}): LibraryState {
  return {
    streams: createStreams(stdin ?? new Uint8Array(0), sink ?? null, keeps ?? false),
    files: createFileSystem(files ?? noFiles),
    random: null,
    random48: 0n,
    tokenPlace: 0,
    errno: 0,
    errorTexts: new Map(),
  };
}
