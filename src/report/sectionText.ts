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

/** A question and what answers it: place, text and values of each row. */
export function sectionLines(section: Section, explanation: Explained, paint: Paint): readonly string[] {
  const rows = section.rows;
  const least = Math.min(...rows.map(({ depth }) => depth));
  const callLabel = callLabels(explanation.program.files, explanation.failure.location.file);
  const labels = rows.map((row, i) => labelOf(row, rows[i - 1], callLabel));
  const labelWidth = Math.max(...labels.map(({ length }) => length));
  const texts = rows.map((row) => {
    const indent = "  ".repeat(Math.min(row.depth - least, mostIndent));
    const rest = leastRemark + 2 + (marksOf(row, explanation).at(-1)?.length ?? -2) + 2;
    const most = Math.min(longestText, WIDTH - 5 - labelWidth - rest);
    return `${indent}${shortened(oneLine(row.text), most - indent.length)}`;
  });
  const column = Math.max(...texts.map(({ length }) => (length <= mostAligned ? length : 0)));
  const lines = rows.map((row, i) => {
    const left = `   ${labels[i]!.padEnd(labelWidth)}  ${texts[i]!.padEnd(column)}`;
    const marks = marksOf(row, explanation);
    const room = (mark: string) => WIDTH - left.length - 2 - (mark === "" ? 0 : mark.length + 2);
    // What a change would have done is worth more than all that the line did.
    const mark = marks.find((each, k) => room(each) >= (k === marks.length - 1 ? 0 : neededFor(row))) ?? "";
    const remark = fittingRemark(row, Math.max(room(mark), leastRemark));
    const text = paintRow(left, remark, paint);
    return mark === "" ? text : `${text}  ${paint.yellow(mark)}`;
  });
  return [paint.bold(section.question), ...lines];
}

const firstMark = "<-- look here";
/** In the row of the first suspect, where there was room for what a change does. */
export const toldMark = `${firstMark}: `;
/** More marks would say nothing. */
const mostMarks = 5;
const leastRemark = 12;

/** The room in which a row still says what it did. */
function neededFor(row: Row): number {
  return Math.min(fittingRemark(row, shortRemark).length, shortRemark);
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
  const { rounds, tests, values } = row;
  if (rounds !== null) {
    const changes = rounds.changes.slice(0, 2).map(({ text, values: all }) => `${text} ${arrows(all)}`);
    return shortened(oneLine([`x${rounds.count}`, ...changes].join(", ")), room);
  }
  const reads = values
    .filter(({ role }) => role === "read" || role === "argument")
    .map(({ text, value }) => `${text} is ${value}`);
  const results = values.filter(({ role }) => role === "written" || role === "returned");
  const tested = tests.map(({ text }) => text);
  const join = (before: readonly string[], after: readonly string[]) =>
    oneLine([before.join(", "), after.join(", ")].filter((part) => part !== "").join(": "));
  const candidates = [
    join([...reads, ...tested], results.map(resultText)),
    join(tested, results.map(resultText)),
    join(tested.slice(-1), results.slice(-1).map(resultText)),
    join(tested.slice(-1), []),
  ].filter((text) => text !== "");
  return candidates.find((text) => text.length <= room) ?? shortened(candidates.at(-1) ?? "", room);
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

/** From the longest to the shortest; none for a row that is no suspect, or a late one. */
function marksOf(row: Row, { suspects }: Explained): readonly string[] {
  const suspect = row.suspect === null ? undefined : suspects[row.suspect];
  if (suspect === undefined || row.suspect! >= mostMarks) return [];
  const mark = row.suspect === 0 ? firstMark : "<-- or here";
  const [best] = suspect.whatIfs;
  // Where no change helped there is nothing to tell.
  if (best === undefined) return [];
  const short = shortWhatIf(best);
  const full = whatIfText(best);
  const texts = [
    full,
    full.replace(" passing runs break", " break"),
    short,
    short.replace("the run passes", "it passes"),
  ];
  return [...texts.map((text) => `${mark}: ${text}`), mark];
}

/** Without the runs that pass. */
function shortWhatIf({ text, level }: WhatIf): string {
  return `${text.replace(/ here$/, "")} ${level === "passes" ? "the run passes" : "it gets past this"}`;
}

export function whatIfText(whatIf: WhatIf): string {
  const { asked, broken } = whatIf.passingRuns;
  return `${shortWhatIf(whatIf)}${asked === 0 ? "" : `; ${broken} of ${asked} passing runs break`}`;
}

export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`;
}
