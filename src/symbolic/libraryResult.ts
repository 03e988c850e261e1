import { toBigInt } from "../ir/scalarValue.ts";
import type { ScalarType } from "../ir/type.ts";
import type { Term } from "../logic/term.ts";
import { argumentObject } from "./argumentObject.ts";
import { characterResult } from "./characterTests.ts";
import { libraryBehaviour } from "./libraryBehaviour.ts";
import type { LibraryCall } from "./libraryCall.ts";
import { readString } from "./readString.ts";
import type { Scope } from "./scope.ts";
import { readAddress } from "./symbolicState.ts";

/** What a library call returns: computed where that is simple, as recorded, or unknown. */
export function libraryResult(scope: Scope, call: LibraryCall, type: ScalarType): Term {
  const { terms } = scope.symbols;
  const { operation, arguments: args } = call;
  const exact = exactResult(scope, call, type);
  if (exact !== null) return exact;
  const { source } = libraryBehaviour(operation.name);
  const recorded = call.surroundings.libraryCall();
  const result = recorded?.result;
  const representable = type.kind === "int" || type.kind === "bool" || result === 0;
  if (recorded?.pointsTo && (source === "environment" || recorded.repeats || hasKnownArguments(scope, call))) {
    const object = argumentObject(scope, args, recorded.pointsTo.object);
    if (object !== null) return terms.add(readAddress(scope.state, object), terms.int(recorded.pointsTo.offset));
  }
  if (recorded !== null && result !== undefined && type.kind === "float") {
    if (recorded.repeats || args.every((argument) => isKnown(scope, argument)))
      return scope.symbols.floatConstant(Number(result));
  } else if (recorded !== null && result !== undefined && representable) {
    const known = source === "environment" || recorded.repeats || hasKnownArguments(scope, call);
    if (known) return terms.int(toBigInt(result));
  }
  return scope.approximate(`the result of ${operation.name}`, type);
}

function exactResult(scope: Scope, { operation, arguments: args }: LibraryCall, type: ScalarType): Term | null {
  const { terms } = scope.symbols;
  const [first, second] = args;
  switch (operation.name) {
    case "abs":
    case "labs":
    case "llabs": {
      if (type.kind !== "int") return null;
      // The most negative value has no absolute value: the run would have ended.
      scope.require(terms.ne(first!, terms.int(-(1n << BigInt(type.bits - 1)))), "signed-overflow");
      return terms.ite(terms.ge(first!, terms.int(0n)), first!, terms.neg(first!));
    }
    case "memset":
    case "memcpy":
    case "memmove":
    case "strcpy":
    case "strncpy":
    case "strcat":
    case "strncat":
      return first!;
    case "strlen": {
      const string = readString(scope, first!);
      return string === null ? null : terms.int(string.length);
    }
    case "strcmp": {
      const [a, b] = [readString(scope, first!), readString(scope, second!)];
      return a === null || b === null ? null : terms.int(compare(a, b));
    }
    default:
      return first === undefined ? null : characterResult(scope, operation.name, first);
  }
}

/** The difference of the first bytes that differ. */
function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i <= Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Would every run that comes here with the same state return the same? Then what was recorded is exact. */
function hasKnownArguments(scope: Scope, { operation, arguments: args }: LibraryCall): boolean {
  return args.every((argument, i) => {
    if (operation.arguments[i]!.type.kind !== "pointer") return isKnown(scope, argument);
    return readString(scope, argument) !== null && !operation.name.startsWith("mem");
  });
}

function isKnown(scope: Scope, term: Term): boolean {
  return term.kind === "int" || scope.symbols.floatValue(term) !== null;
}
