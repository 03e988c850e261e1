import { nth } from "../../base/checked.ts";
import { assertNever } from "../../base/errors.ts";
import { memoised } from "../../base/memo.ts";
import type { SymbolicCall } from "../../c/library/host.ts";
import { type Extent, type MemoryUse, pointeeSize } from "../../c/library/memoryUse.ts";
import { type LibraryFunction, parameterIndex } from "../../c/library/table.ts";
import type { CallLibrary } from "../../ir/operation.ts";
import type { Program, VariableId } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { ScalarType } from "../../ir/type.ts";
import type { Term } from "../../logic/term.ts";
import { floatOperation } from "../convertValue.ts";
import { loadMemory } from "../memory/accessMemory.ts";
import { placed, writeBytes } from "../memory/copyMemory.ts";
import { unsignedType } from "../memory/region.ts";
import { objectInAddress, type StepEnvironment, type TranslationScope } from "../stepEnvironment.ts";
import { readRegion, type SymbolicState, write } from "../symbolicState.ts";
import { type SymbolicObject, type Symbols, staticFrame } from "../symbols.ts";

export type LibraryCall = {
  readonly operation: CallLibrary;
  readonly function: LibraryFunction;
  readonly arguments: readonly Term[];
  readonly environment: StepEnvironment;
};

/** The arguments for a parameter: one, or all variadic ones. */
export function argumentsFor(
  { function: known, arguments: args }: Pick<LibraryCall, "function" | "arguments">,
  parameter: string,
): readonly Term[] {
  if (parameter === "...") return args.slice(known.parameters.length);
  return [nth(args, parameterIndex(known, parameter))];
}

export function argumentFor(call: Pick<LibraryCall, "function" | "arguments">, parameter: string): Term {
  return nth(call.arguments, parameterIndex(call.function, parameter));
}

/** The number of bytes of an extent at a parameter; null where it is not known. */
export function extentSize(
  scope: TranslationScope,
  call: Pick<LibraryCall, "function" | "arguments">,
  at: string,
  extent: Extent,
): number | null {
  switch (extent.kind) {
    case "bytes": {
      let size = 1n;
      for (const factor of extent.factors) {
        const term = argumentFor(call, factor);
        if (term.kind !== "int") return null;
        size *= term.value;
      }
      return size <= sizeLimit ? Number(size) : null;
    }
    case "pointee": {
      const { type } = nth(call.function.parameters, parameterIndex(call.function, at));
      return pointeeSize(type, scope.symbols.program.pointerBytes);
    }
    case "string":
    case "format":
    case "unbounded":
      return null;
    default:
      return assertNever(extent, "extent");
  }
}

/** No object is larger. */
const sizeLimit = 1n << 31n;

/**
 * What the call did on the recorded run, where it does the same on every run that comes here with the same state: what
 * comes from outside is recorded, what is looked at is this run alone, or all that the call depends on is known.
 */
export function repeatedCall(scope: TranslationScope, call: LibraryCall): RecordedCall | null {
  const recorded = call.environment.libraryCall();
  if (recorded === null) return null;
  const repeats = call.function.source === "environment" || recorded.repeats || hasKnownArguments(scope, call);
  return repeats ? recorded : null;
}

export function hasKnownArguments(scope: TranslationScope, call: Omit<LibraryCall, "environment">): boolean {
  const numbers = call.arguments.filter((_, i) => nth(call.operation.arguments, i).type.kind !== "pointer");
  return (
    numbers.every((argument) => argument.kind === "int") &&
    call.function.memory.every((use) => isRead(scope, call, use))
  );
}

/** Are the bytes that a use reads known? */
function isRead(scope: TranslationScope, call: Omit<LibraryCall, "environment">, use: MemoryUse): boolean {
  switch (use.kind) {
    case "reads":
      return areKnown(scope, call, use.at, use.extent);
    case "copies":
      return areKnown(scope, call, use.from, use.extent);
    case "writes":
    case "fills":
    case "frees":
      return true;
    case "remembers":
      return false;
    default:
      return assertNever(use, "memory use");
  }
}

function areKnown(
  scope: TranslationScope,
  call: Omit<LibraryCall, "environment">,
  at: string,
  extent: Extent,
): boolean {
  const addresses = argumentsFor(call, at).filter(
    (address) => nth(call.operation.arguments, call.arguments.indexOf(address)).type.kind === "pointer",
  );
  if (extent.kind === "string" || extent.kind === "format") {
    return addresses.every((address) => isNull(address) || readString(scope, address) !== null);
  }
  const size = extentSize(scope, call, at, extent);
  return size !== null && addresses.every((address) => readBytes(scope, address, size) !== null);
}

export function isNull(term: Term): boolean {
  return term.kind === "int" && term.value === 0n;
}

/** The scope as a rule of the library sees it, and the state after what the rule wrote. */
export function openCall(
  scope: TranslationScope,
  type: ScalarType | null,
): { readonly ruled: SymbolicCall; readonly state: () => SymbolicState } {
  let state = scope.state;
  const here = (): TranslationScope => ({ ...scope, state });
  const ruled: SymbolicCall = {
    terms: scope.symbols.terms,
    resultBits: type?.kind === "int" ? type.bits : null,
    float: (operator, operand) => floatOperation(scope, operator, operand),
    require: scope.require,
    readString: (address) => readString(here(), address),
    writeBytes(address, length, at) {
      const place = placed(here(), address);
      if (place === null || place.object.regions === null) return false;
      state = writeBytes(here(), place.object, place.offset, { length, at });
      return true;
    },
  };
  return { ruled, state: () => state };
}

/** The effect of a library call on a recorded run. */
export type RecordedCall = {
  /** undefined: it has none, or nobody takes it. */
  readonly result: ScalarValue | undefined;
  /** The target of the result, if it is a pointer and not null. */
  readonly pointsTo: RecordedPlace | null;
  /** Its writes, in order; null if they are too many to keep. */
  readonly writes: readonly RecordedWrite[] | null;
  /** How often the number of the block that it returned was given to a block before. */
  readonly use: number;
};

export type RecordedWrite = RecordedPlace & { readonly bytes: Uint8Array };

/** Some bytes of a static variable, of a local one, or of a block. */
export type RecordedPlace = {
  readonly object:
    | { readonly kind: "static" | "local"; readonly variable: number }
    | { readonly kind: "block"; readonly number: number };
  readonly offset: number;
};

/** The object of a recorded place, among those that a call was given the address of, and `errno`. */
export function recordedObject(
  scope: TranslationScope,
  args: readonly Term[],
  written: RecordedPlace["object"],
): SymbolicObject | null {
  const objects = [...args.map((address) => objectInAddress(scope.symbols, address)), errnoObject(scope.symbols)];
  return objects.find((object) => object !== null && isObject(object, written)) ?? null;
}

function isObject({ origin }: SymbolicObject, written: RecordedPlace["object"]): boolean {
  if (origin.kind === "heap") return written.kind === "block" && origin.number === written.number;
  if (origin.kind !== "variable" || written.kind === "block") return false;
  return written.kind === (origin.frame === staticFrame ? "static" : "local") && origin.variable === written.variable;
}

const errnoOf = memoised(
  ({ variables }: Program): VariableId | null => variables.find(({ role }) => role === "errno")?.id ?? null,
);

/** The variable that library functions set; null where the program does not look at it. */
export function errnoObject(symbols: Symbols): SymbolicObject | null {
  const id = errnoOf(symbols.program);
  return id === null ? null : symbols.variableObject(staticFrame, id);
}

/** `errno` afterwards, from what it was before. */
export function updateErrno(symbols: Symbols, state: SymbolicState, update: (old: Term) => Term): SymbolicState {
  const object = errnoObject(symbols);
  const region = object?.regions?.[0];
  if (object === null || region === undefined) return state;
  const old = readRegion(symbols, state, object, region);
  const value = update(old);
  return value === old ? state : write(state, symbols.region(object, region), value);
}

/** Longer strings and blocks are not looked at. */
const lengthLimit = 1024;

/** The bytes of a string before its terminating zero; null where one of them is not known. */
export function readString(scope: TranslationScope, address: Term): readonly number[] | null {
  const byteAt = bytesAt(scope, address);
  const bytes: number[] = [];
  while (bytes.length < lengthLimit) {
    const byte = byteAt(bytes.length);
    if (byte === null) return null;
    if (byte === 0) return bytes;
    bytes.push(byte);
  }
  return null;
}

/** The bytes at an address; null if one of them is unknown. */
export function readBytes(scope: TranslationScope, address: Term, size: number): readonly number[] | null {
  if (size > lengthLimit) return null;
  const byteAt = bytesAt(scope, address);
  const bytes: number[] = [];
  while (bytes.length < size) {
    const byte = byteAt(bytes.length);
    if (byte === null) return null;
    bytes.push(byte);
  }
  return bytes;
}

function bytesAt(scope: TranslationScope, address: Term): (i: number) => number | null {
  const { symbols } = scope;
  const object = objectInAddress(symbols, address);
  if (object === null || object.regions === null) return () => null;
  let known = true;
  const quiet: TranslationScope = {
    ...scope,
    guard: () => {},
    require: () => {},
    learn: () => {},
    note: () => {},
    approximate: (_, type) => {
      known = false;
      return symbols.approximated(type);
    },
  };
  const type = unsignedType(8);
  const access = { type, address: { kind: "constant", type: { kind: "pointer", to: type }, value: 0n } } as const;
  return (i) => {
    const byte = loadMemory(quiet, symbols.terms.add(address, symbols.terms.int(i)), access);
    return known && byte.kind === "int" ? Number(byte.value) : null;
  };
}
