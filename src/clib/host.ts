import type { CallLibrary } from "../ir/operation.ts";
import type { ScalarValue } from "../ir/scalarValue.ts";
import type { ScalarType } from "../ir/type.ts";
import type { ErrnoName } from "./errno.ts";
import type { LibraryState } from "./libraryState.ts";
import type { Pointer } from "./pointer.ts";
import type { Stream } from "./stdio/stream.ts";

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
