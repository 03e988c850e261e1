import { assertNever } from "../base/errors.ts";
import { type Extent, type MemoryUse, pointeeSize } from "../c/library/memoryUse.ts";
import { type LibraryFunction, parameterIndex } from "../c/library/table.ts";
import type { CallLibrary } from "../ir/operation.ts";
import type { Term } from "../logic/term.ts";
import { readBytes, readString } from "./readString.ts";
import type { RecordedCall } from "./recordedCall.ts";
import type { TranslationScope } from "./scope.ts";
import type { Surroundings } from "./surroundings.ts";

/** A library call where it is executed. */
export type LibraryCall = {
  readonly operation: CallLibrary;
  readonly function: LibraryFunction;
  readonly arguments: readonly Term[];
  readonly surroundings: Surroundings;
};

/** The arguments for a parameter: one, or all variadic ones. */
export function argumentsFor(
  { function: known, arguments: args }: Pick<LibraryCall, "function" | "arguments">,
  parameter: string,
): readonly Term[] {
  if (parameter === "...") return args.slice(known.parameters.length);
  return [args[parameterIndex(known, parameter)]!];
}

export function argumentFor(call: Pick<LibraryCall, "function" | "arguments">, parameter: string): Term {
  return call.arguments[parameterIndex(call.function, parameter)]!;
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
      const { type } = call.function.parameters[parameterIndex(call.function, at)]!;
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
  const recorded = call.surroundings.libraryCall();
  if (recorded === null) return null;
  const repeats = call.function.source === "environment" || recorded.repeats || hasKnownArguments(scope, call);
  return repeats ? recorded : null;
}

/** Are all numbers that it is given, and all bytes that it reads, known? Which objects its pointers point into is left open. */
export function hasKnownArguments(scope: TranslationScope, call: Omit<LibraryCall, "surroundings">): boolean {
  const numbers = call.arguments.filter((_, i) => call.operation.arguments[i]!.type.kind !== "pointer");
  return (
    numbers.every((argument) => argument.kind === "int") &&
    call.function.memory.every((use) => isRead(scope, call, use))
  );
}

/** Are the bytes that a use reads known? */
function isRead(scope: TranslationScope, call: Omit<LibraryCall, "surroundings">, use: MemoryUse): boolean {
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
  call: Omit<LibraryCall, "surroundings">,
  at: string,
  extent: Extent,
): boolean {
  const addresses = argumentsFor(call, at).filter(
    (address) => call.operation.arguments[call.arguments.indexOf(address)]!.type.kind === "pointer",
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
