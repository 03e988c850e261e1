import type { Term } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { postOrder, substitute } from "../../logic/traverse.ts";

/**
 * A comparison of a cell of an array that is known, said of the index: `t[k] == 7` is `k == 1` where only cell 1 of t is 7. Nobody
 * would recognise the array.
 */
export function chosenCells(terms: Terms, formula: Term): Term {
  const replaced = new Map<Term, Term>();
  for (const atom of postOrder([formula])) {
    const other = ofIndex(terms, atom);
    if (other !== null) replaced.set(atom, other);
  }
  return substitute(terms, formula, replaced);
}

function ofIndex(terms: Terms, atom: Term): Term | null {
  if ((atom.kind !== "eq" && atom.kind !== "le") || atom.sum.kind !== "select") return null;
  const { array, index } = atom.sum;
  const cells = knownCells(array);
  if (cells === null) return null;
  const { kind, bound } = atom;
  const holds = (value: bigint) => (kind === "eq" ? value === bound : value <= bound);
  const at = (wanted: boolean) => [...cells.entries].filter(([, value]) => holds(value) === wanted).map(([i]) => i);
  const among = (indices: readonly bigint[]) => terms.any(indices.map((i) => terms.eq(index, terms.int(i))));
  return holds(cells.otherwise) ? terms.not(among(at(false))) : among(at(true));
}

function knownCells(array: Term): { readonly entries: ReadonlyMap<bigint, bigint>; readonly otherwise: bigint } | null {
  const entries = new Map<bigint, bigint>();
  let rest = array;
  for (; rest.kind === "store"; rest = rest.array) {
    if (rest.index.kind !== "int" || rest.value.kind !== "int") return null;
    if (!entries.has(rest.index.value)) entries.set(rest.index.value, rest.value.value);
  }
  if (rest.kind !== "constantArray" || rest.value.kind !== "int") return null;
  return { entries, otherwise: rest.value.value };
}
