import { nth } from "../base/checked.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import type { Function, SourceStatement } from "./program.ts";

/** The innermost statement of a function around a place in the source; null where there is none. */
export function statementAt(fn: Function, range: SourceRange): SourceStatement | null {
  const statements = statementsOf(fn);
  let low = 0;
  let high = statements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startsBehind(nth(statements, middle).range, range)) high = middle;
    else low = middle + 1;
  }
  for (let i = low - 1; i >= 0; i--) if (containsRange(nth(statements, i).range, range)) return nth(statements, i);
  return null;
}

const cache = new WeakMap<Function, readonly SourceStatement[]>();

/** In the order of their beginnings, outer ones first. */
function statementsOf(fn: Function): readonly SourceStatement[] {
  let sorted = cache.get(fn);
  if (sorted === undefined) {
    sorted = [...(fn.statements ?? [])].sort((a, b) => a.range.line - b.range.line || a.range.column - b.range.column);
    cache.set(fn, sorted);
  }
  return sorted;
}

function startsBehind(a: SourceRange, b: SourceRange): boolean {
  return a.line > b.line || (a.line === b.line && a.column > b.column);
}

export function containsRange(outer: SourceRange, inner: SourceRange): boolean {
  if (outer.file !== inner.file || startsBehind(outer, inner)) return false;
  return inner.endLine < outer.endLine || (inner.endLine === outer.endLine && inner.endColumn <= outer.endColumn);
}
