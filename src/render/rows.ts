import { basename } from "node:path";
import { nth, present } from "../base/checked.ts";
import { spelledOut } from "../base/text.ts";
import { changesStatement } from "../changes/change.ts";
import type { Explained, ShownValue, WhatIf } from "../commands/explain/result.ts";
import type { Row, Screen, Section } from "./chooseRows.ts";
import { effectOf, effectText, mostMarks, runsPhrase, suspectMark } from "./chooseRows.ts";
import { type Paint, shortened, WIDTH, wrapped } from "./layout.ts";
import { type CallLabel, callLabels, oneLine } from "./phrases.ts";
import { statementDiff } from "./statementDiff.ts";

const mostIndent = 4;
/** Longer texts push their own values to the right. */
const mostAligned = 44;
const longestText = 64;
/** A statement keeps at least this much of its text. */
const leastText = 52;

export type SectionText = {
  readonly lines: readonly string[];
  /** Suspects, by index, whose row had no room for the change that lets the run pass. */
  readonly untold: readonly number[];
};

/** A question and what answers it: place, text and values of each row. */
export function sectionText(section: Section, explanation: Explained, paint: Paint): SectionText {
  const rows = section.rows;
  const least = Math.min(...rows.map(({ depth }) => depth));
  const callLabel = callLabels(explanation.program.files, explanation.failure.location.file);
  const labels = rows.map((row, i) => labelOf(row, rows[i - 1], callLabel));
  const labelWidth = Math.max(...labels.map(({ length }) => length));
  const texts = rows.map((row) => {
    const indent = "  ".repeat(Math.min(row.depth - least, mostIndent));
    const bare = marksOf(row, explanation).at(-1);
    const room = WIDTH - 5 - labelWidth - 2 - (bare === undefined ? 0 : bare.length + 2);
    // A value is worth more than the end of its statement.
    const most = Math.max(room - Math.max(leastRemark, neededFor(row)), Math.min(leastText, room - leastRemark));
    return `${indent}${shortened(oneLine(row.text), Math.min(longestText, most) - indent.length)}`;
  });
  const column = Math.max(...texts.map(({ length }) => (length <= mostAligned ? length : 0)));
  const untold: number[] = [];
  const lines = rows.flatMap((row, i) => {
    const marks = marksOf(row, explanation);
    const label = `   ${nth(labels, i).padEnd(labelWidth)}  `;
    const fitted = nth(
      [nth(texts, i).padEnd(column), nth(texts, i)]
        .map((text) => fitRow(row, `${label}${text}`, marks))
        .sort((a, b) => misfit(a, marks) - misfit(b, marks)),
      0,
    );
    if (fitted.mark === marks.at(-1) && isRepaired(row, explanation)) untold.push(present(row.suspect));
    const mark = fitted.mark === "" ? "" : `  ${paint.yellow(fitted.mark)}`;
    if (!fitted.remark.endsWith("…")) return [`${paintRow(fitted.left, fitted.remark, paint)}${mark}`];
    // The value has lines of its own.
    return [`${fitted.left.trimEnd()}${mark}`, ...ownLines(row, 3 + labelWidth + 2 + mostIndent + 2, paint)];
  });
  return { lines: [paint.bold(section.question), ...lines], untold };
}

/** A successful change matters more than the values of the line, but less than its text and result. */
function fitRow(row: Row, left: string, marks: readonly string[]) {
  const room = (mark: string) => WIDTH - left.length - 2 - (mark === "" ? 0 : mark.length + 2);
  const mark = marks.find((each, k) => room(each) >= (k === marks.length - 1 ? 0 : neededFor(row))) ?? "";
  return { left, mark, remark: fittingRemark(row, Math.max(room(mark), leastRemark)) };
}

/** Counts the missing parts of a row. */
function misfit({ mark, remark }: ReturnType<typeof fitRow>, marks: readonly string[]): number {
  return (mark === marks.at(-1) && marks.length > 0 ? 2 : 0) + (remark.endsWith("…") ? 1 : 0);
}

const leastRemark = 12;

/** The width at which a row can still show its result. */
function neededFor(row: Row): number {
  const shortest = remarksOf(row).at(-1)?.length ?? 0;
  return row.rounds === null ? shortest : Math.min(shortest, shortRemark);
}

const shortRemark = 30;

function paintRow(left: string, remark: string, paint: Paint): string {
  return remark === "" ? left : `${left}  ${paint.cyan(remark)}`;
}

/** Longer names would take too much room. */
const longestLabel = 24;

/** Names the function when it changes; for a long name, only the file. */
function labelOf(row: Row, before: Row | undefined, callLabel: CallLabel): string {
  const isSame =
    before !== undefined &&
    before.function === row.function &&
    before.depth === row.depth &&
    before.location.file === row.location.file;
  if (isSame) return `${row.location.line}`;
  const label = callLabel(row);
  return label.length <= longestLabel ? label : `${spelledOut(basename(row.location.file), "")}:${row.location.line}`;
}

/** A value that is too long for one line continues on the next ones: the next row may depend on its end. */
function ownLines(row: Row, indent: number, paint: Paint): readonly string[] {
  const remarks = remarksOf(row);
  const text = remarks.find(({ length }) => length <= WIDTH - indent) ?? remarks.at(-1) ?? "";
  const start = `${"x".repeat(indent - 1)} `;
  const lines = wrapped(`${start}${text}`, indent).map((line) => line.slice(indent));
  const shown =
    lines.length <= mostValueLines ? lines : [...lines.slice(0, mostValueLines - 1), `${lines[mostValueLines - 1]} …`];
  return shown.map((line) => paintRow(" ".repeat(indent - 2), line, paint));
}

const mostValueLines = 3;

/** The longest remark that fits; results matter more than their operands. */
function fittingRemark(row: Row, room: number): string {
  const remarks = remarksOf(row);
  return remarks.find((text) => text.length <= room) ?? shortened(remarks.at(-1) ?? "", room);
}

function remarksOf(row: Row): readonly string[] {
  const { rounds, tests, values, remarks = [] } = row;
  if (rounds !== null) {
    const changes = rounds.changes.slice(0, 2).map(({ text, values: all }) => `${text} ${arrows(all)}`);
    const times = `${rounds.count.toLocaleString("en-US")} times`;
    return [oneLine(changes.length === 0 ? times : `${times}: ${changes.join(", ")}`)];
  }
  const reads = values
    .filter(({ role }) => role === "read" || role === "argument")
    .map(({ text, value }) => `${text} is ${value}`);
  const results = values.filter(({ role }) => role === "written" || role === "returned");
  const tested = tests.map(({ text }) => text);
  const join = (before: readonly string[], after: readonly string[]) =>
    oneLine([before.join(", "), after.join(", ")].filter((part) => part !== "").join(": "));
  const told = [
    join([...reads, ...tested], results.map(resultText)),
    join(tested, results.map(resultText)),
    join(tested.slice(-1), results.slice(-1).map(resultText)),
    join(tested.slice(-1), []),
  ].filter((text) => text !== "");
  if (remarks.length === 0) return told;
  const also = remarks.join("; ");
  return told.length === 0 ? [also] : told.map((text) => `${text}; ${also}`);
}

function resultText({ role, text, value, was }: ShownValue): string {
  if (role === "returned") return `returns ${value}`;
  return was === undefined ? `${text} = ${value}` : `${text} = ${value}, was ${was}`;
}

/** `1 -> 7 -> 0`: the first and last values and where the direction changes. */
function arrows(values: readonly string[]): string {
  if (values.length <= 4) return values.join(" -> ");
  return `${values[0]} -> ${values[1]} -> … -> ${values.at(-1)}`;
}

/** From the longest to the shortest; none for rows without a likely suspect. The last one omits the change. */
function marksOf(row: Row, { suspects }: Explained): readonly string[] {
  const suspect = row.suspect === null ? undefined : suspects[row.suspect];
  if (suspect === undefined || present(row.suspect) >= mostMarks) return [];
  const mark = `<-- ${suspectMark(suspects, present(row.suspect))}`;
  const [best] = suspect.whatIfs;
  // If no change helped, only a skipped statement can be shown, or the remark on the first suspect.
  if (best === undefined) {
    if (suspect.skips === undefined) return row.suspect === 0 && row.remarks !== undefined ? [mark] : [];
    const isTest = row.tests.length > 0;
    return [`${mark}: ${isTest ? `skipped \`${suspect.skips}\`` : `no \`${suspect.skips}\` behind it`}`, mark];
  }
  const { text, short } = best;
  const effect = effectOf(best);
  const texts = [
    `${text} ${effect}${runsPhrase(best)}`,
    `${text} ${effect}${runsPhrase(best, true)}`,
    `${short} ${effect}${runsPhrase(best, true)}`,
    `${text} ${effect}`,
    `${short} ${effect}`,
    `${short} ${effect === "the run passes" ? "it passes" : effect}`,
  ];
  return [...texts.map((each) => `${mark}: ${each}`), mark];
}

/** True if an edit makes the run pass, or if a statement was skipped. */
function isRepaired({ suspect }: Row, { suspects }: Explained): boolean {
  if (suspect === null || suspect >= mostMarks) return false;
  const best = suspects[suspect]?.whatIfs[0];
  if (best === undefined) return suspects[suspect]?.skips !== undefined;
  return best.kind === "change" && (suspect === 0 || best.level === "passes");
}

/** The first suspect's change as a diff if words do not fit, then the other changes without room in their rows. */
export function changeLines(
  explanation: Explained,
  untold: readonly number[],
  { source, paint }: { readonly source: (path: string) => string | null; readonly paint: Paint },
): readonly string[] {
  const [first] = explanation.suspects;
  const [change] = first?.changes ?? [];
  if (first === undefined || change === undefined || !changesStatement(change.kind, change.edits))
    return whatIfLines(explanation, untold);
  const label = callLabels(explanation.program.files, explanation.failure.location.file)(first);
  // Words that fit into the row of the suspect need no line.
  const inWords = (whatIf: WhatIf) =>
    untold.includes(0) ? `what if: ${label} ${whatIf.text} ${effectText(whatIf)}` : "";
  const diff = statementDiff(first, inWords, source, paint);
  if (diff === null) return whatIfLines(explanation, untold);
  const others = untold.filter((index) => index !== 0);
  return [
    `what if: at ${label} with this ${effectText(first.whatIfs[0]!)}`,
    ...diff,
    ...whatIfLines(explanation, others),
  ];
}

/** The changes that did not fit into their rows, likeliest suspect first; equal effects are merged. One change may blame several lines. */
function whatIfLines({ suspects, program, failure }: Explained, untold: readonly number[]): readonly string[] {
  const callLabel = callLabels(program.files, failure.location.file);
  const byEffect = new Map<string, string[]>();
  const skipped: string[] = [];
  const told = new Set<string>();
  for (const index of [...untold].sort((a, b) => a - b)) {
    const { whatIfs, skips, changes } = nth(suspects, index);
    const [whatIf] = whatIfs;
    const label = callLabel(nth(suspects, index));
    if (whatIf === undefined) {
      skipped.push(`\`${skips}\` at ${label}`);
      continue;
    }
    const edits = whatIf.kind === "change" ? JSON.stringify(changes[0]?.edits) : `${index}`;
    if (told.has(edits)) continue;
    told.add(edits);
    const effect = effectText(whatIf);
    const change = untold.length === 1 ? whatIf.text : whatIf.short;
    byEffect.set(effect, [...(byEffect.get(effect) ?? []), `${label} ${change}`]);
  }
  const parts = [...byEffect].map(([effect, changes]) => `${changes.join(", or ")} ${effect}`);
  return [
    ...(parts.length === 0 ? [] : wrapped(`what if: ${parts.join("; ")}`, 9)),
    ...(skipped.length === 0 ? [] : wrapped(`not done: ${skipped.join(", ")}`, 10)),
  ];
}

const heading = "also:   ";
const between = "  |  ";

const layouts = [
  { most: 1, longest: 34 },
  { most: 1, longest: 24 },
  { most: 2, longest: 34 },
  { most: 2, longest: 24 },
  { most: 2, longest: 18 },
] as const;

/** Suspects that are less likely together do not start a new line. */
const unlikely = 0.03;

export type AlsoText = {
  readonly lines: readonly string[];
  /** Indices of suspects. */
  readonly shown: readonly number[];
};

/** Suspects without a row, as many as fit: `also: push:31 s->count++;  |  32 return true;`. */
export function alsoSuspects(explanation: Explained, also: Screen["also"]): AlsoText {
  const likely = likelyOnes(explanation, also);
  if (likely === 0) return { lines: [], shown: [] };
  const texts = layouts.map((layout) => layOut(explanation, also, layout));
  return texts.find(({ shown }) => shown.length >= likely) ?? present(texts.at(-1));
}

/** The number of suspects without a row that must be listed so that the others are unlikely. */
function likelyOnes({ suspects }: Explained, also: Screen["also"]): number {
  const weights = also.map((index) => Math.round(1000 * nth(suspects, index).weight) / 1000);
  let left = weights.reduce((sum, weight) => sum + weight, 0);
  const enough = weights.findIndex((weight) => {
    if (left <= unlikely) return true;
    left -= weight;
    return false;
  });
  return enough === -1 ? also.length : enough;
}

function layOut(
  { suspects, failure, program }: Explained,
  also: Screen["also"],
  { most, longest }: (typeof layouts)[number],
): AlsoText {
  const callLabel = callLabels(program.files, failure.location.file);
  const lines: string[] = [];
  const shown: number[] = [];
  let last: string | null = null;
  for (const index of also) {
    const { function: fn, location, statement } = nth(suspects, index);
    const name = `${location.file} ${fn}`;
    const label = name === last ? `${location.line}` : callLabel({ function: fn, location });
    const item = `${label} ${shortened(oneLine(statement), longest)}`;
    const line = lines.at(-1);
    const isFitting = line !== undefined && line.length + between.length + item.length <= WIDTH;
    if (isFitting) lines[lines.length - 1] = `${line}${between}${item}`;
    else if (lines.length === most) break;
    else lines.push(`${lines.length === 0 ? heading : " ".repeat(heading.length)}${item}`);
    shown.push(index);
    last = name;
  }
  return { lines, shown };
}
