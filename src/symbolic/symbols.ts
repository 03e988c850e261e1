import { nth } from "../base/checked.ts";
import { Defect } from "../base/errors.ts";
import { remembered } from "../base/memo.ts";
import type { FunctionId, LocationId, Program, VariableId } from "../ir/program.ts";
import { isScalar, type ScalarType, sizeOf, type Type } from "../ir/type.ts";
import { type Range, unboundedRange } from "../logic/range.ts";
import type { Sort, Term, Variable } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { localLifeOf } from "./memory/localLife.ts";
import { type MemoryRegion, rangeOfCell, rangeOfType, regionsOf, regionsOfBlock } from "./memory/region.ts";

/**
 * One activation of a function: the ones of the recorded run are numbered as they were entered, and a call that only a
 * loop body's encoding goes through gets a number of its own. Static variables belong to `staticFrame`.
 */
export type FrameId = number;
export const staticFrame: FrameId = -1;

/** A memory object as the logic knows it. */
export type SymbolicObject = {
  readonly id: number;
  readonly name: string;
  /**
   * The place of its first address, an unknown number; different objects are far apart. A local variable whose scope is
   * entered again becomes another object under the same name: then a state gives this place another value
   * (`Symbols.rebirth`).
   */
  readonly base: Variable;
  readonly size: number | null;
  /**
   * null where the object's bytes have no one reading: what is read from it is unknown. A heap block has none until its
   * first access says what it is an array of (`typeBlock`).
   */
  regions: readonly MemoryRegion[] | null;
  readonly origin: ObjectOrigin;
};

export type ObjectOrigin =
  | { readonly kind: "variable"; readonly frame: FrameId; readonly variable: VariableId }
  /** The object with that number in the recorded run's memory; blocks that no recorded run has are negative. */
  | { readonly kind: "heap"; readonly number: number }
  | { readonly kind: "function"; readonly function: FunctionId };

/** The meaning of a logic variable at a point of the run. */
export type Cell =
  | { readonly kind: "register"; readonly frame: FrameId; readonly variable: VariableId; readonly type: ScalarType }
  | { readonly kind: "region"; readonly object: SymbolicObject; readonly region: MemoryRegion }
  | { readonly kind: "address"; readonly object: SymbolicObject }
  /** How many bytes a block has; a place, because it is a value of the program's. */
  | { readonly kind: "size"; readonly object: SymbolicObject }
  /** How often a loop has gone round since it was folded: no place of the program, but a number that a run has. */
  | { readonly kind: "rounds"; readonly frame: FrameId; readonly function: FunctionId; readonly header: LocationId }
  /** The input with this number, from 1: the same wherever it is asked for. */
  | { readonly kind: "input"; readonly number: number };

export type LoopHead = {
  readonly frame: FrameId;
  readonly function: { readonly id: FunctionId };
  readonly location: LocationId;
};

/**
 * Names every place that a run can read or write, once and for the whole analysis: the same place is the same logic
 * variable wherever it is asked for, so facts found at different points can be put together.
 */
export type Symbols = {
  readonly program: Program;
  readonly terms: Terms;
  /** The same names for an encoding of its own, which decides anew what blocks look like. */
  again(): Symbols;
  register(frame: FrameId, variable: VariableId): Variable;
  variableObject(frame: FrameId, variable: VariableId): SymbolicObject;
  /** `use`: how often the number was given to a block before this one. */
  heapObject(number: number, size: number | null, use?: number): SymbolicObject;
  /** A heap block is used as an array of `element`: the first use decides. */
  typeBlock(object: SymbolicObject, element: Type): void;
  /** The same for a block that is laid out as another one is. */
  shapeBlock(object: SymbolicObject, regions: readonly MemoryRegion[]): void;
  functionObject(id: FunctionId): SymbolicObject;
  region(object: SymbolicObject, region: MemoryRegion): Variable;
  /** The object whose base address this variable is, in this or an earlier life. */
  objectWithBase(variable: Variable): SymbolicObject | null;
  /** True for the base address of an object, even of one that was not asked for yet. */
  isBase(variable: Variable): boolean;
  /** The address of the object that a local variable is from now on. */
  rebirth(object: SymbolicObject, tag: number): Variable;
  /** A pointer made from a number that was computed from an object's address: it may point there, or elsewhere. */
  pointerNear(object: SymbolicObject): Variable;
  objectNear(variable: Variable): SymbolicObject | null;
  /** The value that an unknown write with this tag left in a place: the same wherever it is asked for. */
  leftover(place: Variable, tag: number): Variable;
  /** The place that holds such an unknown, or null. */
  placeOfLeftover(variable: Variable): Variable | null;
  /** The place of a block's size. */
  blockSize(object: SymbolicObject): Variable;
  /** The count of the rounds of the loop with this head. */
  rounds(head: LoopHead): Variable;
  /** The value of an input that may be another one on other runs; numbered from 1. */
  input(number: number, type: ScalarType): Variable;
  cellOf(variable: Variable): Cell | null;
  /** Can a write through an address that is not known change the object? */
  isReachable(object: SymbolicObject): boolean;
  /** The activation that a call edge leads to inside an encoded loop body. */
  inlinedFrame(caller: FrameId, callEdge: number, callee: FunctionId): FrameId;
  /** The same for the same activation in every analysis of the program: `3`, or `3/12.5` for calls from it. */
  frameLabel(frame: FrameId): string;
  /** An unknown of the type's range. */
  fresh(prefix: string, type: ScalarType | "array" | "condition"): Variable;
  /** A value that the logic does not compute; see `isApproximated`. */
  approximated(type: ScalarType | "condition"): Variable;
  isApproximated(variable: Variable): boolean;
  /** A new value of a place: an unknown with the place's sort and range. */
  version(place: Variable): Variable;
  /** A number that was not given before, for naming unknowns apart. */
  tag(): number;
  /** Are floats computed with where they are not known? Solvers are slow at it. */
  readonly computesFloats: boolean;
  /** Does a value of the type have no bounds? */
  holdsAll(type: ScalarType): boolean;
  range(variable: Variable): Range;
  /** Facts that hold of a variable wherever it occurs: its type's range, an address's distance from zero. */
  axiom(variable: Variable): Term;
};

/** Objects are this far apart, so that an address determines its object. */
export const objectDistance = 1n << 32n;
/** No object is beyond this address, so that addresses fit every 64-bit integer type. */
const lastAddress = 1n << 62n;
/** The names of base addresses begin with it, and no other names: a proof mentions places by name. */
const baseMark = "&";
/** Smaller integers are converted before they are computed with, so that no result is one of theirs. */
const leastUnbounded = 32;

export type SymbolsOptions = {
  readonly computesFloats?: boolean;
  /** Signed types of the size of `int` and larger hold every integer. */
  readonly unbounded?: boolean;
};

export function createSymbols(program: Program, terms: Terms, options: SymbolsOptions = {}): Symbols {
  const { computesFloats = false, unbounded = false } = options;
  const holdsAll = (type: ScalarType) => unbounded && type.kind === "int" && type.signed && type.bits >= leastUnbounded;
  const rangeOf = (type: ScalarType): Range => (holdsAll(type) ? unboundedRange : rangeOfType(type));
  const cells = new Map<Variable, Cell>();
  const ranges = new Map<Variable, Range>();
  const leftovers = new Map<Variable, Variable>();
  const objects = new Map<string, SymbolicObject>();
  const bases = new Map<Variable, SymbolicObject>();
  const inlined = new Map<string, FrameId>();
  const labels = new Map<FrameId, string>();
  const axioms = new Map<Variable, Term>();
  const near = new Map<Variable, SymbolicObject>();
  const approximated = new Set<Variable>();
  // Far above any frame of a recorded run.
  let nextInlined: FrameId = 1 << 30;
  let tags = 0;

  const sortOf = (region: MemoryRegion): Sort => (region.count === 1 ? "Int" : "Array");

  const frameLabel = (frame: FrameId): string => labels.get(frame) ?? `${frame}`;
  /** Readable and unique: statics by name and id, others with their activation. Printing drops what is not needed. */
  const placeName = (name: string, id: VariableId, frame: FrameId): string =>
    frame === staticFrame ? `${name}#${id}` : `${name}#${id}@${frameLabel(frame)}`;

  function named(name: string, sort: Sort, cell: Cell, range: Range): Variable {
    const variable = terms.variable(name, sort);
    if (!cells.has(variable)) {
      cells.set(variable, cell);
      ranges.set(variable, range);
    }
    return variable;
  }

  function makeObject(
    key: string,
    name: string,
    regions: readonly MemoryRegion[] | null,
    size: number | null,
    origin: ObjectOrigin,
  ) {
    const known = objects.get(key);
    if (known !== undefined) return known;
    const base = terms.variable(`${baseMark}${key}`, "Int");
    const object: SymbolicObject = { id: objects.size, name, base, size, regions, origin };
    objects.set(key, object);
    bases.set(base, object);
    cells.set(base, { kind: "address", object });
    ranges.set(base, { min: objectDistance, max: lastAddress });
    return object;
  }

  function fresh(prefix: string, type: ScalarType | "array" | "condition"): Variable {
    if (type === "array") return terms.fresh(prefix, "Array");
    if (type === "condition") return terms.fresh(prefix, "Bool");
    const variable = terms.fresh(prefix, "Int");
    ranges.set(variable, rangeOf(type));
    return variable;
  }

  return {
    program,
    terms,
    again: () => createSymbols(program, terms, options),
    register(frame, id) {
      const variable = nth(program.variables, id);
      const type = variable.type;
      if (variable.storage !== "register" || !isScalar(type)) throw new Defect(`${variable.name} is not a register`);
      const owner = variable.kind === "static" ? staticFrame : frame;
      return named(
        placeName(variable.name, id, owner),
        "Int",
        { kind: "register", frame: owner, variable: id, type },
        rangeOf(type),
      );
    },
    variableObject(frame, id) {
      const variable = nth(program.variables, id);
      const owner = variable.kind === "static" ? staticFrame : frame;
      const size = sizeOf(variable.type, program.pointerBytes);
      const regions = regionsOf(variable.type, program.pointerBytes);
      const origin = { kind: "variable", frame: owner, variable: id } as const;
      return makeObject(placeName(variable.name, id, owner), variable.name, regions, size, origin);
    },
    heapObject(number, size, use = 0) {
      const name = `heap${number}`;
      return makeObject(use === 0 ? name : `${name}.${use}`, name, null, size, { kind: "heap", number });
    },
    typeBlock(object, element) {
      if (object.origin.kind === "heap") object.regions ??= regionsOfBlock(element, program.pointerBytes);
    },
    shapeBlock(object, regions) {
      if (object.origin.kind === "heap") object.regions ??= regions;
    },
    functionObject(id) {
      const fn = nth(program.functions, id);
      return makeObject(`${fn.name}()`, fn.name, null, null, { kind: "function", function: id });
    },
    region(object, region) {
      const isBounded = sortOf(region) === "Int" && (region.bitField !== undefined || !holdsAll(region.type));
      const range = isBounded ? rangeOfCell(region) : unboundedRange;
      const owner = object.base.name.slice(1);
      return named(`${owner}${region.path}`, sortOf(region), { kind: "region", object, region }, range);
    },
    blockSize(object) {
      const name = `bytes(${object.base.name.slice(1)})`;
      return named(name, "Int", { kind: "size", object }, { min: 0n, max: lastAddress });
    },
    rounds({ frame, function: { id }, location }) {
      const cell = { kind: "rounds", frame, function: id, header: location } as const;
      return named(`rounds#${location}@${frameLabel(frame)}`, "Int", cell, { min: 0n, max: null });
    },
    input: (number, type) => named(`input(${number})`, "Int", { kind: "input", number }, rangeOf(type)),
    objectWithBase: (variable) => bases.get(variable) ?? null,
    isBase: ({ name }) => name.startsWith(baseMark),
    rebirth(object, tag) {
      const base = terms.tagged(object.base, tag);
      bases.set(base, object);
      ranges.set(base, { min: objectDistance, max: lastAddress });
      return base;
    },
    pointerNear(object) {
      const variable = terms.fresh("address", "Int");
      ranges.set(variable, rangeOfType({ kind: "pointer", to: { kind: "void" } }));
      near.set(variable, object);
      return variable;
    },
    objectNear: (variable) => near.get(variable) ?? null,
    leftover(place, tag) {
      const variable = terms.tagged(place, tag);
      leftovers.set(variable, place);
      ranges.set(variable, ranges.get(place) ?? unboundedRange);
      return variable;
    },
    placeOfLeftover: (variable) => leftovers.get(variable) ?? null,
    cellOf: (variable) => cells.get(variable) ?? null,
    isReachable({ origin }) {
      if (origin.kind !== "variable") return true;
      const variable = nth(program.variables, origin.variable);
      // Writing to a literal would have ended the run.
      if (variable.literal !== undefined) return false;
      if (variable.kind === "static" || variable.function === null) return true;
      return localLifeOf(program, nth(program.functions, variable.function)).escaping.has(variable.id);
    },
    inlinedFrame(caller, callEdge, callee) {
      const key = `${caller}/${callEdge}/${callee}`;
      let frame = inlined.get(key);
      if (frame === undefined) {
        frame = nextInlined++;
        inlined.set(key, frame);
        labels.set(frame, `${frameLabel(caller)}/${callEdge}.${callee}`);
      }
      return frame;
    },
    frameLabel,
    fresh,
    approximated(type) {
      const variable = fresh("unknown", type);
      approximated.add(variable);
      return variable;
    },
    isApproximated: (variable) => approximated.has(variable),
    version(place) {
      const variable = terms.fresh(place.name, place.sort);
      ranges.set(variable, ranges.get(place) ?? unboundedRange);
      return variable;
    },
    tag: () => ++tags,
    computesFloats,
    holdsAll,
    range: (variable) => ranges.get(variable) ?? unboundedRange,
    axiom(variable) {
      return remembered(axioms, variable, () => {
        const { min, max } = ranges.get(variable) ?? unboundedRange;
        return terms.and(
          min === null ? terms.bool(true) : terms.ge(variable, terms.int(min)),
          max === null ? terms.bool(true) : terms.le(variable, terms.int(max)),
        );
      });
    },
  };
}
