import type { Expression } from "../ir/expression.ts";
import type { BitField, ScalarType, Type } from "../ir/type.ts";
import { completeSize } from "../ir/typeFacts.ts";
import { isFalse, isTrue, type Term } from "../logic/term.ts";
import type { Region } from "./region.ts";
import { objectInAddress, type Scope } from "./scope.ts";
import { clobberMemory, readRegion, type SymbolicState, writeAll } from "./symbolicState.ts";
import type { SymbolicObject } from "./symbols.ts";
import { convertValue } from "./translateExpression.ts";

/** A scalar in memory, as an access sees it: its type, and the address as the program wrote it. */
export type Access = { readonly type: ScalarType; readonly address: Expression; readonly bitField?: BitField };

/** One way in which an address may hit a region: where `condition` holds, it is its element `index`. */
type Hit = {
  readonly object: SymbolicObject;
  readonly region: Region;
  readonly index: Term;
  readonly condition: Term;
  /** The address is a whole number of strides away, whatever the values of its variables. */
  readonly aligned: boolean;
};

/** Reads a scalar. Where the address may be outside of every region known for it, the value is unknown. */
export function loadMemory(scope: Scope, address: Term, access: Access): Term {
  const { terms } = scope.symbols;
  const hits = resolve(scope, address, access);
  if (hits === null) return scope.approximate("a read through an address that is not resolved", access.type);
  const last = hits[hits.length - 1];
  const sure = last !== undefined && isTrue(last.condition);
  let value = sure
    ? element(scope, last, access)
    : scope.approximate("a read outside of what the run read", access.type);
  for (const hit of sure ? hits.slice(0, -1) : hits)
    value = terms.ite(hit.condition, element(scope, hit, access), value);
  return value;
}

/** Writes a scalar. `tag` makes what an unresolved store leaves behind different from other stores'. */
export function storeMemory(scope: Scope, address: Term, access: Access, value: Term, tag: number): SymbolicState {
  const { symbols } = scope;
  const { terms } = symbols;
  const hits = resolve(scope, address, access);
  if (hits === null) return clobberMemory(symbols, scope.state, { condition: terms.bool(true), tag });
  const missed = terms.not(terms.any(hits.map((hit) => hit.condition)));
  const state = isFalse(missed) ? scope.state : clobberMemory(symbols, scope.state, { condition: missed, tag });
  const inside = { ...scope, state };
  return writeAll(
    state,
    hits.map((hit) => {
      const old = readRegion(symbols, state, hit.object, hit.region);
      const stored = convertValue(inside, value, access.type, hit.region.type);
      const updated = hit.region.count === 1 ? stored : terms.store(old, hit.index, stored);
      return [symbols.region(hit.object, hit.region), terms.ite(hit.condition, updated, old)] as const;
    }),
  );
}

/** Everything in the object becomes unknown. */
export function havocObject(scope: Scope, object: SymbolicObject, tag: number): SymbolicState {
  const { symbols } = scope;
  // A block without a type yet may get one later: then what was unknown here must not look untouched.
  if (object.regions === null) {
    return clobberMemory(symbols, scope.state, { condition: symbols.terms.bool(true), tag });
  }
  return writeAll(
    scope.state,
    object.regions.map((region) => {
      const place = symbols.region(object, region);
      return [place, symbols.terms.variable(`${place.name}~${tag}`, place.sort)] as const;
    }),
  );
}

/** Everything in the object that an address points into becomes unknown; all memory where that is not known. */
export function havocPointee(scope: Scope, address: Term, tag: number): SymbolicState {
  const object = objectInAddress(scope.symbols, address);
  if (object !== null) return havocObject(scope, object, tag);
  return clobberMemory(scope.symbols, scope.state, { condition: scope.symbols.terms.bool(true), tag });
}

function element(scope: Scope, hit: Hit, access: Access): Term {
  const { symbols } = scope;
  const whole = readRegion(symbols, scope.state, hit.object, hit.region);
  if (hit.region.count === 1) return convertValue(scope, whole, hit.region.type, access.type);
  const value = symbols.terms.select(whole, hit.index);
  // Cells of an array hold values of their type; the logic's arrays hold any integer.
  const type = hit.region.type;
  if (value.kind === "select" && type.kind === "int")
    scope.assume(symbols.terms.inRange(value, type.bits, type.signed));
  return convertValue(scope, value, hit.region.type, access.type);
}

/**
 * The regions that the access may hit. With a named object in the address the access is inside of it, or undefined:
 * that it is inside is assumed. null: nothing is known about where the address points.
 */
function resolve(scope: Scope, address: Term, access: Access): readonly Hit[] | null {
  const { symbols } = scope;
  const named = objectInAddress(symbols, address);
  const objects = named === null ? scope.pointsTo(address) : [named];
  if (objects.length === 0) return null;
  const hits: Hit[] = [];
  for (const object of objects) {
    if (object.regions === null) symbols.typeBlock(object, rootPointee(access.address));
    if (object.regions === null) return null;
    for (const region of object.regions) {
      const hit = hitRegion(scope, address, access, object, region);
      if (hit !== null) hits.push(hit);
    }
  }
  // A sure hit excludes the others.
  const sure = hits.find((hit) => isTrue(hit.condition));
  if (sure !== undefined) return [sure];
  if (named === null) return hits;
  const only = hits.find((hit) => hit.aligned && covers(hit.region, named));
  if (only !== undefined) {
    scope.assume(only.condition);
    return [{ ...only, condition: scope.symbols.terms.bool(true) }];
  }
  if (hits.length > 0 && uniform(named) && isAligned(scope, address, access, named)) {
    scope.assume(scope.symbols.terms.any(hits.map((hit) => hit.condition)));
  }
  return hits;
}

/** Does every element of the object at the region's stride belong to the region? */
function covers(region: Region, object: SymbolicObject): boolean {
  if (region.count === null) return true;
  return region.count > 1 && object.size !== null && region.count * region.stride >= object.size;
}

/** Are all parts of the object equally large, so that an aligned access inside of it hits one of them? */
function uniform(object: SymbolicObject): boolean {
  const [first, ...rest] = object.regions ?? [];
  return (
    first !== undefined &&
    [first, ...rest].every((region) => region.bitField === undefined) &&
    rest.every(
      (region) => region.type.kind === "int" && first.type.kind === "int" && region.type.bits === first.type.bits,
    )
  );
}

/** Is the address a whole number of the access's sizes into the object, whatever the values of its variables? */
function isAligned(scope: Scope, address: Term, access: Access, object: SymbolicObject): boolean {
  const { terms, program } = scope.symbols;
  const size = terms.int(completeSize(access.type, program.pointerBytes));
  return isTrue(terms.eq(terms.mod(terms.sub(address, object.base), size), terms.int(0n)));
}

/** What the pointer at the root of an address points to: `struct node` for `p->next`, `int` for `p[i]`. */
function rootPointee(address: Expression): Type {
  let root = address;
  while (root.kind === "fieldAddress" || root.kind === "offset") root = root.pointer;
  return root.type.kind === "pointer" ? root.type.to : root.type;
}

function hitRegion(scope: Scope, address: Term, access: Access, object: SymbolicObject, region: Region): Hit | null {
  const { terms, program } = scope.symbols;
  if (!sameBits(region.bitField, access.bitField)) return null;
  const size = completeSize(access.type, program.pointerBytes);
  if (size !== completeSize(region.type, program.pointerBytes)) return null;
  if ((region.type.kind === "float") !== (access.type.kind === "float")) return null;
  const distance = terms.sub(address, terms.add(object.base, terms.int(region.offset)));
  if (region.count === 1) {
    const condition = terms.eq(distance, terms.int(0n));
    return isFalse(condition) ? null : { object, region, index: terms.int(0n), condition, aligned: true };
  }
  const stride = terms.int(region.stride);
  const aligned = terms.eq(terms.mod(distance, stride), terms.int(0n));
  if (isFalse(aligned)) return null;
  const index = terms.div(distance, stride);
  const last =
    region.count ?? (object.size === null ? null : Math.floor((object.size - region.offset) / region.stride));
  const inside = terms.and(
    aligned,
    terms.ge(index, terms.int(0n)),
    last === null ? terms.bool(true) : terms.lt(index, terms.int(last)),
  );
  return isFalse(inside) ? null : { object, region, index, condition: inside, aligned: isTrue(aligned) };
}

function sameBits(a: BitField | undefined, b: BitField | undefined): boolean {
  return a?.shift === b?.shift && a?.width === b?.width;
}
