import { Defect, TracefoldError } from "../base/errors.ts";
import { errnoNumber } from "../c/library/errno.ts";
import { createLibraryState, type Host } from "../c/library/host.ts";
import type { Program, ProgramVariable } from "../ir/program.ts";
import type { ScalarValue } from "../ir/scalarValue.ts";
import { scalarAccess } from "./compile/scalarAccess.ts";
import { checkPrinted } from "./expected.ts";
import type { CallingHost, LibraryParts } from "./machine.ts";
import { locateRead, locateWrite, uninitialised } from "./memory/access.ts";
import type { Memory } from "./memory/memory.ts";
import { fieldOrigin, fieldReadable, firstObject, kindHeap, kindStack, objectFields } from "./memory/objectLayout.ts";
import {
  allocate,
  allocateZeroed,
  copyObject,
  fillObject,
  heapSize,
  moveObject,
  reallocate,
  release,
} from "./memory/objects.ts";
import { objectIdOf, offsetOf } from "./memory/pointer.ts";
import { integerToPointer, pointerToInteger } from "./memory/pointerArithmetic.ts";
import * as readers from "./memory/read.ts";
import { staticLayoutOf } from "./memory/staticLayout.ts";
import * as writers from "./memory/write.ts";
import { undefinedRun } from "./problem.ts";
import {
  libraryCopied,
  libraryCopies,
  libraryDecided,
  libraryRead,
  libraryWrote,
  trackBirth,
  trackDeath,
} from "./track/track.ts";
import { trackContinuation, trackFormed, trackPrinted, trackTaken } from "./track/trackFiles.ts";

type Reader = (memory: Memory, pointer: number, delta: number, site: number) => ScalarValue;
type Writer = (memory: Memory, pointer: number, delta: number, value: ScalarValue, site: number) => void;

/** The state of the current call. The parts of the host are made before it exists, so they ask for it. */
type Calling = () => Pick<CallingHost, "site" | "currentCall" | "state" | "expected">;

export function createLibraryHost(machine: LibraryParts): CallingHost {
  const calling: Calling = () => host;
  // One literal: V8 turns an object that gets so many properties later into a slow dictionary.
  const host: CallingHost = {
    parts: machine,
    site: -1,
    currentCall: null,
    state: createLibraryState(),
    expected: null,
    pointerBytes: machine.memory.pointerBytes,
    ...readingPart(machine, calling),
    ...writingPart(machine, calling),
    ...blocksPart,
    ...errnoPart(machine, calling),
    ...streamsPart(machine, calling),
    ...askingPart(machine, calling),
  };
  return host;
}

type ReadingPart = Pick<Host, "readBytes" | "readByte" | "readString" | "readScalar" | "decided">;

function readingPart(machine: LibraryParts, calling: Calling): ReadingPart {
  const { memory, tracker } = machine;
  const requireInitialised = (pointer: number, at: number, size: number): void => {
    const { shadowBytes } = memory;
    for (let i = 0; i < size; i++)
      if (shadowBytes[at + i] !== 0) uninitialised(memory, at + i, pointer, i, 1, calling().site);
  };
  return {
    readBytes(pointer, size) {
      if (size === 0) return new Uint8Array(0);
      const at = locateRead(memory, pointer, 0, size, calling().site);
      requireInitialised(pointer, at, size);
      libraryRead(machine, pointer, size);
      return memory.bytes.subarray(at, at + size);
    },
    readByte(pointer) {
      const byte = readers.readUint8(memory, pointer, 0, calling().site);
      if (tracker !== null) libraryRead(machine, pointer, 1);
      return byte;
    },
    readString(pointer, max = Number.POSITIVE_INFINITY) {
      if (max === 0) return new Uint8Array(0);
      const at = locateRead(memory, pointer, 0, 1, calling().site);
      const rest = memory.objects[objectIdOf(pointer) * objectFields + fieldReadable]! - offsetOf(pointer);
      const limit = Math.min(rest, max);
      const end = memory.bytes.subarray(at, at + limit).indexOf(0);
      requireInitialised(pointer, at, end === -1 ? limit : end + 1);
      if (end === -1 && limit < max) {
        undefinedRun({ kind: "bad-access", access: "read", pointer, delta: rest, size: 1 }, calling().site);
      }
      libraryRead(machine, pointer, end === -1 ? limit : end + 1);
      return memory.bytes.subarray(at, at + (end === -1 ? limit : end));
    },
    readScalar(pointer, type) {
      const { read, size } = scalarAccess(type, memory.pointerBytes);
      const value = (readers as Record<string, Reader>)[read]!(memory, pointer, 0, calling().site);
      libraryRead(machine, pointer, size);
      return value;
    },
    decided: (...bytes) => libraryDecided(machine, bytes),
  };
}

function wrote(machine: LibraryParts, calling: Calling, pointer: number, size: number): void {
  libraryWrote(machine, pointer, size);
  if (machine.writer === null) return;
  const call = calling().currentCall;
  if (call === null || size === 0) return;
  machine.writer.memory(call.step, call.function, call.edge, pointer, size, undefined);
}

type WritingPart = Pick<
  Host,
  "writeBytes" | "writeString" | "writeScalar" | "copyBytes" | "moveBytes" | "copied" | "fillBytes"
>;

function writingPart(machine: LibraryParts, calling: Calling): WritingPart {
  const { memory } = machine;
  const writeBytes = (pointer: number, bytes: Uint8Array): void => {
    if (bytes.length === 0) return;
    const at = locateWrite(memory, pointer, 0, bytes.length, calling().site);
    memory.bytes.set(bytes, at);
    memory.shadowBytes.fill(0, at, at + bytes.length);
    wrote(machine, calling, pointer, bytes.length);
  };
  return {
    writeBytes,
    writeString(pointer, bytes) {
      const terminated = new Uint8Array(bytes.length + 1);
      terminated.set(bytes);
      writeBytes(pointer, terminated);
    },
    writeScalar(pointer, type, value) {
      const { write, size } = scalarAccess(type, memory.pointerBytes);
      (writers as unknown as Record<string, Writer>)[write]!(memory, pointer, 0, value, calling().site);
      wrote(machine, calling, pointer, size);
    },
    copyBytes(to, from, size) {
      copyObject(memory, to, from, size, calling().site);
      libraryCopies(machine, to, from, size);
      wrote(machine, calling, to, size);
    },
    moveBytes(to, from, size) {
      moveObject(memory, to, from, size, calling().site);
      libraryCopies(machine, to, from, size);
      wrote(machine, calling, to, size);
    },
    copied: (to, from, size) => libraryCopied(machine, to, from, size),
    fillBytes(pointer, byte, size) {
      fillObject(memory, pointer, byte, size, calling().site);
      wrote(machine, calling, pointer, size);
    },
  };
}

type BlocksPart = Pick<Host, "allocate" | "blockSize" | "reallocate" | "release">;

/**
 * `malloc` and `free` as the library asks for them. All machines share these functions, and `this` is the host: V8 inlines
 * a call whose target is always the same, and programs with lists make many.
 */
const blocksPart: BlocksPart & ThisType<CallingHost> = {
  allocate(size, kind) {
    const { memory, tracker } = this.parts;
    const result =
      kind === "zeroed"
        ? allocateZeroed(memory, size, this.site)
        : allocate(memory, size, kind === "heap" ? kindHeap : kindStack, this.site);
    if (tracker !== null) trackBirth(tracker, result);
    if (kind === "zeroed") libraryWrote(this.parts, result, size);
    return result;
  },
  blockSize(pointer, name) {
    return heapSize(this.parts.memory, pointer, name, this.site);
  },
  reallocate(pointer, size) {
    const { memory, tracker } = this.parts;
    const kept = Math.min(heapSize(memory, pointer, "realloc", this.site), size);
    const result = reallocate(memory, pointer, size, this.site);
    libraryCopies(this.parts, result, pointer, kept);
    wrote(this.parts, () => this, result, kept);
    if (tracker !== null) {
      trackDeath(tracker, pointer);
      trackBirth(tracker, result);
    }
    return result;
  },
  release(pointer) {
    const { memory, tracker } = this.parts;
    release(memory, pointer);
    if (tracker !== null) trackDeath(tracker, pointer);
  },
};

type StreamsPart = Pick<
  Host,
  "newObject" | "endObject" | "formed" | "printed" | "taken" | "continuesEarlierCall" | "mayBeContinued"
>;

function streamsPart({ memory, tracker }: LibraryParts, calling: Calling): StreamsPart {
  return {
    newObject(size) {
      const pointer = allocate(memory, size, kindHeap, calling().site);
      if (tracker !== null) trackBirth(tracker, pointer);
      return pointer;
    },
    endObject(pointer) {
      release(memory, pointer);
      if (tracker !== null) trackDeath(tracker, pointer);
    },
    formed(size, first, end) {
      if (tracker !== null) trackFormed(tracker, size, first, end);
    },
    printed(stream, at, bytes) {
      if (tracker !== null) trackPrinted(tracker, stream, at, bytes.length);
      checkPrinted(calling().expected, calling().state, stream, at, bytes, calling().site);
    },
    taken(stream, at, size) {
      if (tracker !== null) trackTaken(tracker, stream.content, at, size);
    },
    continuesEarlierCall() {
      if (tracker !== null) trackContinuation(tracker);
    },
    mayBeContinued() {
      if (tracker !== null) tracker.stopped = tracker.step + 1;
    },
  };
}

/** In the program's own variable if it reads it, else kept for `perror`. */
function errnoPart(machine: LibraryParts, calling: Calling): Pick<Host, "setErrno" | "errno"> {
  const { program, memory } = machine;
  const variable = program.variables.find(({ role }) => role === "errno");
  const place = variable === undefined ? undefined : staticLayoutOf(program).variables.get(variable.id);
  return {
    setErrno(name) {
      calling().state.errno = errnoNumber(name);
      if (place === undefined) return;
      memory.view.setInt32(place.address, errnoNumber(name), true);
      wrote(machine, calling, place.pointer, 4);
    },
    errno: () => (place === undefined ? calling().state.errno : memory.view.getInt32(place.address, true)),
  };
}

type AskingPart = Pick<
  Host,
  "call" | "pointerToInteger" | "integerToPointer" | "streamAt" | "negationOverflow" | "undefined" | "unsupported"
>;

function askingPart({ program, sites, memory }: LibraryParts, calling: Calling): AskingPart {
  const edgeOf = () => {
    const { function: fn, edge } = sites[calling().site]!;
    return program.functions[fn]!.edges[edge]!;
  };
  return {
    call() {
      const { operation } = edgeOf();
      if (operation.kind !== "callLibrary") throw new Defect("not a library call");
      return operation;
    },
    pointerToInteger: (pointer) => pointerToInteger(memory, pointer),
    integerToPointer: (value) => integerToPointer(memory, value, calling().site),
    streamAt(pointer) {
      const role = variableAt(program, memory, pointer)?.role;
      return role === undefined || role === "errno" ? null : role;
    },
    negationOverflow: (operand) => undefinedRun({ kind: "negation-overflow", operand }, calling().site),
    undefined: (message) => undefinedRun({ kind: "library", what: "library-argument", message }, calling().site),
    unsupported(message, help) {
      throw new TracefoldError({ code: "TF242", message, range: edgeOf().range, help });
    },
  };
}

/** The static object that starts at a pointer. */
function variableAt(program: Program, memory: Memory, pointer: number): ProgramVariable | null {
  const id = objectIdOf(pointer);
  const known = offsetOf(pointer) === 0 && id >= firstObject && id < memory.objectCount;
  const origin = known ? memory.objects[id * objectFields + fieldOrigin]! : -1;
  const variable = program.variables[origin];
  return variable !== undefined && staticLayoutOf(program).variables.get(origin)?.pointer === pointer ? variable : null;
}
