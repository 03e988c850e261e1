import type { CallLibrary, UndefinedBehaviour } from "../../ir/operation.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { ScalarType } from "../../ir/type.ts";
import type { FloatOperator } from "../../logic/floatOperator.ts";
import type { Term } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import type { Pointer } from "./entry.ts";
import type { ErrnoName } from "./errno.ts";
import { createFileSystem, type FileSource, type FileSystem, noFiles } from "./files.ts";
import { createStreams, type Stream, type Streams } from "./stdio/streams.ts";

/**
 * What a library function asks of the machine that runs the program. Every access that C leaves undefined ends the run at
 * the call, and so does `undefined`.
 */
export type Host = {
  readonly pointerBytes: 4 | 8;
  readonly state: LibraryState;
  /** The call that is being made: its name, and the types of what it passes. */
  call(): CallLibrary;

  /** Initialised bytes: a view, valid until memory is allocated or written. */
  readBytes(at: Pointer, size: number): Uint8Array;
  readByte(at: Pointer): number;
  /** The bytes of a string without its terminating zero, which must be there unless `max` bytes come first: a view. */
  readString(at: Pointer, max?: number): Uint8Array;
  readScalar(at: Pointer, type: ScalarType): ScalarValue;
  /** Of all bytes that the call has read these decided: whoever asks where its result comes from. */
  decided(...bytes: readonly Pointer[]): void;
  writeBytes(at: Pointer, bytes: Uint8Array): void;
  /** With a terminating zero. */
  writeString(at: Pointer, bytes: Uint8Array): void;
  writeScalar(at: Pointer, type: ScalarType, value: ScalarValue): void;
  /** Bytes with all that is known about them; between places that do not overlap. */
  copyBytes(to: Pointer, from: Pointer, size: number): void;
  /** The same where they may overlap. */
  moveBytes(to: Pointer, from: Pointer, size: number): void;
  /** What was just read at `from` and written at `to` is the same, byte by byte: whoever asks where a byte comes from. */
  copied(to: Pointer, from: Pointer, size: number): void;
  fillBytes(at: Pointer, byte: number, size: number): void;

  /** Blocks for the program. `stack`: until the calling function returns. */
  allocate(size: number, kind: "heap" | "zeroed" | "stack"): Pointer;
  /** The size of a live heap block at whose start the pointer is; any other pointer must not be given to `name`. */
  blockSize(at: Pointer, name: string): number;
  reallocate(at: Pointer, size: number): Pointer;
  release(at: Pointer): void;

  pointerToInteger(pointer: Pointer): ScalarValue;
  integerToPointer(value: ScalarValue): Pointer;
  /** An object of the library's own (a stream, a text), which lives until it is ended. */
  newObject(size: number): Pointer;
  endObject(object: Pointer): void;
  /**
   * The next `size` bytes of what is about to be printed or kept come from the call's arguments from `first` up to `end`, and from
   * what was read since the bytes before: whoever asks where output comes from.
   */
  formed(size: number, first: number, end: number): void;
  /** Bytes are in a stream's content now, from `at` on. */
  printed(stream: Stream, at: number, bytes: Uint8Array): void;
  /** Bytes of a stream's content were read, from `at` on. */
  taken(stream: Stream, at: number, size: number): void;
  /** The call goes on where an earlier one stopped, which only the library remembers. */
  goesOn(): void;
  /** The call stops where a later one may go on. */
  stops(): void;
  /** The standard stream that the pointer stands for; null where it stands for none. */
  streamAt(pointer: Pointer): "stdin" | "stdout" | "stderr" | null;
  setErrno(name: ErrnoName): void;
  errno(): number;

  /** Negating the value has no result. */
  negationOverflow(value: ScalarValue): never;
  /** The arguments are such that C says nothing about the call. */
  undefined(message: string): never;
  /** The call means something, but not to Tracefold. */
  unsupported(message: string, help: string): never;
};

/** Beyond every object's size the exact value of a size or count does not matter. */
export function sizeNumber(size: ScalarValue): number {
  return typeof size === "number" ? size : Number.MAX_SAFE_INTEGER;
}

export function longBits(host: Host): 32 | 64 {
  return host.pointerBytes === 8 ? 64 : 32;
}

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

export type LibraryEnvironment = {
  readonly stdin?: Uint8Array | undefined;
  readonly files?: FileSource | undefined;
  /** Receives standard output, which is kept beside that only if `keeps`. */
  readonly sink?: Stream["sink"] | undefined;
  readonly keeps?: boolean;
};

export function createLibraryState({ stdin, files, sink, keeps }: LibraryEnvironment = {}): LibraryState {
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

/** Output that a copy may hold. */
const maxKept = 2 ** 20;

/** A state of its own, as it is now; null where files are under way, or much was printed. */
export function copyLibraryState(state: LibraryState): LibraryState | null {
  const { streams, files, random } = state;
  const { stdin, stdout, stderr, opened, closed } = streams;
  if (opened.size + closed.size + files.changed.size > 0) return null;
  if (stdout.content.length + stderr.content.length > maxKept) return null;
  return {
    ...state,
    streams: {
      // Nobody writes to where the input comes from.
      stdin: { ...stdin, pushedBack: [...stdin.pushedBack], content: { ...stdin.content } },
      stdout: copyStream(stdout),
      stderr: copyStream(stderr),
      opened: new Map(),
      closed: new Set(),
    },
    files: { ...files, changed: new Map(), outside: new Set(files.outside) },
    random: random === null ? null : random.slice(),
    errorTexts: new Map(state.errorTexts),
  };
}

function copyStream(stream: Stream): Stream {
  const { bytes, length } = stream.content;
  return { ...stream, pushedBack: [...stream.pushedBack], content: { bytes: bytes.slice(0, length), length } };
}

/**
 * What a library function asks of symbolic execution to say what a call does in terms. Addresses are terms. Where the
 * memory at an address is not known well enough, reading gives null and writing gives false and changes nothing; the
 * recorded run, or an unknown, then takes the rule's place.
 */
export type SymbolicCall = {
  readonly terms: Terms;
  /** Bits of the integer that the call gives; null for any other result. */
  readonly resultBits: number | null;
  /** null where an operand is not known, and floating point that is not known is not computed with. */
  float(operator: FloatOperator, operand: Term): Term | null;
  /** A call that violates this is undefined, in this way. */
  require(condition: Term, problem: UndefinedBehaviour): void;
  /** The bytes of a string before its terminating zero. */
  readString(address: Term): readonly number[] | null;
  /** `at(i)` for each `i` below `length`. */
  writeBytes(address: Term, length: number, at: (i: number) => number): boolean;
};

/** Longer blocks are not written byte by byte. */
export const byteLimit = 4096n;

/** A string and its terminating zero. */
export function writeString(call: SymbolicCall, address: Term, string: readonly number[] | null): boolean {
  return string !== null && call.writeBytes(address, string.length + 1, (i) => string[i] ?? 0);
}
