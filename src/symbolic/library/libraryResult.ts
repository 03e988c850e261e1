import { toBigInt } from "../../ir/scalarValue.ts";
import type { ScalarType } from "../../ir/type.ts";
import type { Term } from "../../logic/term.ts";
import type { TranslationScope } from "../stepEnvironment.ts";
import { readAddress } from "../symbolicState.ts";
import { argumentFor, type LibraryCall, openCall, recordedObject, repeatedCall } from "./libraryCall.ts";

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
