import { present } from "../../base/checked.ts";
import type { Expression } from "../../ir/expression.ts";
import { type BitField, completeSize, type ScalarType, type Type } from "../../ir/type.ts";
import { euclideanMod, gcd } from "../../logic/linear.ts";
import { rangeOf } from "../../logic/range.ts";
import { isFalse, isTrue, type Term } from "../../logic/term.ts";
import { objectInAddress, type TranslationScope } from "../stepEnvironment.ts";
import { readAddress } from "../symbolicState.ts";
import type { SymbolicObject } from "../symbols.ts";
import { type MemoryRegion, regionSize } from "./region.ts";

/** A scalar in memory, as an access sees it: its type, and the address as the program wrote it. */
export type Access = { readonly type: ScalarType; readonly address: Expression; readonly bitField?: BitField };

/**
 * One way in which an access may hit a region: where `condition` holds, it is the element `index`; or, with `part`, the
 * bytes from there on inside of that element; or, with `several`, so many elements from there on.
 */
export type Hit = {
  readonly object: SymbolicObject;
  readonly region: MemoryRegion;
  readonly index: Term;
  readonly condition: Term;
  readonly part: number;
  readonly several: number;
  /** The place inside of the element is the same whatever the variables are: the condition only bounds the index. */
  readonly placed: boolean;
};

/** The target of an address, if `guard` holds. */
export type Resolution = {
  readonly guard: Term;
  /** They exclude each other. */
  readonly hits: readonly Hit[];
  /**
   * What else it may be: nothing (then `hits` cover every access that does not end the run, and `inBounds` holds), some
   * bytes of an object, or anything.
   */
  readonly rest: "nothing" | "anything" | SymbolicObject;
  readonly inBounds: Term;
  /** Nothing is there: no run goes on behind the access. */
  readonly isNull?: true;
};

/** An address that depends on more conditions than this is not followed. */
const caseLimit = 8;
/** Nothing is at these addresses. */
const nullPage = 4096n;
/** Places inside of an element that are looked at one by one. */
const remainderLimit = 64;

/** The targets of an access: one resolution for each case that the address distinguishes. */
export function resolveAddress(scope: TranslationScope, address: Term, access: Access): readonly Resolution[] {
  return splitCases(scope, address).map((target) => ({
    guard: target.guard,
    ...resolveOne(scope, target.address, access),
  }));
}

/** An address that is one thing or another, case by case. */
export function splitCases(
  scope: TranslationScope,
  address: Term,
): readonly { readonly guard: Term; readonly address: Term }[] {
  const { terms } = scope.symbols;
  const done: { guard: Term; address: Term }[] = [];
  const open = [{ guard: terms.bool(true), address }];
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    const choice = done.length + open.length < caseLimit ? choiceIn(scope, current.address) : null;
    if (choice === null) {
      done.push(current);
      continue;
    }
    const rest = terms.sub(current.address, choice.of);
    for (const [condition, value] of [
      [terms.not(choice.condition), choice.whenFalse],
      [choice.condition, choice.whenTrue],
    ] as const) {
      const guard = terms.and(current.guard, condition);
      if (!isFalse(guard)) open.push({ guard, address: terms.add(rest, value) });
    }
  }
  return done;
}

type Choice = { readonly of: Term; readonly condition: Term; readonly whenTrue: Term; readonly whenFalse: Term };

/** The part of an address that decides which object it points into, where that is a choice. */
function choiceIn(scope: TranslationScope, address: Term): Choice | null {
  if (address.kind !== "sum") return asChoice(scope, address);
  if (objectInAddress(scope.symbols, address) !== null) return null;
  for (const { coefficient, term } of address.monomials) {
    const choice = coefficient === 1n ? asChoice(scope, term) : null;
    if (choice !== null) return choice;
  }
  return null;
}

/** A choice as such, or what was written to an array at an index or before. */
function asChoice(scope: TranslationScope, term: Term): Choice | null {
  const { terms } = scope.symbols;
  if (term.kind === "ite") return { of: term, ...term };
  if (term.kind !== "select" || term.array.kind !== "store") return null;
  const { array, index, value } = term.array;
  const condition = terms.eq(index, term.index);
  return { of: term, condition, whenTrue: value, whenFalse: terms.select(array, term.index) };
}

function resolveOne(scope: TranslationScope, address: Term, access: Access): Omit<Resolution, "guard"> {
  const { symbols } = scope;
  const { terms } = symbols;
  const always = terms.bool(true);
  if (scope.endsAtNull && isNull(address)) {
    return { hits: [], rest: "nothing", inBounds: terms.bool(false), isNull: true };
  }
  const named = objectInAddress(symbols, address);
  const objects = named === null ? guesses(scope, address) : isCurrent(scope, address, named) ? [named] : [];
  const hits: Hit[] = [];
  for (const object of objects) {
    if (object.regions === null) symbols.typeBlock(object, rootPointee(access.address));
    for (const region of object.regions ?? []) hits.push(...hitRegion(scope, address, access, object, region));
  }
  const sure = hits.find((hit) => isTrue(hit.condition));
  if (sure !== undefined) return { hits: [sure], rest: "nothing", inBounds: always };
  if (named === null || objects.length === 0) return { hits, rest: "anything", inBounds: always };
  // An array of a struct is followed by other fields; a run that stays inside of it need not be told from one that does not.
  const taken = hits.find((hit) => hit.region.count !== 1 && scope.heldOnRun?.(hit.condition) === true);
  if (taken !== undefined)
    return { hits: [{ ...taken, condition: always }], rest: "nothing", inBounds: taken.condition };
  const [first] = hits;
  if (hits.length === 1 && coversAccess(scope, first!, access)) {
    return { hits: [{ ...first!, condition: always }], rest: "nothing", inBounds: first!.condition };
  }
  if (isTiled(scope, named, address, access) || coversRemainders(scope, named, address, access, hits)) {
    return { hits, rest: "nothing", inBounds: terms.any(hits.map((hit) => hit.condition)) };
  }
  return { hits, rest: named, inBounds: always };
}

/** Null, or a part of what it would point to. */
function isNull(address: Term): boolean {
  return address.kind === "int" && address.value >= 0n && address.value < nullPage;
}

/** Objects that an address may point into; nothing is assumed from them. */
export function guesses(scope: TranslationScope, address: Term): readonly SymbolicObject[] {
  const parts = address.kind === "sum" ? address.monomials : [{ coefficient: 1n, term: address }];
  for (const { coefficient, term } of parts) {
    const object = coefficient === 1n && term.kind === "variable" ? scope.symbols.objectNear(term) : null;
    if (object !== null) return [object];
  }
  return scope.pointsTo(address);
}

/** Is the address of the object in the address the one that the object has now, not that of an earlier life? */
function isCurrent(scope: TranslationScope, address: Term, object: SymbolicObject): boolean {
  const now = readAddress(scope.state, object);
  return address === now || (address.kind === "sum" && address.monomials.some(({ term }) => term === now));
}

/** The target type of the pointer at the root of an address: `struct node` for `p->next`, `int` for `p[i]`. */
export function rootPointee(address: Expression): Type {
  let root = address;
  while (root.kind === "fieldAddress" || root.kind === "offset") root = root.pointer;
  return root.type.kind === "pointer" ? root.type.to : root.type;
}

function hitRegion(
  scope: TranslationScope,
  address: Term,
  access: Access,
  object: SymbolicObject,
  region: MemoryRegion,
): Hit[] {
  const { terms, program } = scope.symbols;
  const start = terms.add(readAddress(scope.state, object), terms.int(region.offset));
  const distance = terms.sub(address, start);
  const size = completeSize(access.type, program.pointerBytes);
  const element = regionSize(region, program.pointerBytes);
  if (!sameBits(region.bitField, access.bitField)) return [];
  if (region.bitField !== undefined && element !== size) return [];
  if (element < size) return hitSeveral(scope, distance, size, element, object, region);
  const remainder = region.count === 1 ? distance : terms.mod(distance, terms.int(region.stride));
  const index = region.count === 1 ? terms.int(0n) : terms.div(distance, terms.int(region.stride));
  const placed = remainder.kind === "int";
  const hits: Hit[] = [];
  for (const part of partsOf(remainder, element, size)) {
    const condition = terms.and(
      terms.eq(remainder, terms.int(part)),
      region.count === 1 ? terms.bool(true) : within(scope, index, elementsWith(object, region, part + size)),
    );
    if (!isFalse(condition)) hits.push({ object, region, index, condition, part, several: 1, placed });
  }
  return hits;
}

/** Offsets inside of an element at which an access of this size may be: the one it is at, or all that are aligned. */
function partsOf(remainder: Term, element: number, size: number): readonly number[] {
  if (remainder.kind === "int") {
    const part = Number(remainder.value);
    return part >= 0 && part + size <= element ? [part] : [];
  }
  return Array.from({ length: Math.floor(element / size) }, (_, i) => i * size);
}

/** An access to several elements that lie side by side. */
function hitSeveral(
  scope: TranslationScope,
  distance: Term,
  size: number,
  element: number,
  object: SymbolicObject,
  region: MemoryRegion,
): Hit[] {
  const { terms } = scope.symbols;
  if (region.count === 1 || region.stride !== element || size % element !== 0) return [];
  const index = terms.div(distance, terms.int(region.stride));
  const remainder = terms.mod(distance, terms.int(region.stride));
  const condition = terms.and(
    terms.eq(remainder, terms.int(0n)),
    within(scope, index, elementsWith(object, region, size)),
  );
  if (isFalse(condition)) return [];
  return [{ object, region, index, condition, part: 0, several: size / element, placed: remainder.kind === "int" }];
}

/** How many elements of the region have `bytes` bytes of the object from their start on; null if that is not known. */
function elementsWith(object: SymbolicObject, region: MemoryRegion, bytes: number): number | null {
  if (region.count !== null) {
    const beyond = Math.max(0, Math.ceil((bytes - region.stride) / region.stride));
    return Math.max(0, region.count - beyond);
  }
  if (object.size === null) return null;
  return Math.max(0, Math.floor((object.size - region.offset - bytes) / region.stride) + 1);
}

function within(scope: TranslationScope, index: Term, count: number | null): Term {
  const { terms, range } = scope.symbols;
  const { min, max } = rangeOf(index, range);
  if (min !== null && min >= 0n && (count === null || (max !== null && max < BigInt(count)))) return terms.bool(true);
  const low = terms.ge(index, terms.int(0n));
  return count === null ? low : terms.and(low, terms.lt(index, terms.int(count)));
}

/** Does every access like this one that is inside of the object hit this region? */
function coversAccess(scope: TranslationScope, hit: Hit, access: Access): boolean {
  const { region, object, part } = hit;
  const { pointerBytes } = scope.symbols.program;
  const size = completeSize(access.type, pointerBytes);
  if (region.count === 1) return region.offset === 0 && size === object.size && present(object.regions).length === 1;
  if (!hit.placed || region.offset + part >= region.stride) return false;
  if (region.count === null) return true;
  const count = elementsWith(object, region, part + size)!;
  return object.size !== null && region.offset + count * region.stride + part + size > object.size;
}

/** Are all parts of the object as large as the access, side by side, and is the address a whole number of them away? */
function isTiled(scope: TranslationScope, object: SymbolicObject, address: Term, access: Access): boolean {
  const { terms, program } = scope.symbols;
  const size = completeSize(access.type, program.pointerBytes);
  const offset = terms.sub(address, readAddress(scope.state, object));
  if (access.bitField !== undefined || !isZero(terms.mod(offset, terms.int(size)))) return false;
  let bytes = 0;
  for (const region of object.regions ?? []) {
    if (region.bitField !== undefined || region.count === null) return false;
    if (regionSize(region, program.pointerBytes) !== size || region.offset % size !== 0) return false;
    if (region.stride % size !== 0) return false;
    bytes += region.count * size;
  }
  return bytes === object.size;
}

/** In an array of structs: does every place inside of an element that the address can be at belong to a hit? */
function coversRemainders(
  scope: TranslationScope,
  object: SymbolicObject,
  address: Term,
  access: Access,
  hits: readonly Hit[],
): boolean {
  const { terms, program } = scope.symbols;
  const regions = object.regions ?? [];
  const [first] = regions;
  if (first === undefined || regions.some(({ count, stride }) => count === 1 || stride !== first.stride)) return false;
  const offset = terms.sub(address, readAddress(scope.state, object));
  const remainders = valuesOf(scope, terms.mod(offset, terms.int(first.stride)));
  const size = completeSize(access.type, program.pointerBytes);
  const isCovered = (remainder: number) =>
    hits.some(
      ({ region, part, several }) =>
        several === 1 &&
        region.offset + part === remainder &&
        (region.count === null ||
          (object.size !== null && region.count * first.stride + remainder + size > object.size)),
    );
  return remainders?.every(isCovered) ?? false;
}

/** All values that a term can have, where they are few. */
function valuesOf(scope: TranslationScope, term: Term): readonly number[] | null {
  const { min, max } = rangeOf(term, scope.symbols.range);
  if (min === null || max === null) return null;
  // A remainder has the common divisor of what it is the remainder of.
  const inner = term.kind === "mod" && term.divisor.kind === "int" ? term.dividend : term;
  const { monomials, constant } = inner.kind === "sum" ? inner : { monomials: [{ coefficient: 1n }], constant: 0n };
  let step = term.kind === "mod" && term.divisor.kind === "int" ? term.divisor.value : 0n;
  for (const { coefficient } of monomials) step = gcd(step, coefficient);
  const start = min + euclideanMod(constant - min, step);
  if ((max - start) / step >= BigInt(remainderLimit)) return null;
  const values: number[] = [];
  for (let value = start; value <= max; value += step) values.push(Number(value));
  return values;
}

function isZero(term: Term): boolean {
  return term.kind === "int" && term.value === 0n;
}

function sameBits(a: BitField | undefined, b: BitField | undefined): boolean {
  return a?.shift === b?.shift && a?.width === b?.width;
}
