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

/** The machine's interface for library functions. An access that C leaves undefined ends the run at the call. */
export type Host = {
  readonly pointerBytes: 4 | 8;
  readonly state: LibraryState;
  /** The current call: its name and argument types. */
  call(): CallLibrary;

  /** Initialised bytes: a view, valid until memory is allocated or written. */
  readBytes(at: Pointer, size: number): Uint8Array;
  readByte(at: Pointer): number;
  /** A string without its terminating zero, which must exist within `max` bytes: a view. */
  readString(at: Pointer, max?: number): Uint8Array;
  readScalar(at: Pointer, type: ScalarType): ScalarValue;
  /** For dependence tracking: only these of the bytes read determined the result. */
  decided(...bytes: readonly Pointer[]): void;
  writeBytes(at: Pointer, bytes: Uint8Array): void;
  /** Appends a terminating zero. */
  writeString(at: Pointer, bytes: Uint8Array): void;
  writeScalar(at: Pointer, type: ScalarType, value: ScalarValue): void;
  /** Copies bytes with their metadata; the ranges must not overlap. */
  copyBytes(to: Pointer, from: Pointer, size: number): void;
  /** Like `copyBytes`; the ranges may overlap. */
  moveBytes(to: Pointer, from: Pointer, size: number): void;
  /** For dependence tracking: the bytes just read at `from` and written at `to` are the same, byte by byte. */
  copied(to: Pointer, from: Pointer, size: number): void;
  fillBytes(at: Pointer, byte: number, size: number): void;

  /** Allocates a block. `stack`: lives until the calling function returns. */
  allocate(size: number, kind: "heap" | "zeroed" | "stack"): Pointer;
  /** The size of the live heap block that starts at the pointer; any other pointer is an error of `name`. */
  blockSize(at: Pointer, name: string): number;
  reallocate(at: Pointer, size: number): Pointer;
  release(at: Pointer): void;

  pointerToInteger(pointer: Pointer): ScalarValue;
  integerToPointer(value: ScalarValue): Pointer;
  /** Allocates an object of the library (a stream, a text). */
  newObject(size: number): Pointer;
  endObject(object: Pointer): void;
  /** For dependence tracking: the next `size` output bytes come from arguments `first` to `end` and recent reads. */
  formed(size: number, first: number, end: number): void;
  /** For dependence tracking: bytes were written to a stream's content at `at`. */
  printed(stream: Stream, at: number, bytes: Uint8Array): void;
  /** For dependence tracking: bytes of a stream's content were read at `at`. */
  taken(stream: Stream, at: number, size: number): void;
  /** The call continues from state that an earlier call left in the library. */
  continuesEarlierCall(): void;
  /** The call leaves state for a later call. */
  mayBeContinued(): void;
  streamAt(pointer: Pointer): "stdin" | "stdout" | "stderr" | null;
  setErrno(name: ErrnoName): void;
  errno(): number;

  negationOverflow(value: ScalarValue): never;
  /** The call's behaviour is undefined in C. */
  undefined(message: string): never;
  /** The call is defined, but Tracefold does not support it. */
  unsupported(message: string, help: string): never;
};

/** Above the size of every object the exact value of a size or count does not matter. */
export function sizeNumber(size: ScalarValue): number {
  return typeof size === "number" ? size : Number.MAX_SAFE_INTEGER;
}

export function longBits(host: Host): 32 | 64 {
  return host.pointerBytes === 8 ? 64 : 32;
}

export type LibraryState = {
  readonly streams: Streams;
  readonly files: FileSystem;
  /** State of `rand`, created at first use. */
  random: Int32Array | null;
  random48: bigint;
  /** Where `strtok` continues. */
  tokenPlace: Pointer;
  /** Used if the program itself does not read `errno`. */
  errno: number;
  readonly errorTexts: Map<number, Pointer>;
  /** With an expected output that is compared by tokens: the offset of the next expected byte. */
  matched: number;
  insideToken: boolean;
  /** The only test of a unit-test framework that is run; null for all. */
  readonly onlyTest: string | null;
  /** The tests that the program asked about, in order. */
  tests: readonly string[];
};

export type LibraryEnvironment = {
  readonly stdin?: Uint8Array | undefined;
  readonly files?: FileSource | undefined;
  /** Receives standard output. Output is also kept in memory if `keeps`. */
  readonly sink?: Stream["sink"] | undefined;
  readonly keeps?: boolean;
  readonly test?: string | undefined;
};

export function createLibraryState({ stdin, files, sink, keeps, test }: LibraryEnvironment = {}): LibraryState {
  return {
    streams: createStreams(stdin ?? new Uint8Array(0), sink ?? null, keeps ?? false),
    files: createFileSystem(files ?? noFiles),
    random: null,
    random48: 0n,
    tokenPlace: 0,
    errno: 0,
    errorTexts: new Map(),
    matched: 0,
    insideToken: false,
    onlyTest: test ?? null,
    tests: [],
  };
}

/** The most output that a copy may hold. */
const maxKept = 2 ** 20;

/** An independent copy; null if files are open or much was printed. */
export function copyLibraryState(state: LibraryState): LibraryState | null {
  const { streams, files, random } = state;
  const { stdin, stdout, stderr, opened, closed } = streams;
  if (opened.size + closed.size + files.changed.size > 0) return null;
  if (stdout.content.length + stderr.content.length > maxKept) return null;
  return {
    ...state,
    streams: {
      // The input's content is never written.
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
 * The interface of symbolic execution for library functions. Addresses are terms. If the memory at an address is not
 * known well enough, a read returns null and a write returns false and changes nothing; the caller falls back to the
 * recorded run or an unknown.
 */
export type SymbolicCall = {
  readonly terms: Terms;
  /** Bits of the call's integer result; null for any other result. */
  readonly resultBits: number | null;
  /** null if an operand is unknown, or floating point is not modelled. */
  float(operator: FloatOperator, operand: Term): Term | null;
  /** States that a violating call has this undefined behaviour. */
  require(condition: Term, problem: UndefinedBehaviour): void;
  /** The bytes before the terminating zero. */
  readString(address: Term): readonly number[] | null;
  /** Writes `at(i)` for each `i` below `length`. */
  writeBytes(address: Term, length: number, at: (i: number) => number): boolean;
};

/** Longer blocks are not written byte by byte. */
export const byteLimit = 4096n;

export function writeString(call: SymbolicCall, address: Term, string: readonly number[] | null): boolean {
  return string !== null && call.writeBytes(address, string.length + 1, (i) => string[i] ?? 0);
}
