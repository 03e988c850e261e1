import type { VariableId } from "../ir/ids.ts";
import type { Term, Variable } from "../logic/term.ts";
import type { Region } from "./region.ts";
import type { FrameId, SymbolicObject, Symbols } from "./symbols.ts";

/**
 * The latest version of every place, as terms over the places' values at some earlier point (the origin). What is not
 * in `values` has not been written since the origin, so its value is the place's own variable.
 */
export type SymbolicState = {
  readonly values: ReadonlyMap<Variable, Term>;
  /**
   * Conditions under which a store through an unresolved address may have written any memory, each with the number
   * that makes the unknowns it leaves behind different from those of other such stores.
   */
  readonly clobbers: readonly Clobber[];
  /** Nobody else holds this state, so that writing may change it in place: for long runs of single steps. */
  readonly owned?: true;
};

export type Clobber = { readonly condition: Term; readonly tag: number };

export const originState: SymbolicState = { values: new Map(), clobbers: [] };

export function readRegister(symbols: Symbols, state: SymbolicState, frame: FrameId, variable: VariableId): Term {
  const place = symbols.register(frame, variable);
  return state.values.get(place) ?? place;
}

/** The whole region: an integer for a single scalar, an array otherwise. */
export function readRegion(symbols: Symbols, state: SymbolicState, object: SymbolicObject, region: Region): Term {
  const place = symbols.region(object, region);
  const known = state.values.get(place);
  if (known !== undefined) return known;
  return state.clobbers.reduce((value, clobber) => clobbered(symbols, clobber, place, value), place as Term);
}

/** A state of one's own, to be written in place. */
export function ownedState(state: SymbolicState): SymbolicState {
  return { values: new Map(state.values), clobbers: state.clobbers, owned: true };
}

export function write(state: SymbolicState, place: Variable, value: Term): SymbolicState {
  return writeAll(state, [[place, value]]);
}

export function writeAll(state: SymbolicState, writes: Iterable<readonly [Variable, Term]>): SymbolicState {
  const values = state.owned ? (state.values as Map<Variable, Term>) : new Map(state.values);
  for (const [place, value] of writes) values.set(place, value);
  return state.owned ? state : { ...state, values };
}

/** All memory becomes unknown where `condition` holds. */
export function clobberMemory(symbols: Symbols, state: SymbolicState, clobber: Clobber): SymbolicState {
  const values = new Map(state.values);
  for (const [place, value] of values) {
    if (symbols.cellOf(place)?.kind === "region") values.set(place, clobbered(symbols, clobber, place, value));
  }
  return { ...state, values, clobbers: [...state.clobbers, clobber] };
}

/** Named by place and tag, so that a place read twice after one unknown store has one unknown value. */
function clobbered(symbols: Symbols, clobber: Clobber, place: Variable, value: Term): Term {
  const unknown = symbols.terms.variable(`${place.name}~${clobber.tag}`, place.sort);
  return symbols.terms.ite(clobber.condition, unknown, value);
}

/** Unknowns that encodings introduce are no places; a name that nobody has asked about yet may be one, of memory. */
function isUnknown(variable: Variable): boolean {
  return /[!~]/.test(variable.name);
}

/** The value of a place in a state, whatever it is. */
export function valueOf(symbols: Symbols, state: SymbolicState, place: Variable): Term {
  const cell = symbols.cellOf(place);
  const known = state.values.get(place);
  const isMemory = cell === null ? !isUnknown(place) : cell.kind === "region";
  if (known !== undefined || !isMemory) return known ?? place;
  return state.clobbers.reduce((value, clobber) => clobbered(symbols, clobber, place, value), place as Term);
}

/** The state after a join: the values of the way whose guard holds. The guards exclude each other. */
export function mergeStates(
  symbols: Symbols,
  ways: readonly { readonly guard: Term; readonly state: SymbolicState }[],
): SymbolicState {
  const [first, ...others] = ways;
  if (first === undefined) return originState;
  if (others.length === 0) return first.state;
  const places = new Set<Variable>();
  for (const way of ways) for (const place of way.state.values.keys()) places.add(place);
  const values = new Map<Variable, Term>();
  for (const place of places) {
    let merged = valueOf(symbols, first.state, place);
    for (const way of others) {
      const value = valueOf(symbols, way.state, place);
      if (value !== merged) merged = symbols.terms.ite(way.guard, value, merged);
    }
    values.set(place, merged);
  }
  return { values, clobbers: mergeClobbers(symbols, ways) };
}

function mergeClobbers(
  symbols: Symbols,
  ways: readonly { readonly guard: Term; readonly state: SymbolicState }[],
): readonly Clobber[] {
  const tags = new Map<number, Term[]>();
  for (const { guard, state } of ways) {
    for (const { condition, tag } of state.clobbers) {
      const known = tags.get(tag) ?? [];
      known.push(symbols.terms.and(guard, condition));
      tags.set(tag, known);
    }
  }
  return [...tags].map(([tag, conditions]) => ({ tag, condition: symbols.terms.any(conditions) }));
}
