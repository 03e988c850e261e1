import type { SuspectedLine } from "../../../analyses/counterfactual/suspect.ts";
import { present } from "../../../base/checked.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import type { Edge } from "../../../ir/program.ts";
import { isWithin, type Unit, unitsOf } from "./visits.ts";
import type { Why } from "./whyGraph.ts";

/** The ways to the failure of so many suspects are told; of the others the line alone. */
const mostWays = 3;

/** A suspect and the execution of its line that tells most. */
export type SuspectStep = {
  /** -1 in the part of a long run that the graph does not describe. */
  readonly step: number;
  /** Its way to the failure is told, too. */
  readonly hasWay: boolean;
  readonly suspect: SuspectedLine;
  /** The statement that it is, or is a part of. */
  readonly statement: string;
};

/**
 * Each suspect by the execution in which its change was tried, or else by the one that is nearest to the failure. A line that the
 * failure does not depend on is told for its own sake.
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

/** A line where a change helped, in the part of a long run that the graph does not describe, can be named. */
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
  const tried = whatIf !== null && whatIf.kind !== "edit" ? whatIf.step : null;
  // Of a condition that is edited, the visit that decides.
  const decisive = flip !== null && whatIf?.kind === "edit" && isOn(flip.place.edge.range, range) ? flip.step : null;
  // Of a line that is executed again and again, the visit at which another value would have helped.
  const wrong = whatIf?.kind === "edit" && value?.level === 2 ? value.step : null;
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

/** One of them is a part of the other. */
function isOn(a: SourceRange, b: SourceRange): boolean {
  return isWithin(a, b) || isWithin(b, a);
}

/** The steps that are nearest to the failure. */
type Nearest = {
  readonly byLine: ReadonlyMap<string, number>;
  /** Of the smallest statement around a part of the source. */
  within(range: SourceRange): number | null;
};

function nearestSteps({ graph, paths, visits }: Why): Nearest {
  const byLine = new Map<string, number>();
  const seen = new Set<Edge>();
  const byUnit = new Map<Unit, number>();
  for (const step of paths.steps()) {
    const visit = visits.of(step);
    if (visit === -1) continue;
    const edge = graph.edge(step);
    if (seen.has(edge)) continue;
    seen.add(edge);
    const key = lineOf(edge.range);
    if (!byLine.has(key)) byLine.set(key, step);
    const unit = visits.unit(visit);
    if (!byUnit.has(unit)) byUnit.set(unit, step);
  }
  return {
    byLine,
    within(range) {
      let best: Unit | null = null;
      for (const unit of byUnit.keys()) {
        if (isWithin(range, unit.range) && (best === null || isWithin(unit.range, best.range))) best = unit;
      }
      return best === null ? null : present(byUnit.get(best));
    },
  };
}

function lineOf({ file, line }: SourceRange): string {
  return `${file}:${line}`;
}
