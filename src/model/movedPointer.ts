import type { Operation } from "../ir/operation.ts";
import { completeSize, type Type } from "../ir/type.ts";
import type { Term, Variable } from "../logic/term.ts";
import { objectInAddress } from "../symbolic/scope.ts";
import { readAddress, type SymbolicState } from "../symbolic/symbolicState.ts";
import type { SymbolicObject, Symbols } from "../symbolic/symbols.ts";

/** A pointer that a statement moved inside of an array: its distance from the start is a value like any other. */
export type MovedPointer = {
  /** `p - a`, as a place. */
  readonly distance: Variable;
  /** In elements. */
  readonly elements: Term;
  /** The pointer with another distance. */
  at(elements: Term): Term;
};

/**
 * Only where pointer arithmetic is what is assigned: which object a pointer points into is settled by the run, and most
 * pointers just point to their object's start.
 */
export function movedPointer(
  symbols: Symbols,
  state: SymbolicState,
  operation: Operation,
  place: Variable,
  value: Term,
): MovedPointer | null {
  const { terms, program } = symbols;
  if ((operation.kind !== "assign" && operation.kind !== "store") || operation.value.kind !== "offset") return null;
  const object = objectInAddress(symbols, value);
  const cell = symbols.cellOf(place);
  const type = cell?.kind === "register" ? cell.type : cell?.kind === "region" ? cell.region.type : null;
  if (object === null || place.sort !== "Int" || type?.kind !== "pointer" || isSizeless(type.to)) return null;
  const base = readAddress(state, object);
  const size = terms.int(completeSize(type.to, program.pointerBytes));
  const offset = terms.sub(value, base);
  const rest = terms.mod(offset, size);
  if (rest.kind !== "int" || rest.value !== 0n) return null;
  const name = cell?.kind === "register" ? program.variables[cell.variable]!.name : place.name;
  const distance = terms.variable(`${name} - ${object.name}#${place.name}`, "Int");
  distances.set(distance, { place, object });
  return {
    distance,
    elements: terms.div(offset, size),
    at: (elements) => terms.add(base, terms.mul(size, elements)),
  };
}

const distances = new WeakMap<Variable, Distance>();

/** How far a pointer is from the start of its object, in elements. */
export type Distance = { readonly place: Variable; readonly object: SymbolicObject };

/** The distance that a variable of a trace formula is; null for any other variable. */
export function distanceOf(variable: Variable): Distance | null {
  return distances.get(variable) ?? null;
}

function isSizeless({ kind }: Type): boolean {
  return kind === "void" || kind === "function";
}
