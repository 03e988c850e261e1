import type { Term } from "../logic/term.ts";
import type { RecordedPlace } from "./recordedCall.ts";
import { objectInAddress, type Scope } from "./scope.ts";
import { type SymbolicObject, staticFrame } from "./symbols.ts";

/** The object of a recorded place, among those that a call was given the address of. */
export function argumentObject(
  scope: Scope,
  args: readonly Term[],
  written: RecordedPlace["object"],
): SymbolicObject | null {
  for (const address of args) {
    const object = objectInAddress(scope.symbols, address);
    if (object === null) continue;
    const { origin } = object;
    const same =
      origin.kind === "heap"
        ? written.kind === "block" && origin.number === written.number
        : origin.kind === "variable" &&
          written.kind === (origin.frame === staticFrame ? "static" : "local") &&
          origin.variable === written.variable;
    if (same) return object;
  }
  return null;
}
