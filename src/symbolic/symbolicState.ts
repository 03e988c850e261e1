import { nth } from "../base/checked.ts";
import type { VariableId } from "../ir/program.ts";
import { isTrue, type Term, type Variable } from "../logic/term.ts";
import { freeVariablesOf, substitute } from "../logic/traverse.ts";
import { type VariableMap, variableMap } from "../logic/variableMap.ts";
import { type MemoryRegion, regionSize } from "./memory/region.ts";
import { type FrameId, type SymbolicObject, type Symbols, staticFrame } from "./symbols.ts";

/**
 * The latest version of every place, as terms over the places' values at some earlier point (the origin). What is not
 * in `values` has not been written since the origin, so its value is the place's own variable, unless a clobber says
 * otherwise. A state never changes: what goes on from it in two ways are two states that share what they have in common.
 */
export type SymbolicState = {
  readonly values: VariableMap<Term>;
  /** In the order of their tags, which is the order of the run. */
  readonly clobbers: readonly Clobber[];
};

/**
 * A write to memory whose places are not listed: where `condition` holds, every region of `object` (absent: of every
 * object that an address which is not known can point into) became unknown, or zero. The tag makes the unknowns that it
 * leaves behind different from those of other such writes.
 */
export type Clobber = {
  readonly condition: Term;
  readonly tag: number;
  readonly object?: SymbolicObject;
  readonly zero?: true;
};

export const originState: SymbolicState = { values: variableMap(), clobbers: [] };

export function readRegister(symbols: Symbols, state: SymbolicState, frame: FrameId, variable: VariableId): Term {
  const place = symbols.register(frame, variable);
  return state.values.get(place) ?? place;
}

/** The whole region: an integer for a single scalar, an array otherwise. */
export function readRegion(symbols: Symbols, state: SymbolicState, object: SymbolicObject, region: MemoryRegion): Term {
  const place = symbols.region(object, region);
  const known = state.values.get(place);
  if (known !== undefined) return known;
  return state.clobbers.reduce((value, clobber) => clobbered(symbols, clobber, object, region, value), place as Term);
}

/** The address of the object that a variable is now. */
export function readAddress(state: SymbolicState, object: SymbolicObject): Term {
  return state.values.get(object.base) ?? object.base;
}

export function write(state: SymbolicState, place: Variable, value: Term): SymbolicState {
  return { ...state, values: state.values.set(place, value) };
}

export function writeAll(state: SymbolicState, writes: readonly (readonly [Variable, Term])[]): SymbolicState {
  let { values } = state;
  for (const [place, value] of writes) values = values.set(place, value);
  return { ...state, values };
}

/** Places that nothing will read again. */
export function forget(state: SymbolicState, places: Iterable<Variable>): SymbolicState {
  let { values } = state;
  for (const place of places) values = values.delete(place);
  return { ...state, values };
}

export function clobberMemory(symbols: Symbols, state: SymbolicState, clobber: Clobber): SymbolicState {
  const { object } = clobber;
  if (object !== undefined && object.regions !== null) {
    const writes = object.regions.map((region) => {
      const old = readRegion(symbols, state, object, region);
      return [symbols.region(object, region), clobbered(symbols, clobber, object, region, old)] as const;
    });
    return writeAll(state, writes);
  }
  let { values } = state;
  const everything = isTrue(clobber.condition);
  for (const [place, value] of state.values) {
    const cell = symbols.cellOf(place);
    if (cell?.kind !== "region" || !reaches(symbols, clobber, cell.object)) continue;
    // Nothing of the old value is left: what the clobbers say is the value.
    if (everything) values = values.delete(place);
    else values = values.set(place, clobbered(symbols, clobber, cell.object, cell.region, value));
  }
  // A clobber of all memory hides those before it, except from objects that it does not reach.
  const before =
    everything && object === undefined
      ? state.clobbers.filter((other) => other.object !== undefined && !symbols.isReachable(other.object))
      : state.clobbers;
  return { ...state, values, clobbers: [...before, clobber] };
}

function reaches(symbols: Symbols, clobber: Clobber, object: SymbolicObject): boolean {
  return clobber.object === undefined ? symbols.isReachable(object) : clobber.object === object;
}

/** Named by place and tag, so that a place read twice after one unknown write has one unknown value. */
function clobbered(
  symbols: Symbols,
  clobber: Clobber,
  object: SymbolicObject,
  region: MemoryRegion,
  value: Term,
): Term {
  if (!reaches(symbols, clobber, object)) return value;
  const left = clobber.zero ? zeroOf(symbols, region) : symbols.leftover(symbols.region(object, region), clobber.tag);
  return symbols.terms.ite(clobber.condition, left, value);
}

/** The value of zeroed bytes in a region. */
export function zeroOf(symbols: Symbols, region: MemoryRegion): Term {
  const zero = symbols.terms.int(0n);
  return region.count === 1 ? zero : symbols.terms.constantArray(zero);
}

/** The value of a place in a state, whatever it is. */
export function valueOf(symbols: Symbols, state: SymbolicState, place: Variable): Term {
  const cell = symbols.cellOf(place);
  if (cell?.kind === "region") return readRegion(symbols, state, cell.object, cell.region);
  const known = state.values.get(place);
  // A name that nobody has asked about yet may be a place, of memory.
  if (known !== undefined || cell !== null || place.madeUp) return known ?? place;
  return state.clobbers.reduce((value, clobber) => clobberedByName(symbols, clobber, place, value), place as Term);
}

function clobberedByName(symbols: Symbols, { condition, tag, object }: Clobber, place: Variable, value: Term): Term {
  if (object !== undefined && !place.name.startsWith(object.base.name.slice(1))) return value;
  return symbols.terms.ite(condition, symbols.leftover(place, tag), value);
}

/** The state after a join: the values of the way whose guard holds. */
export function mergeStates(
  symbols: Symbols,
  ways: readonly { readonly guard: Term; readonly state: SymbolicState }[],
): SymbolicState {
  const [first, ...others] = ways;
  if (first === undefined) return originState;
  if (others.length === 0) return first.state;
  const places = new Set<Variable>();
  for (const way of ways) for (const place of way.state.values.keys()) places.add(place);
  // Values that all paths share stay as they are.
  let { values } = first.state;
  for (const place of places) {
    let merged = valueOf(symbols, first.state, place);
    for (const way of others) {
      const value = valueOf(symbols, way.state, place);
      if (value !== merged) merged = symbols.terms.ite(way.guard, value, merged);
    }
    values = values.set(place, merged);
  }
  return { values, clobbers: mergeClobbers(symbols, ways) };
}

/** A clobber of one way happened where that way was taken; every way passes its own in the order of their tags. */
function mergeClobbers(
  symbols: Symbols,
  ways: readonly { readonly guard: Term; readonly state: SymbolicState }[],
): readonly Clobber[] {
  const merged = new Map<number, { clobber: Clobber; conditions: Term[]; shared: number }>();
  for (const { guard, state } of ways) {
    for (const clobber of state.clobbers) {
      const known = merged.get(clobber.tag) ?? { clobber, conditions: [], shared: 0 };
      known.conditions.push(symbols.terms.and(guard, clobber.condition));
      // One that all ways have in common happened before they parted.
      if (clobber.condition === known.clobber.condition) known.shared++;
      merged.set(clobber.tag, known);
    }
  }
  return [...merged.values()]
    .sort((a, b) => a.clobber.tag - b.clobber.tag)
    .map(({ clobber, conditions, shared }) =>
      shared === ways.length ? clobber : { ...clobber, condition: symbols.terms.any(conditions) },
    );
}

/** The state in which a program starts: everything static is zero, string literals hold their characters. */
export function startOfProgram(symbols: Symbols): SymbolicState {
  const { terms, program } = symbols;
  const writes: [Variable, Term][] = [];
  for (const variable of program.variables) {
    if (variable.kind !== "static") continue;
    if (variable.storage === "register") {
      const zero = terms.int(0n);
      writes.push([symbols.register(staticFrame, variable.id), zero]);
      continue;
    }
    const object = symbols.variableObject(staticFrame, variable.id);
    for (const region of object.regions ?? []) {
      const zero = zeroOf(symbols, region);
      const content = variable.literal === undefined ? zero : literalContent(symbols, region, variable.literal, zero);
      writes.push([symbols.region(object, region), content]);
    }
  }
  return writeAll(originState, writes);
}

/** The characters of a literal, whatever their width. */
function literalContent(symbols: Symbols, region: MemoryRegion, bytes: Uint8Array, zero: Term): Term {
  const { terms, program } = symbols;
  if (region.type.kind !== "int") return zero;
  const { bits, signed } = region.type;
  const size = regionSize(region, program.pointerBytes);
  let content = zero;
  for (let i = 0; (i + 1) * size <= bytes.length; i++) {
    let character = 0n;
    for (let k = size - 1; k >= 0; k--) character = (character << 8n) | BigInt(nth(bytes, i * size + k));
    if (character === 0n) continue;
    const value = terms.int(signed ? BigInt.asIntN(bits, character) : character);
    if (region.count === 1) return value;
    content = terms.store(content, terms.int(i), value);
  }
  return content;
}

/** A formula over places, as a formula about the values that a state gives them: over the state's origin. */
export function inState(symbols: Symbols, state: SymbolicState, formula: Term): Term {
  const replacements = new Map<Variable, Term>();
  for (const place of freeVariablesOf([formula])) {
    const value = valueOf(symbols, state, place);
    if (value !== place) replacements.set(place, value);
  }
  return replacements.size === 0 ? formula : substitute(symbols.terms, formula, replacements);
}
