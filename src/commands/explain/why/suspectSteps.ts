import type { SuspectedLine } from "../../../analyses/counterfactual/suspect.ts";
import { present } from "../../../base/checked.ts";
import { remembered } from "../../../base/memo.ts";
import { isWithin, type SourceRange } from "../../../base/sourceRange.ts";
import type { Edge } from "../../../ir/program.ts";
import { type Unit, unitsOf } from "./visits.ts";
import type { Why } from "./whyGraph.ts";

/** The way to the failure is shown for this many suspects. */
const mostWays = 3;

export type SuspectStep = {
  /** -1 in the part of a long run that the graph does not cover. */
  readonly step: number;
  /** True if its way to the failure is shown, too. */
  readonly hasWay: boolean;
  readonly suspect: SuspectedLine;
  /** The statement that it is, or is part of. */
  readonly statement: string;
};

/**
 * Selects one execution for each suspect: the one in which its change was tried, or else the one nearest to the
 * failure. A suspect that the failure does not depend on is shown, too.
 */
export function suspectSteps(why: Why, suspects: readonly SuspectedLine[]): readonly SuspectStep[] {
  const nearest = nearestSteps(why);
  return suspects.flatMap((suspect, i) => {
    const step = stepOf(why, suspect, nearest);
    if (step === null) return unseen(why, suspect);
    const statement = why.visits.unit(why.visits.of(step)).text;
    return [{ step, hasWay: i < mostWays && why.paths.cost(step) !== null, suspect, statement }];
  });
}

/** A suspect outside of the graph's part of a long run. */
function unseen({ graph }: Why, suspect: SuspectedLine): readonly SuspectStep[] {
  const edge = suspect.function.edges.find(
    ({ range }) => isWithin(suspect.range, range) || isWithin(range, suspect.range),
  );
  if (suspect.whatIf === null || graph.first === 0 || edge === undefined) return [];
  const unit = unitsOf(graph.trace.program)(suspect.function, edge);
  return unit === null ? [] : [{ step: -1, hasWay: false, suspect, statement: unit.text }];
}

function stepOf(why: Why, suspect: SuspectedLine, nearest: Nearest): number | null {
  const { graph, visits } = why;
  const { whatIf, flip, value, range } = suspect;
  const tried = whatIf !== null && whatIf.kind !== "change" ? whatIf.step : null;
  // For an edited condition: the visit that decides.
  const decisive = flip !== null && whatIf?.kind === "change" && isOn(flip.place.edge.range, range) ? flip.step : null;
  // For a line with many executions: the visit at which another value would have helped.
  const wrong = whatIf?.kind === "change" && value?.level === "passes" ? value.step : null;
  const candidates = [
    tried,
    decisive,
    wrong,
    nearest.within(range),
    nearest.byLine.get(lineOf(range)) ?? null,
    suspect.lastStep,
  ];
  return candidates.find((step) => step !== null && step >= graph.first && visits.of(step) !== -1) ?? null;
}

function isOn(a: SourceRange, b: SourceRange): boolean {
  return isWithin(a, b) || isWithin(b, a);
}

type Nearest = {
  readonly byLine: ReadonlyMap<string, number>;
  /** The step of the smallest statement around a source range. */
  within(range: SourceRange): number | null;
};

function nearestSteps({ graph, paths, visits }: Why): Nearest {
  const byLine = new Map<string, number>();
  const seen = new Set<Edge>();
  const byUnit = new Map<Unit, number>();
  const unitsOnLine = new Map<string, Unit[]>();
  for (const step of paths.steps()) {
    const visit = visits.of(step);
    if (visit === -1) continue;
    const edge = graph.edge(step);
    if (seen.has(edge)) continue;
    seen.add(edge);
    const key = lineOf(edge.range);
    if (!byLine.has(key)) byLine.set(key, step);
    const unit = visits.unit(visit);
    if (byUnit.has(unit)) continue;
    byUnit.set(unit, step);
    const { file, line: first, endLine } = unit.range;
    for (let line = first; line <= endLine; line++)
      remembered(unitsOnLine, lineOf({ file, line }), () => []).push(unit);
  }
  return {
    byLine,
    within(range) {
      let best: Unit | null = null;
      for (const unit of unitsOnLine.get(lineOf(range)) ?? []) {
        if (isWithin(range, unit.range) && (best === null || isWithin(unit.range, best.range))) best = unit;
      }
      return best === null ? null : present(byUnit.get(best));
    },
  };
}

function lineOf({ file, line }: Pick<SourceRange, "file" | "line">): string {
  return `${file}:${line}`;
}
