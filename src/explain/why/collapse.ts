import type { Visits } from "./visits.ts";

/** One line of an explanation: a visit, and earlier visits of the same unit that it stands for, too. `count`: with those left out. */
export type Line = { readonly visit: number; readonly before: readonly number[]; readonly count: number };

/** So many at each end tell what a line did all the time. */
const mostAtEnd = 16;

/** Of a line that a way comes to again and again the first and the last times. */
export function endsOfMany(visits: Visits, way: readonly number[]): readonly number[] {
  if (way.length <= 2 * mostAtEnd) return way;
  const byUnit = groupedByUnit(visits, way);
  const kept = new Set<number>();
  for (const group of byUnit.values()) {
    for (const visit of group.slice(0, mostAtEnd)) kept.add(visit);
    for (const visit of group.slice(-mostAtEnd)) kept.add(visit);
  }
  return way.filter((visit) => kept.has(visit));
}

function groupedByUnit(visits: Visits, all: readonly number[]): ReadonlyMap<number, number[]> {
  const byUnit = new Map<number, number[]>();
  for (const visit of all) {
    const { id } = visits.unit(visit);
    const group = byUnit.get(id);
    if (group === undefined) byUnit.set(id, [visit]);
    else group.push(visit);
  }
  return byUnit;
}

/** Executions of one line that are shown one by one: what is not marked is shown once. */
const mostAlone = 1;

/**
 * Repetition in few lines: of many executions of one line those that are marked are shown; the others
 * become one line where the first of them was.
 */
export function collapse(visits: Visits, chosen: readonly number[], marked: ReadonlySet<number>): readonly Line[] {
  const lines: Line[] = [];
  for (const group of groupedByUnit(visits, chosen).values()) {
    if (group.length <= mostAlone) {
      for (const visit of group) lines.push({ visit, before: [], count: 1 });
      continue;
    }
    for (const visit of group) if (marked.has(visit)) lines.push({ visit, before: [], count: 1 });
    const rest = group.filter((visit) => !marked.has(visit));
    if (rest.length === 0) continue;
    const last = rest.at(-1)!;
    const isMany = rest.length >= 2 * mostAtEnd;
    const count = isMany ? visits.ordinal(last) - visits.ordinal(rest[0]!) + 1 : rest.length;
    lines.push({ visit: last, before: rest.slice(0, -1), count });
  }
  return lines.sort((a, b) => visits.first(a.before[0] ?? a.visit) - visits.first(b.before[0] ?? b.visit));
}
