import { basename } from "node:path";
import type { Explained, Row, Section, ShownValue, WhatIf } from "../explain/explanation.ts";
import { type CallLabel, callLabels } from "./callLabel.ts";
import { WIDTH } from "./gutter.ts";
import type { Paint } from "./paint.ts";
import { oneLine } from "./phrases.ts";

/** Deeper calls are not indented further. */
const mostIndent = 4;
/** Longer texts push their values to the right instead of moving everybody's. */
const mostAligned = 44;
const longestText = 64;

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
    const most = WIDTH - 5 - labelWidth - leastRemark - 2 - (bare === undefined ? 0 : bare.length + 2);
    return `${indent}${shortened(oneLine(row.text), Math.min(longestText, most) - indent.length)}`;
  });
  const column = Math.max(...texts.map(({ length }) => (length <= mostAligned ? length : 0)));
  const untold: number[] = [];
  const lines = rows.map((row, i) => {
    const marks = marksOf(row, explanation);
    const label = `   ${labels[i]!.padEnd(labelWidth)}  `;
    const fitted = [texts[i]!.padEnd(column), texts[i]!]
      .map((text) => fitRow(row, `${label}${text}`, marks))
      .sort((a, b) => misfit(a, marks) - misfit(b, marks))[0]!;
    if (fitted.mark === marks.at(-1) && isRepaired(row, explanation)) untold.push(row.suspect!);
    const text = paintRow(fitted.left, fitted.remark, paint);
    return fitted.mark === "" ? text : `${text}  ${paint.yellow(fitted.mark)}`;
  });
  return { lines: [paint.bold(section.question), ...lines], untold };
}

/** What a change would have done is worth more than all that the line did, but not than what the line is and its result. */
function fitRow(row: Row, left: string, marks: readonly string[]) {
  const room = (mark: string) => WIDTH - left.length - 2 - (mark === "" ? 0 : mark.length + 2);
  const mark = marks.find((each, k) => room(each) >= (k === marks.length - 1 ? 0 : neededFor(row))) ?? "";
  return { left, mark, remark: fittingRemark(row, Math.max(room(mark), leastRemark)) };
}

/** What is missing of a row. */
function misfit({ mark, remark }: ReturnType<typeof fitRow>, marks: readonly string[]): number {
  return (mark === marks.at(-1) && marks.length > 0 ? 2 : 0) + (remark.endsWith("…") ? 1 : 0);
}

const firstMark = "<-- look here";
const otherMark = "<-- or here";
/** More marks would say nothing. */
const mostMarks = 5;
const leastRemark = 12;

/** The room in which a row still says what came of it. */
function neededFor(row: Row): number {
  const shortest = remarksOf(row).at(-1)?.length ?? 0;
  return row.rounds === null ? shortest : Math.min(shortest, shortRemark);
}

const shortRemark = 30;

function paintRow(left: string, remark: string, paint: Paint): string {
  return remark === "" ? left : `${left}  ${paint.cyan(remark)}`;
}

/** Longer names would take the room of what the row did. */
const longestLabel = 24;

/** The function is named where it changes; where its name is long, the file alone. */
function labelOf(row: Row, before: Row | undefined, callLabel: CallLabel): string {
  const isSame =
    before !== undefined &&
    before.function === row.function &&
    before.depth === row.depth &&
    before.location.file === row.location.file;
  if (isSame) return `${row.location.line}`;
  const label = callLabel(row);
  return label.length <= longestLabel ? label : `${basename(row.location.file)}:${row.location.line}`;
}

/** What the row did, in as many words as there is room for: results say more than what they were made from. */
function fittingRemark(row: Row, room: number): string {
  const remarks = remarksOf(row);
  return remarks.find((text) => text.length <= room) ?? shortened(remarks.at(-1) ?? "", room);
}

/** From the longest to the shortest. */
function remarksOf(row: Row): readonly string[] {
  const { rounds, tests, values } = row;
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
  return [
    join([...reads, ...tested], results.map(resultText)),
    join(tested, results.map(resultText)),
    join(tested.slice(-1), results.slice(-1).map(resultText)),
    join(tested.slice(-1), []),
  ].filter((text) => text !== "");
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

/** From the longest to the shortest; none for a row that is no suspect, or a late one. The last has no room for what helped. */
function marksOf(row: Row, { suspects }: Explained): readonly string[] {
  const suspect = row.suspect === null ? undefined : suspects[row.suspect];
  if (suspect === undefined || row.suspect! >= mostMarks) return [];
  const mark = row.suspect === 0 ? firstMark : otherMark;
  const [best] = suspect.whatIfs;
  // Where no change helped there is nothing to tell but what did not happen.
  if (best === undefined) {
    if (suspect.skips === undefined) return [];
    const isTest = row.tests.length > 0;
    return [`${mark}: ${isTest ? `skipped \`${suspect.skips}\`` : `no \`${suspect.skips}\` behind it`}`, mark];
  }
  const { text, short } = best;
  const runs = runsPhrase(best);
  const fewer = runs.replace(" passing runs", "");
  const effect = effectOf(best);
  const texts = [
    `${text} ${effect}${runs}`,
    `${text} ${effect}${fewer}`,
    `${short} ${effect}${fewer}`,
    `${text} ${effect}`,
    `${short} ${effect}`,
    `${short} ${effect.replace("the run passes", "it passes")}`,
  ];
  return [...texts.map((each) => `${mark}: ${each}`), mark];
}

/** Is there an edit that lets the run pass, or something that did not happen? */
function isRepaired({ suspect }: Row, { suspects }: Explained): boolean {
  if (suspect === null || suspect >= mostMarks) return false;
  const best = suspects[suspect]?.whatIfs[0];
  if (best === undefined) return suspects[suspect]?.skips !== undefined;
  return best.kind === "edit" && (suspect === 0 || best.level === "passes");
}

function effectOf({ level }: WhatIf): string {
  return level === "passes" ? "the run passes" : "it gets past this";
}

function runsPhrase({ passingRuns: { asked, broken } }: WhatIf): string {
  return asked === 0 ? "" : `; ${broken} of ${asked} passing runs break`;
}

/** What came of a change. */
export function effectText(whatIf: WhatIf): string {
  return `${effectOf(whatIf)}${runsPhrase(whatIf)}`;
}

export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`;
}
