import type { Term } from "../logic/term.ts";
import { errnoObject } from "./errnoObject.ts";
import type { RecordedPlace } from "./recordedCall.ts";
import { objectInAddress, type TranslationScope } from "./scope.ts";
import { type SymbolicObject, staticFrame } from "./symbols.ts";

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
