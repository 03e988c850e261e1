import type { UndefinedBehaviour } from "../ir/operation.ts";
import { isFalse, isTrue, type Term, type Variable } from "../logic/term.ts";
import { joinCells, readCell, readPart, splitCells, writeCell, writePart } from "./cellValue.ts";
import { type Region, regionSize } from "./region.ts";
import { type Access, type Hit, type Resolution, resolveAddress } from "./resolveAddress.ts";
import type { TranslationScope } from "./scope.ts";
import { clobberMemory, readRegion, type SymbolicState, writeAll } from "./symbolicState.ts";

/** Reads a scalar. Where the address may be outside of every region known for it, the value is unknown. */
export function loadMemory(scope: TranslationScope, address: Term, access: Access): Term {
  const { terms } = scope.symbols;
  let value: Term | null = null;
  for (const resolution of resolveAddress(scope, address, access)) {
    requireInBounds(scope, resolution, "out-of-bounds-read");
    const read = loadResolved(scope, resolution, access);
    value = value === null ? read : terms.ite(resolution.guard, read, value);
  }
  return value!;
}

function loadResolved(scope: TranslationScope, { hits, rest, isNull }: Resolution, access: Access): Term {
  const { terms } = scope.symbols;
  const [first, ...others] = hits;
  if (isNull) return terms.int(0n);
  if (first === undefined || rest !== "nothing") {
    const reason =
      rest === "anything" ? "a read through a pointer that is not resolved" : "a read of bytes of another type";
    const unknown = scope.approximate(reason, access.type, "access");
    return hits.reduce((value, hit) => terms.ite(hit.condition, loadHit(scope, hit, access), value), unknown);
  }
  return others.reduce(
    (value, hit) => terms.ite(hit.condition, loadHit(scope, hit, access), value),
    loadHit(scope, first, access),
  );
}

/** Writes a scalar. What an access may hit beyond its resolution becomes unknown. */
export function storeMemory(scope: TranslationScope, address: Term, access: Access, value: Term): SymbolicState {
  const { symbols } = scope;
  const { terms } = symbols;
  const resolutions = resolveAddress(scope, address, access);
  let state = scope.state;
  for (const resolution of resolutions) {
    requireInBounds(scope, resolution, "out-of-bounds-write");
    const { guard, hits, rest } = resolution;
    if (rest === "nothing") continue;
    const condition = terms.and(guard, terms.not(terms.any(hits.map((hit) => hit.condition))));
    if (isFalse(condition)) continue;
    if (rest === "anything") scope.note("a write through a pointer that is not resolved", "access");
    else scope.note("a write to bytes of another type", "access");
    const clobber = { condition, tag: scope.tag() };
    state = clobberMemory(symbols, state, rest === "anything" ? clobber : { ...clobber, object: rest });
  }
  const written = new Map<Variable, Term>();
  for (const { guard, hits } of resolutions) {
    for (const hit of hits) {
      const place = symbols.region(hit.object, hit.region);
      const old = written.get(place) ?? readRegion(symbols, state, hit.object, hit.region);
      const updated = storeHit({ ...scope, state }, hit, access, value, old);
      written.set(place, terms.ite(terms.and(guard, hit.condition), updated, old));
    }
  }
  return writeAll(state, [...written]);
}

function requireInBounds(
  scope: TranslationScope,
  { guard, inBounds, isNull }: Resolution,
  problem: UndefinedBehaviour,
): void {
  if (isTrue(inBounds)) return;
  scope.require(scope.symbols.terms.implies(guard, inBounds), isNull ? "null-dereference" : problem);
}

function loadHit(scope: TranslationScope, hit: Hit, access: Access): Term {
  const { symbols } = scope;
  const { region, index } = hit;
  const whole = readRegion(symbols, scope.state, hit.object, region);
  if (hit.several > 1) {
    const cells = Array.from({ length: hit.several }, (_, i) => cellAt(scope, whole, region, plus(scope, index, i)));
    return joinCells(scope, cells, region, access.type);
  }
  const cell = region.count === 1 ? whole : cellAt(scope, whole, region, index);
  if (isPart(scope, hit, access)) return readPart(scope, cell, region, hit.part, access.type);
  return readCell(scope, cell, region, access.type);
}

function storeHit(scope: TranslationScope, hit: Hit, access: Access, value: Term, old: Term): Term {
  const { terms } = scope.symbols;
  const { region, index } = hit;
  if (hit.several > 1) {
    return splitCells(scope, value, access.type, region, hit.several).reduce(
      (array, cell, i) => terms.store(array, plus(scope, index, i), cell),
      old,
    );
  }
  const before = () => (region.count === 1 ? old : cellAt(scope, old, region, index));
  const cell = isPart(scope, hit, access)
    ? writePart(scope, before(), region, hit.part, value, access.type)
    : writeCell(scope, value, access.type, region);
  return region.count === 1 ? cell : terms.store(old, index, cell);
}

function isPart(scope: TranslationScope, { region }: Hit, access: Access): boolean {
  const { pointerBytes } = scope.symbols.program;
  return regionSize({ ...region, type: access.type }, pointerBytes) !== regionSize(region, pointerBytes);
}

/** An element of an array. Cells hold values of their type; the logic's arrays hold any integer. */
function cellAt(scope: TranslationScope, array: Term, region: Region, index: Term): Term {
  const { terms } = scope.symbols;
  const cell = terms.select(array, index);
  const type = region.type;
  if (cell.kind !== "select" || (type.kind !== "int" && type.kind !== "bool")) return cell;
  const bits = region.bitField?.width ?? (type.kind === "int" ? type.bits : 8);
  scope.learn(terms.inRange(cell, bits, type.kind === "int" && type.signed));
  return cell;
}

function plus(scope: TranslationScope, index: Term, i: number): Term {
  return scope.symbols.terms.add(index, scope.symbols.terms.int(i));
}

/** All memory that a pointer may point into becomes unknown. */
export function havocMemory(scope: TranslationScope): SymbolicState {
  return clobberMemory(scope.symbols, scope.state, { condition: scope.symbols.terms.bool(true), tag: scope.tag() });
}
