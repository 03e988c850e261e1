import { nth } from "../../base/checked.ts";
import { errnoNumber } from "../../c/library/errno.ts";
import { type MemoryUse, writtenParameter } from "../../c/library/memoryUse.ts";
import { libraryFunction, parameterIndex } from "../../c/library/table.ts";
import type { Expression } from "../../ir/expression.ts";
import type { CallLibrary } from "../../ir/operation.ts";
import { toBigInt } from "../../ir/scalarValue.ts";
import type { ScalarType } from "../../ir/type.ts";
import type { Term } from "../../logic/term.ts";
import { havocMemory } from "../memory/accessMemory.ts";
import { allocateBlock } from "../memory/allocateBlock.ts";
import { copyMemory, havocBytes, placed, repeatedByte, writeBytes } from "../memory/copyMemory.ts";
import type { StepEnvironment, TranslationScope } from "../stepEnvironment.ts";
import { clobberMemory, readAddress, type SymbolicState, write } from "../symbolicState.ts";
import { translateExpression } from "../translateExpression.ts";
import {
  argumentFor,
  argumentsFor,
  errnoObject,
  extentSize,
  isNull,
  type LibraryCall,
  openCall,
  type RecordedWrite,
  readString,
  recordedObject,
  repeatedCall,
  updateErrno,
} from "./libraryCall.ts";

/** The result of a library call: computed if that is simple, as recorded, or unknown. */
export function libraryResult(scope: TranslationScope, call: LibraryCall, type: ScalarType): Term {
  return (
    call.environment.inputByte?.() ??
    exactResult(scope, call, type) ??
    recordedResult(scope, call, type) ??
    scope.approximate(`the result of ${call.operation.name}`, type)
  );
}

function exactResult(scope: TranslationScope, call: LibraryCall, type: ScalarType): Term | null {
  const { returns, value } = call.function;
  if (returns !== null) return argumentFor(call, returns);
  if (value === null) return null;
  return value(openCall(scope, type).ruled, ...(call.arguments as never[]));
}

function recordedResult(scope: TranslationScope, call: LibraryCall, type: ScalarType): Term | null {
  const { terms } = scope.symbols;
  const recorded = repeatedCall(scope, call);
  if (recorded === null) return null;
  if (recorded.pointsTo !== null) {
    const object = recordedObject(scope, call.arguments, recorded.pointsTo.object);
    if (object !== null) return terms.add(readAddress(scope.state, object), terms.int(recorded.pointsTo.offset));
  }
  const { result } = recorded;
  if (result === undefined) return null;
  if (type.kind === "float") return terms.floatLiteral(Number(result));
  const representable = type.kind !== "pointer" || result === 0;
  return representable ? terms.int(toBigInt(result)) : null;
}

/** The effect of a library call on the state: exact, as recorded, or unknown, in this order. */
export function callLibrary(
  scope: TranslationScope,
  operation: CallLibrary,
  environment: StepEnvironment,
): SymbolicState {
  const known = libraryFunction(operation.name);
  const args = operation.arguments.map((argument) => translateExpression(scope, argument));
  const call: LibraryCall = { operation, function: known, arguments: args, environment };
  if (known.allocates !== null) {
    const { state, pointer, failed } = allocateBlock(scope, call, known.allocates);
    const { terms } = scope.symbols;
    const noRoom = terms.int(errnoNumber("ENOMEM"));
    const after = updateErrno(scope.symbols, state, (old) => terms.ite(failed, noRoom, old));
    return assignResult(scope, operation, after, pointer);
  }
  const state = effect(scope, call);
  if (operation.target === null) return state;
  const type = nth(scope.symbols.program.variables, operation.target).type as ScalarType;
  return assignResult(scope, operation, state, libraryResult(scope, call, type));
}

function assignResult(
  scope: TranslationScope,
  operation: CallLibrary,
  state: SymbolicState,
  value: Term,
): SymbolicState {
  if (operation.target === null) return state;
  return write(state, scope.symbols.register(scope.frame, operation.target), value);
}

function effect(scope: TranslationScope, call: LibraryCall): SymbolicState {
  const { memory, errno } = call.function;
  const writes = memory.filter((use) => writtenParameter(use) !== null || use.kind === "remembers");
  const errnoWritten = Object.keys(errno).length > 0 ? errnoObject(scope.symbols) : null;
  if (writes.length === 0 && errnoWritten === null) return scope.state;
  if (errnoWritten === null) {
    const exact = exactEffect(scope, call, writes);
    if (exact !== null) return exact;
  }
  const recorded = repeatedCall(scope, call);
  const replayed = recorded?.writes == null ? null : replayWrites(scope, call.arguments, recorded.writes);
  if (replayed !== null) return replayed;
  if (writes.some(({ kind }) => kind === "remembers")) {
    scope.note(`what ${call.operation.name} writes`);
    return havocMemory(scope);
  }
  const written = writes.reduce((state, use) => havocUse({ ...scope, state }, call, use), scope.state);
  if (errnoWritten === null) return written;
  const condition = scope.symbols.terms.bool(true);
  return clobberMemory(scope.symbols, written, { condition, tag: scope.tag(), object: errnoWritten });
}

/** The bytes that a use writes become unknown. */
function havocUse(scope: TranslationScope, call: LibraryCall, use: MemoryUse): SymbolicState {
  const at = writtenParameter(use);
  if (at === null || !("extent" in use)) return scope.state;
  const size = extentSize(scope, call, at, use.extent);
  return argumentsFor(call, at).reduce(
    (state, address) => (isNull(address) ? state : havocBytes({ ...scope, state }, address, size)),
    scope.state,
  );
}

/** All that is written, where the table says what it is; null where that, or where it goes, is not known. */
function exactEffect(scope: TranslationScope, call: LibraryCall, writes: readonly MemoryUse[]): SymbolicState | null {
  const { effect: rule } = call.function;
  if (rule !== null) {
    const { ruled, state } = openCall(scope, null);
    return rule(ruled, ...(call.arguments as never[])) ? state() : null;
  }
  let state = scope.state;
  for (const use of writes) {
    const after = exactUse({ ...scope, state }, call, use);
    if (after === null) return null;
    state = after;
  }
  return state;
}

function exactUse(scope: TranslationScope, call: LibraryCall, use: MemoryUse): SymbolicState | null {
  if (use.kind === "fills") {
    const byte = use.byte === 0 ? scope.symbols.terms.int(0n) : argumentFor(call, use.byte);
    const size = extentSize(scope, call, use.at, use.extent);
    if (byte.kind !== "int" || size === null) return null;
    return fill(scope, argumentFor(call, use.at), Number(BigInt.asUintN(8, byte.value)), size);
  }
  if (use.kind !== "copies") return null;
  const [to, from] = [argumentFor(call, use.to), argumentFor(call, use.from)];
  if (use.extent.kind === "string") return writeString(scope, to, readString(scope, from));
  const size = extentSize(scope, call, use.to, use.extent);
  if (size === null) return null;
  const expression = (parameter: string): Expression =>
    nth(call.operation.arguments, parameterIndex(call.function, parameter));
  return copyMemory(scope, {
    to,
    from,
    size,
    toExpression: expression(use.to),
    fromExpression: expression(use.from),
  });
}

/** A string and its terminating zero. */
function writeString(scope: TranslationScope, address: Term, string: readonly number[] | null): SymbolicState | null {
  if (string === null) return null;
  const { ruled, state } = openCall(scope, null);
  return ruled.writeBytes(address, string.length + 1, (i) => string[i] ?? 0) ? state() : null;
}

function fill(scope: TranslationScope, address: Term, byte: number, length: number): SymbolicState | null {
  const { symbols } = scope;
  const at = placed(scope, address);
  if (at === null) return null;
  const { object, offset } = at;
  if (object.regions !== null) return writeBytes(scope, object, offset, repeatedByte(byte, length));
  // A block without a type yet: what it is an array of does not matter to zeroes.
  if (byte !== 0 || offset !== 0 || object.size === null || length < object.size) return null;
  const condition = symbols.terms.bool(true);
  return clobberMemory(symbols, scope.state, { condition, tag: scope.tag(), object, zero: true });
}

/** The bytes that the call wrote on the run; null where it is not known what they are part of. */
function replayWrites(
  scope: TranslationScope,
  args: readonly Term[],
  writes: readonly RecordedWrite[],
): SymbolicState | null {
  let state = scope.state;
  for (const { object: written, offset, bytes } of writes) {
    const object = recordedObject(scope, args, written);
    if (object === null || object.regions === null) return null;
    const source = { length: bytes.length, at: (i: number) => nth(bytes, i) };
    state = writeBytes({ ...scope, state }, object, offset, source);
  }
  return state;
}
