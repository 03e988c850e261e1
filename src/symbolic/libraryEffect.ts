import type { CallLibrary } from "../ir/operation.ts";
import type { ScalarType } from "../ir/type.ts";
import type { Term } from "../logic/term.ts";
import { havocMemory } from "./accessMemory.ts";
import { allocateBlock, reallocateBlock } from "./allocateBlock.ts";
import { argumentObject } from "./argumentObject.ts";
import { copyMemory, havocBytes, placed } from "./copyMemory.ts";
import { libraryBehaviour } from "./libraryBehaviour.ts";
import type { LibraryCall } from "./libraryCall.ts";
import { libraryResult } from "./libraryResult.ts";
import { readString } from "./readString.ts";
import type { RecordedWrite } from "./recordedCall.ts";
import type { Scope } from "./scope.ts";
import type { Surroundings } from "./surroundings.ts";
import { clobberMemory, type SymbolicState, write } from "./symbolicState.ts";
import { translateExpression } from "./translateExpression.ts";
import { type Bytes, repeatedByte, writeBytes } from "./writeBytes.ts";

/** What a library call does to the state: exactly, as recorded, or to something unknown, in this order. */
export function callLibrary(scope: Scope, operation: CallLibrary, surroundings: Surroundings): SymbolicState {
  const args = operation.arguments.map((argument) => translateExpression(scope, argument));
  const call: LibraryCall = { operation, arguments: args, surroundings };
  const allocated = allocate(scope, call);
  if (allocated !== null) return assignResult(scope, operation, allocated.state, allocated.pointer);
  const state = effect(scope, call);
  if (operation.target === null) return state;
  const type = scope.symbols.program.variables[operation.target]!.type as ScalarType;
  return assignResult(scope, operation, state, libraryResult(scope, call, type));
}

function assignResult(scope: Scope, operation: CallLibrary, state: SymbolicState, value: Term): SymbolicState {
  if (operation.target === null) return state;
  return write(state, scope.symbols.register(scope.frame, operation.target), value);
}

function allocate(scope: Scope, call: LibraryCall): { state: SymbolicState; pointer: Term } | null {
  const { terms } = scope.symbols;
  const [first, second] = call.arguments;
  switch (call.operation.name) {
    case "malloc":
    case "alloca":
      return allocateBlock(scope, call, first!, call.operation.name === "alloca" ? "stack" : "heap");
    case "calloc":
      return allocateBlock(scope, call, terms.mul(first!, second!), "zeroed");
    case "strdup":
    case "strndup":
      return allocateBlock(scope, call, null, "heap");
    case "realloc":
      return reallocateBlock(scope, call, first!, second!);
    default:
      return null;
  }
}

function effect(scope: Scope, call: LibraryCall): SymbolicState {
  const { operation, arguments: args } = call;
  const { writes, source } = libraryBehaviour(operation.name);
  if (writes === "nothing") return scope.state;
  const exact = exactEffect(scope, call);
  if (exact !== null) return exact;
  const recorded = call.surroundings.libraryCall();
  if (recorded !== null && recorded.writes !== null && (source === "environment" || recorded.repeats)) {
    const state = replayWrites(scope, args, recorded.writes);
    if (state !== null) return state;
  }
  if (writes === "anything") {
    scope.note(`what ${operation.name} writes`);
    return havocMemory(scope);
  }
  const written = "from" in writes ? args.slice(writes.from) : writes.arguments.map((i) => args[i]!);
  return written.reduce(
    (state, address) => (isNull(address) ? state : havocBytes({ ...scope, state }, address, null)),
    scope.state,
  );
}

function isNull(term: Term): boolean {
  return term.kind === "int" && term.value === 0n;
}

/** Blocks of bytes whose size is known. */
function exactEffect(scope: Scope, { operation, arguments: args }: LibraryCall): SymbolicState | null {
  const [first, second, third] = args;
  switch (operation.name) {
    case "$zero":
      return fill(scope, first!, 0, second!);
    case "memset":
      return second!.kind === "int" ? fill(scope, first!, Number(BigInt.asUintN(8, second!.value)), third!) : null;
    case "memcpy":
    case "memmove": {
      const [toExpression, fromExpression] = operation.arguments as [never, never];
      if (third!.kind !== "int" || third!.value > 1n << 31n) return null;
      return copyMemory(scope, { to: first!, from: second!, size: Number(third!.value), toExpression, fromExpression });
    }
    case "strcpy":
    case "stpcpy":
      return writeString(scope, first!, readString(scope, second!));
    case "strcat": {
      const [start, end] = [readString(scope, first!), readString(scope, second!)];
      return start === null || end === null ? null : writeString(scope, first!, [...start, ...end]);
    }
    case "strncpy": {
      const string = readString(scope, second!);
      if (string === null || third!.kind !== "int" || third!.value > stringLimit) return null;
      const length = Number(third!.value);
      return writePlaced(scope, first!, { length, at: (i) => string[i] ?? 0 });
    }
    default:
      return null;
  }
}

const stringLimit = 4096n;

/** A string and its terminating zero. */
function writeString(scope: Scope, address: Term, string: readonly number[] | null): SymbolicState | null {
  return string === null ? null : writePlaced(scope, address, { length: string.length + 1, at: (i) => string[i] ?? 0 });
}

function writePlaced(scope: Scope, address: Term, bytes: Bytes): SymbolicState | null {
  const at = placed(scope, address);
  return at === null || at.object.regions === null ? null : writeBytes(scope, at.object, at.offset, bytes);
}

function fill(scope: Scope, address: Term, byte: number, size: Term): SymbolicState | null {
  const { symbols } = scope;
  const at = placed(scope, address);
  if (at === null || size.kind !== "int") return null;
  const length = Number(size.value);
  const { object, offset } = at;
  if (object.regions !== null) return writeBytes(scope, object, offset, repeatedByte(byte, length));
  // A block without a type yet: what it is an array of does not matter to zeroes.
  if (byte !== 0 || offset !== 0 || object.size === null || length < object.size) return null;
  const condition = symbols.terms.bool(true);
  return clobberMemory(symbols, scope.state, { condition, tag: scope.tag(), object, zero: true });
}

/** The bytes that the call wrote on the run; null where it is not known what they are part of. */
function replayWrites(scope: Scope, args: readonly Term[], writes: readonly RecordedWrite[]): SymbolicState | null {
  let state = scope.state;
  for (const { object: written, offset, bytes } of writes) {
    const object = argumentObject(scope, args, written);
    if (object === null || object.regions === null) return null;
    const source = { length: bytes.length, at: (i: number) => bytes[i]! };
    state = writeBytes({ ...scope, state }, object, offset, source);
  }
  return state;
}
