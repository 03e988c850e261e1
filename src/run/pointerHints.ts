import type { Term } from "../logic/term.ts";
import { freeVariables } from "../logic/traverse.ts";
import type { SymbolicObject, Symbols } from "../symbolic/symbols.ts";
import type { Run, RunPoint } from "./run.ts";

/** Where pointers point at a point of a recorded run. They guide an encoding; nothing is assumed from them. */
export type PointerHints = {
  /** Encodes again, with what was looked up in one replay, until the encoding asks for nothing new. */
  until<Result>(encode: (pointsTo: (address: Term) => readonly SymbolicObject[]) => Result): Result;
};

/** Chains of pointers are followed up to this length. */
const roundLimit = 12;

export function pointerHints(symbols: Symbols, run: Run, at: RunPoint): PointerHints {
  const known = new Map<Term, readonly SymbolicObject[]>();
  const lookUp = (asked: readonly Term[]) => {
    for (const [i, object] of run.objectsAt(symbols, at, asked).entries()) {
      known.set(asked[i]!, object === null ? [] : [object]);
    }
  };
  return {
    until(encode) {
      for (let round = 0; ; round++) {
        const asked = new Set<Term>();
        const result = encode((address) => {
          const pointer = pointerIn(symbols, address);
          if (pointer === null) return [];
          const objects = known.get(pointer);
          if (objects === undefined) asked.add(pointer);
          return objects ?? [];
        });
        if (asked.size === 0 || round === roundLimit) return result;
        lookUp([...asked]);
      }
    },
  };
}

/** The part of an address that says which object it points into, over places alone; null if there is none. */
function pointerIn(symbols: Symbols, address: Term): Term | null {
  const parts = address.kind === "sum" ? address.monomials : [{ coefficient: 1n, term: address }];
  const pointers = parts.filter(({ coefficient, term }) => coefficient === 1n && isPointer(symbols, term));
  const pointer = pointers.length === 1 ? pointers[0]!.term : address;
  return freeVariables(pointer).every((variable) => symbols.cellOf(variable) !== null) ? pointer : null;
}

function isPointer(symbols: Symbols, term: Term): boolean {
  if (term.kind === "select") {
    let array = term.array;
    while (array.kind === "store") array = array.array;
    return isPointer(symbols, array);
  }
  if (term.kind !== "variable") return false;
  const cell = symbols.cellOf(term);
  const type = cell?.kind === "register" ? cell.type : cell?.kind === "region" ? cell.region.type : null;
  return type?.kind === "pointer";
}
