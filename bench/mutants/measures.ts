import { isOmission } from "./mutation.ts";
import type { CaseScore } from "./score.ts";

/** One number about a set of cases; null where the set says nothing about it. */
export type Measure = {
  readonly name: string;
  readonly of: (scores: readonly CaseScore[]) => number | null;
  readonly unit: "%" | "";
  /** At least, or at most, for all of a half. */
  readonly least?: number;
  readonly most?: number;
  /** It needs a screen: with suspects alone it is not asked for. */
  readonly needsScreen?: true;
};

const changed = (scores: readonly CaseScore[]) => scores.filter(({ kind }) => !isOmission(kind));
const omitted = (scores: readonly CaseScore[]) => scores.filter(({ kind }) => isOmission(kind));

function share(scores: readonly CaseScore[], isTrue: (score: CaseScore) => boolean): number | null {
  return scores.length === 0 ? null : (100 * scores.filter(isTrue).length) / scores.length;
}

function percentile(values: readonly number[], part: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? null;
}

const amongFirst = (n: number) => (score: CaseScore) => score.rank !== null && score.rank <= n;
const lineCounts = (scores: readonly CaseScore[]) => scores.flatMap(({ lines }) => (lines === null ? [] : [lines]));

export const measures: readonly Measure[] = [
  { name: "answered within the budget", of: (s) => share(s, ({ answered }) => answered), unit: "%", least: 100 },
  {
    name: "changed line on the screen",
    of: (s) => share(changed(s), ({ lineShown }) => lineShown),
    unit: "%",
    least: 95,
    needsScreen: true,
  },
  { name: "changed line is suspect 1", of: (s) => share(changed(s), amongFirst(1)), unit: "%", least: 45 },
  { name: "  among the first 3", of: (s) => share(changed(s), amongFirst(3)), unit: "%" },
  { name: "  among the first 5", of: (s) => share(changed(s), amongFirst(5)), unit: "%", least: 80 },
  { name: "  among the first 10", of: (s) => share(changed(s), amongFirst(10)), unit: "%" },
  {
    name: "deleted: its function among the first 5",
    of: (s) => share(omitted(s), ({ functionRank }) => functionRank !== null && functionRank <= 5),
    unit: "%",
    least: 90,
  },
  {
    name: "deleted: a neighbour on the screen",
    of: (s) => share(omitted(s), ({ neighbourShown }) => neighbourShown),
    unit: "%",
    least: 70,
    needsScreen: true,
  },
  {
    name: "lines, median",
    of: (s) => percentile(lineCounts(s), 0.5),
    unit: "",
    most: 15,
    needsScreen: true,
  },
  {
    name: "lines, 95th percentile",
    of: (s) => percentile(lineCounts(s), 0.95),
    unit: "",
    most: 25,
    needsScreen: true,
  },
  {
    name: "proved, of what is claimed",
    of: (s) => {
      const shares = s.flatMap(({ provedShare }) => (provedShare === null ? [] : [provedShare]));
      return shares.length === 0 ? null : (100 * shares.reduce((a, b) => a + b, 0)) / shares.length;
    },
    unit: "%",
    needsScreen: true,
  },
  {
    name: "proved, but a run refutes it",
    of: (s) => s.reduce((sum, { refuted }) => sum + refuted, 0),
    unit: "",
    most: 0,
  },
  {
    name: "seconds, median",
    of: (s) =>
      inSeconds(
        percentile(
          s.map(({ ms }) => ms),
          0.5,
        ),
      ),
    unit: "",
  },
  {
    name: "seconds, 95th percentile",
    of: (s) =>
      inSeconds(
        percentile(
          s.map(({ ms }) => ms),
          0.95,
        ),
      ),
    unit: "",
  },
  {
    name: "replays, median",
    of: (s) =>
      percentile(
        s.map(({ replays }) => replays),
        0.5,
      ),
    unit: "",
  },
];

function inSeconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.round(milliseconds / 10) / 100;
}

export function isMissed({ least, most }: Measure, value: number | null): boolean {
  if (value === null) return false;
  return (least !== undefined && value < least) || (most !== undefined && value > most);
}
