import type { Term, Variable } from "../logic/term.ts";
import { isTrue } from "../logic/term.ts";
import { postOrder } from "../logic/traverse.ts";
import type { Arrival } from "./instance.ts";
import type { ProgramModel } from "./programModel.ts";

/** A head is in a layer at most so many times. */
const mostParts = 8;
/** Values that are larger get a name, so that what is behind them does not repeat what is before. */
const mostNodes = 60;

/**
 * Runs that come to a head in one layer with other numbers or addresses in some place, such as a counter, are kept apart as
 * long as they are few: behind them, what depends on that place is computed and not asked. Where they are too many, the
 * places with the most values no longer count.
 */
export function partsOf(model: ProgramModel, head: string, ways: readonly Arrival[]): readonly (readonly Arrival[])[] {
  if (ways.length === 1) return [ways];
  const columns = model.heads
    .get(head)!
    .live.map((place) => ways.map(({ state }) => (isKnown(model, state.get(place)!) ? state.get(place)!.id : -1)))
    .filter((column) => new Set(column).size > 1)
    .sort((a, b) => new Set(a).size - new Set(b).size);
  for (;;) {
    const parts = new Map<string, Arrival[]>();
    ways.forEach((way, i) => {
      const key = columns.map((column) => column[i]).join(",");
      parts.set(key, [...(parts.get(key) ?? []), way]);
    });
    if (parts.size <= mostParts) return [...parts.values()];
    columns.pop();
  }
}

/** A number, or an address in an object. */
function isKnown({ symbols }: ProgramModel, value: Term): boolean {
  if (value.kind === "int") return true;
  const base = value.kind === "sum" && value.monomials.length === 1 ? value.monomials[0]!.term : value;
  return base.kind === "variable" && symbols.objectWithBase(base) !== null;
}

/** The state in which runs are that come on one of these ways. */
export function joinArrivals(
  model: ProgramModel,
  head: string,
  ways: readonly Arrival[],
  tell: (formulas: readonly Term[]) => void,
): Arrival {
  const { terms, symbols } = model;
  const taken = terms.any(ways.map((way) => way.guard));
  // A run without inputs is followed by computing alone: what is known stays known.
  const guard = taken.kind === "bool" ? taken : symbols.fresh("reached", "condition");
  const facts: Term[] = taken.kind === "bool" ? [] : [terms.iff(guard, taken)];
  const state = new Map<Variable, Term>();
  for (const place of model.heads.get(head)!.live) {
    const values = ways.map((way) => way.state.get(place)!);
    const [first] = values;
    const isSame = values.every((value) => value === first);
    if (isSame && (isTrue(taken) || postOrder([first!]).length <= mostNodes)) {
      state.set(place, first!);
      continue;
    }
    const name = symbols.version(place);
    state.set(place, name);
    ways.forEach((way, i) => {
      facts.push(terms.implies(way.guard, terms.eq(name, values[i]!)));
    });
  }
  tell(facts);
  return { head, guard, state };
}
