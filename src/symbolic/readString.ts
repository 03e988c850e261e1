import type { Term } from "../logic/term.ts";
import { loadMemory } from "./accessMemory.ts";
import { unsignedType } from "./region.ts";
import { objectInAddress, type Scope } from "./scope.ts";

/** Longer strings are not looked at. */
const lengthLimit = 1024;

/** The bytes of a string before its terminating zero; null where one of them is not known. */
export function readString(scope: Scope, address: Term): readonly number[] | null {
  const { symbols } = scope;
  const { terms } = symbols;
  const object = objectInAddress(symbols, address);
  if (object === null || object.regions === null) return null;
  let known = true;
  const quiet: Scope = {
    ...scope,
    guard: () => {},
    require: () => {},
    learn: () => {},
    note: () => {},
    approximate: (_, type) => {
      known = false;
      return symbols.fresh("unknown", type);
    },
  };
  const type = unsignedType(8);
  const bytes: number[] = [];
  while (bytes.length < lengthLimit) {
    const at = terms.add(address, terms.int(bytes.length));
    const byte = loadMemory(quiet, at, {
      type,
      address: { kind: "constant", type: { kind: "pointer", to: type }, value: 0n },
    });
    if (!known || byte.kind !== "int") return null;
    if (byte.value === 0n) return bytes;
    bytes.push(Number(byte.value));
  }
  return null;
}
