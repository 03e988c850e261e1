import type { CopyMemory } from "../ir/operation.ts";
import type { Term, Variable } from "../logic/term.ts";
import { havocPointee } from "./accessMemory.ts";
import type { Region } from "./region.ts";
import { objectInAddress, type Scope } from "./scope.ts";
import { readRegion, type SymbolicState, writeAll } from "./symbolicState.ts";
import type { SymbolicObject } from "./symbols.ts";
import { translateExpression } from "./translateExpression.ts";

/** Struct assignment: region by region where both sides are whole regions of known objects, unknown otherwise. */
export function copyMemory(scope: Scope, operation: CopyMemory, tag: number): SymbolicState {
  const to = placed(scope, translateExpression(scope, operation.to));
  const from = placed(scope, translateExpression(scope, operation.from));
  const unknown = () => havocPointee(scope, translateExpression(scope, operation.to), tag);
  if (to === null || from === null) return unknown();
  const targets = regionsWithin(to.object, to.offset, operation.size);
  const sources = regionsWithin(from.object, from.offset, operation.size);
  if (targets === null || sources === null || targets.length !== sources.length) return unknown();
  const writes: [Variable, Term][] = [];
  for (const [i, target] of targets.entries()) {
    const source = sources[i]!;
    if (!sameShape(target, to.offset, source, from.offset)) return unknown();
    const value = readRegion(scope.symbols, scope.state, from.object, source);
    writes.push([scope.symbols.region(to.object, target), value]);
  }
  return writeAll(scope.state, writes);
}

function placed(scope: Scope, address: Term): { readonly object: SymbolicObject; readonly offset: number } | null {
  const object = objectInAddress(scope.symbols, address);
  if (object === null) return null;
  const offset = scope.symbols.terms.sub(address, object.base);
  return offset.kind === "int" ? { object, offset: Number(offset.value) } : null;
}

/** The regions that fill the bytes exactly; null where one sticks out. */
function regionsWithin(object: SymbolicObject, offset: number, size: number): readonly Region[] | null {
  if (object.regions === null) return null;
  const inside: Region[] = [];
  for (const region of object.regions) {
    if (region.count === null) return null;
    const end = region.offset + Math.max(1, (region.count - 1) * region.stride + 1);
    if (end <= offset || region.offset >= offset + size) continue;
    if (region.offset < offset || end > offset + size) return null;
    inside.push(region);
  }
  return inside;
}

function sameShape(a: Region, aStart: number, b: Region, bStart: number): boolean {
  return (
    a.offset - aStart === b.offset - bStart &&
    a.stride === b.stride &&
    a.count === b.count &&
    a.type.kind === b.type.kind &&
    (a.type.kind !== "int" ||
      (b.type.kind === "int" && a.type.bits === b.type.bits && a.type.signed === b.type.signed)) &&
    a.bitField?.shift === b.bitField?.shift &&
    a.bitField?.width === b.bitField?.width
  );
}
