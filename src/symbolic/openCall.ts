import type { SymbolicCall } from "../c/library/host.ts";
import type { ScalarType } from "../ir/type.ts";
import { placed } from "./copyMemory.ts";
import { readString } from "./readString.ts";
import type { TranslationScope } from "./scope.ts";
import type { SymbolicState } from "./symbolicState.ts";
import { floatOperation } from "./translateFloat.ts";
import { writeBytes } from "./writeBytes.ts";

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
