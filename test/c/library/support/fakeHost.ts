import type { Pointer } from "../../../../src/c/library/entry.ts";
import type { ErrnoName } from "../../../../src/c/library/errno.ts";
import { type FileSource, listedFiles } from "../../../../src/c/library/files.ts";
import { createLibraryState, type Host } from "../../../../src/c/library/host.ts";
import type { LibraryFunction } from "../../../../src/c/library/table.ts";
import type { VariableId } from "../../../../src/ir/program.ts";
import type { ScalarValue } from "../../../../src/ir/scalarValue.ts";
import type { ScalarType } from "../../../../src/ir/type.ts";

export type Touched = { readonly access: "read" | "write"; readonly at: Pointer; readonly size: number };

/** The call does something that C leaves undefined. */
export class Undefined extends Error {}

/** A memory of objects far apart that notices what a library function touches. */
export type FakeHost = Host & {
  readonly touched: Touched[];
  readonly errnos: ErrnoName[];
  /** Blocks that it gave and took. */
  readonly given: Pointer[];
  readonly released: Pointer[];
  object(bytes: Uint8Array): Pointer;
  /** What is in memory as a pointer, by its place. */
  readonly pointers: Map<Pointer, Pointer>;
  bytesAt(at: Pointer): Uint8Array;
};

const listed = listedFiles({ "in.txt": Buffer.from("a line\nanother\n"), "folder/x": new Uint8Array(0) });
const someFiles: FileSource = (path) => (path === "locked" ? { kind: "denied" } : listed(path));

/** Distance of objects: no access reaches from one to the next. */
const step = 65536;

export function createFakeHost(known: LibraryFunction, types: readonly ScalarType[], stdin: string): FakeHost {
  const objects: Uint8Array[] = [];
  const touched: Touched[] = [];
  const errnos: ErrnoName[] = [];
  const given: Pointer[] = [];
  const released: Pointer[] = [];
  const pointers = new Map<Pointer, Pointer>();
  let errno = 0;
  const own = new Set<Pointer>();
  /** The bytes of the object from the pointer on. */
  const rest = (at: Pointer): Uint8Array => {
    const found = objects[Math.floor(at / step) - 1];
    if (found === undefined || at % step > found.length) throw new Undefined("no object");
    return found.subarray(at % step);
  };
  const touch = (access: Touched["access"], at: Pointer, size: number): Uint8Array => {
    if (size === 0) return new Uint8Array(0);
    const bytes = rest(at);
    if (size > bytes.length) throw new Undefined("out of bounds");
    // What it does to its own objects is its own business.
    if (!own.has(at - (at % step))) touched.push({ access, at, size });
    return bytes.subarray(0, size);
  };
  const object = (bytes: Uint8Array): Pointer => {
    objects.push(bytes);
    return objects.length * step;
  };
  const host: FakeHost = {
    touched,
    errnos,
    given,
    released,
    object,
    pointers,
    bytesAt: rest,
    pointerBytes: 8,
    state: createLibraryState({ stdin: Buffer.from(stdin, "latin1"), files: someFiles }),
    call: () => ({
      kind: "callLibrary",
      name: known.name,
      arguments: types.map((type) => ({ kind: "variable", type, variable: 0 as VariableId })),
      target: null,
    }),
    readBytes: (at, size) => touch("read", at, size),
    readByte: (at) => touch("read", at, 1)[0]!,
    readString(at, max = Number.POSITIVE_INFINITY) {
      if (max === 0) return new Uint8Array(0);
      const bytes = rest(at);
      const end = bytes.subarray(0, Math.min(max, bytes.length)).indexOf(0);
      if (end === -1 && max > bytes.length) throw new Undefined("no end");
      return touch("read", at, end === -1 ? max : end + 1).subarray(0, end === -1 ? max : end);
    },
    readScalar(at, type) {
      const size = sizeOf(type);
      const [first] = touch("read", at, size);
      return pointers.get(at) ?? Number(first);
    },
    writeBytes(at, bytes) {
      touch("write", at, bytes.length).set(bytes);
    },
    writeString(at, bytes) {
      host.writeBytes(at, Uint8Array.of(...bytes, 0));
    },
    writeScalar(at, type, value) {
      write(touch("write", at, sizeOf(type)), type, value);
    },
    copyBytes(to, from, size) {
      touch("write", to, size).set(touch("read", from, size).slice());
    },
    moveBytes(to, from, size) {
      host.copyBytes(to, from, size);
    },
    copied: () => {},
    decided: () => {},
    fillBytes(at, byte, size) {
      touch("write", at, size).fill(byte);
    },
    allocate(size) {
      if (size > 2 ** 31) throw new Undefined("no room");
      const at = object(new Uint8Array(size));
      given.push(at);
      return at;
    },
    blockSize: (at) => rest(at).length,
    reallocate(at, size) {
      const result = host.allocate(size, "heap");
      const old = rest(at);
      rest(result).set(old.subarray(0, size));
      released.push(at);
      return result;
    },
    release(at) {
      released.push(at);
    },
    pointerToInteger: (pointer) => pointer,
    integerToPointer: (value) => Number(value),
    newObject: (size) => {
      const made = object(new Uint8Array(size));
      own.add(made);
      return made;
    },
    endObject: () => {},
    formed: () => {},
    printed: () => {},
    taken: () => {},
    streamAt: (pointer) => (pointer === 1 ? "stdin" : pointer === 2 ? "stdout" : null),
    continuesEarlierCall() {},
    mayBeContinued() {},
    setErrno(name) {
      errnos.push(name);
      errno = 1;
    },
    errno: () => errno,
    negationOverflow() {
      throw new Undefined("overflow");
    },
    undefined(message) {
      throw new Undefined(message);
    },
    unsupported(message) {
      throw new Undefined(message);
    },
  };
  return host;
}

function sizeOf(type: ScalarType): number {
  switch (type.kind) {
    case "int":
    case "float":
      return type.bits / 8;
    case "pointer":
      return 8;
    case "bool":
      return 1;
  }
}

function write(bytes: Uint8Array, type: ScalarType, value: ScalarValue): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (type.kind === "float") {
    if (type.bits === 32) view.setFloat32(0, Number(value), true);
    else view.setFloat64(0, Number(value), true);
    return;
  }
  const number = BigInt(value);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number((number >> BigInt(8 * i)) & 255n);
}
