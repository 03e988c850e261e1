import { isMissed, type Measure, measures } from "./measures.ts";
import { isOmission, mutationKinds } from "./mutation.ts";
import { type Half, halves } from "./programs.ts";
import type { CaseScore } from "./score.ts";

export type TableOptions = { readonly suspectsOnly: boolean };

/** Both halves apart, each measure with its limit; then each kind of mutation. */
export function tableLines(scores: readonly CaseScore[], options: TableOptions): readonly string[] {
  const shown = halves.filter((half) => scores.some((score) => score.half === half));
  const asked = measures.filter(({ needsScreen }) => !(options.suspectsOnly && needsScreen));
  const rows = asked.map((measure) =>
    row(
      measure.name,
      shown.map((half) => cell(measure, of(scores, half))),
      limitText(measure),
    ),
  );
  return [
    row("", shown, "limit"),
    row(
      "failing mutants",
      shown.map((half) => `${of(scores, half).length}`),
      "",
    ),
    ...rows,
    "",
    ...shown.flatMap((half) => [...kindLines(half, of(scores, half), options), ""]),
  ];
}

/** Every limit that a half does not keep, in words. */
export function missedLimits(scores: readonly CaseScore[], { suspectsOnly }: TableOptions): readonly string[] {
  return halves.flatMap((half) => {
    const all = of(scores, half);
    if (all.length === 0) return [];
    return measures
      .filter((measure) => !(suspectsOnly && measure.needsScreen) && isMissed(measure, measure.of(all)))
      .map((measure) => `${half}: ${measure.name.trim()} ${cell(measure, all)}, limit ${limitText(measure)}`);
  });
}

function of(scores: readonly CaseScore[], half: Half): readonly CaseScore[] {
  return scores.filter((score) => score.half === half);
}

/** For omissions the line is a neighbour, and ranks are those of the function. */
function kindLines(half: Half, scores: readonly CaseScore[], { suspectsOnly }: TableOptions): readonly string[] {
  const columns = ["cases", "answered", ...(suspectsOnly ? [] : ["on screen"]), "first", "3", "5", "10"];
  const percent = (some: readonly CaseScore[], isTrue: (score: CaseScore) => boolean) =>
    `${Math.round((100 * some.filter(isTrue).length) / some.length)} %`;
  const rows = mutationKinds.flatMap((kind) => {
    const some = scores.filter((score) => score.kind === kind);
    if (some.length === 0) return [];
    const rank = (score: CaseScore) => (isOmission(kind) ? score.functionRank : score.rank) ?? Number.POSITIVE_INFINITY;
    const isShown = (score: CaseScore) => (isOmission(kind) ? score.neighbourShown : score.lineShown);
    return [
      row(`  ${kind}${isOmission(kind) ? " (its function)" : ""}`, [
        `${some.length}`,
        percent(some, ({ answered }) => answered),
        ...(suspectsOnly ? [] : [percent(some, isShown)]),
        ...[1, 3, 5, 10].map((n) => percent(some, (score) => rank(score) <= n)),
      ]),
    ];
  });
  return [row(`by kind, ${half}`, columns), ...rows];
}

function cell({ of: measured, unit }: Measure, scores: readonly CaseScore[]): string {
  const value = measured(scores);
  if (value === null) return "-";
  return unit === "%" ? `${value.toFixed(1)} %` : `${value}`;
}

function limitText({ least, most, unit }: Measure): string {
  const limit = least ?? most;
  if (limit === undefined) return "";
  return `${least === undefined ? "<=" : ">="} ${limit}${unit === "%" ? " %" : ""}`;
}

function row(name: string, cells: readonly string[], last = ""): string {
  return `${name.padEnd(42)}${cells.map((text) => text.padStart(11)).join("")}${last.padStart(12)}`.trimEnd();
}
