import { present } from "../../../base/checked.ts";
import type { Term, Variable } from "../../../logic/term.ts";
import type { Terms } from "../../../logic/terms.ts";
import { freeVariables, postOrder, substitute } from "../../../logic/traverse.ts";
import { inRound, type Recurrences } from "./closedForm.ts";

export type WrittenCells = {
  readonly place: Variable;
  /** The index of the cell in round t. */
  index(round: Term): Term;
  value(round: Term): Term;
  readonly stride: bigint;
};

/** Reading the cell that the same round writes gives its value before all rounds, because no other round writes it. */
export function ownCellReads(terms: Terms, of: Recurrences, place: Variable, root: Term): Term | null {
  const written = present(of.after.get(place));
  if (written.kind !== "store") return null;
  const own = terms.select(place, written.index);
  const marked = terms.variable(`templates.own:${place.name}`, "Int");
  const replaced = substitute(terms, root, new Map([[own, marked]]));
  const isLeft = postOrder([replaced]).some((part) => part === place);
  return isLeft ? null : replaced;
}

export function writtenCells(of: Recurrences, place: Variable): WrittenCells | null {
  const { terms } = of;
  const after = present(of.after.get(place));
  if (after.kind !== "store" || after.array !== place || freeVariables(after.index).includes(place)) return null;
  const round = terms.variable("templates.round", "Int");
  const [general, zeroth, first] = [round, terms.int(0n), terms.int(1n)].map((t) => inRound(of, after.index, t));
  if (general == null || zeroth == null || first == null) return null;
  const stride = terms.sub(first, zeroth);
  if (stride.kind !== "int" || stride.value === 0n) return null;
  if (terms.add(zeroth, terms.scale(stride.value, round)) !== general) return null;
  const value = ownCellReads(terms, of, place, after.value);
  if (value === null) return null;
  const own = terms.variable(`templates.own:${place.name}`, "Int");
  const valueIn = (t: Term): Term | null => {
    const closed = inRound(of, value, t);
    const before = terms.select(place, terms.add(zeroth, terms.scale(stride.value, t)));
    return closed === null ? null : substitute(terms, closed, new Map([[own, before]]));
  };
  if (valueIn(terms.int(0n)) === null) return null;
  return {
    place,
    stride: stride.value,
    index: (t) => terms.add(zeroth, terms.scale(stride.value, t)),
    value: (t) => valueIn(t)!,
  };
}

/** The array after κ rounds, as a formula about every cell. */
export function cellsAfter(terms: Terms, cells: WrittenCells, before: Term, after: Variable, kappa: Term): Term {
  const j = terms.variable("templates.cell", "Int");
  const distance = terms.sub(j, cells.index(terms.int(0n)));
  const forward = cells.stride > 0n ? distance : terms.neg(distance);
  const stride = terms.int(cells.stride < 0n ? -cells.stride : cells.stride);
  const isStep = terms.eq(terms.mod(forward, stride), terms.int(0n));
  const round = terms.div(forward, stride);
  const isWritten = terms.all([terms.ge(forward, terms.int(0n)), terms.lt(round, kappa), isStep]);
  const value = terms.ite(isWritten, cells.value(round), terms.select(before, j));
  return terms.forall([j], terms.eq(terms.select(after, j), value));
}

/** The same for a constant number of rounds: a chain of writes. */
export function cellsWritten(terms: Terms, cells: WrittenCells, before: Term, rounds: bigint): Term {
  let array = before;
  for (let t = 0n; t < rounds; t++) array = terms.store(array, cells.index(terms.int(t)), cells.value(terms.int(t)));
  return array;
}
