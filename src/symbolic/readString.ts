import type { Term } from "../logic/term.ts";
import { loadMemory } from "./accessMemory.ts";
import { unsignedType } from "./region.ts";
import { objectInAddress, type TranslationScope } from "./scope.ts";

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

/** So many bytes at an address; null where one of them is not known. */
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
      return symbols.fresh("unknown", type);
    },
  };
  const type = unsignedType(8);
  const access = { type, address: { kind: "constant", type: { kind: "pointer", to: type }, value: 0n } } as const;
  return (i) => {
    const byte = loadMemory(quiet, symbols.terms.add(address, symbols.terms.int(i)), access);
    return known && byte.kind === "int" ? Number(byte.value) : null;
  };
}
