import type { Visits } from "./visits.ts";

/** One line of an explanation: a visit, and earlier visits of the same unit that it stands for, too. */
export type Line = { readonly visit: number; readonly before: readonly number[] };

/** Executions of one line that are shown one by one: what is not marked is shown once. */
const mostAlone = 1;

/**
 * Repetition in few lines: of many executions of one line those that are marked are shown; the others
 * become one line where the first of them was.
 */
export function collapse(visits: Visits, chosen: readonly number[], marked: ReadonlySet<number>): readonly Line[] {
  const byUnit = new Map<number, number[]>();
  for (const visit of chosen) {
    const { id } = visits.unit(visit);
    byUnit.set(id, [...(byUnit.get(id) ?? []), visit]);
  }
  const lines: Line[] = [];
  for (const group of byUnit.values()) {
    if (group.length <= mostAlone) {
      for (const visit of group) lines.push({ visit, before: [] });
      continue;
    }
    const alone = group.filter((visit) => marked.has(visit));
    const rest = group.filter((visit) => !alone.includes(visit));
    for (const visit of alone) lines.push({ visit, before: [] });
    if (rest.length > 0) lines.push({ visit: rest.at(-1)!, before: rest.slice(0, -1) });
  }
  return lines.sort((a, b) => visits.first(a.before[0] ?? a.visit) - visits.first(b.before[0] ?? b.visit));
}
