import type {
  Explained,
  Explanation,
  Suspect,
  TextChange,
  WhatIf,
  WhyGraph,
} from "../../src/commands/explain/result.ts";
import { mostMarks, suspectMark } from "../../src/render/chooseRows.ts";
import type { PageData } from "../../src/render/page/pageData.ts";

/** The report as an explanation, or the one that another command made of its run; null for none. */
export function explanationOf({ report, explanation }: PageData): Explanation | null {
  const explained = report.command === "explain" ? report : explanation;
  return explained === undefined ? null : (explained as unknown as Explanation);
}

export function explainedOf(data: PageData): Explained | null {
  const explanation = explanationOf(data);
  return explanation?.kind === "explained" ? explanation : null;
}

/** Suspects by file and line, the likeliest first, with the words that the screen marks them with. */
export function marksOf(explained: Explained | null): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  if (explained === null) return marks;
  const { suspects } = explained;
  for (const [i, { location, weight }] of suspects.slice(0, mostMarks).entries()) {
    const key = `${location.file}:${location.line}`;
    if ((i === 0 || weight >= leastWeight) && !marks.has(key)) marks.set(key, suspectMark(suspects, i));
  }
  return marks;
}

const leastWeight = 0.02;

/** What an event of the report depends on: for pages without a recording. */
export function causesOf({ nodes, edges }: WhyGraph, id: number) {
  return edges.flatMap(({ from, to, kind }) => {
    const node = to === id ? nodes[from] : undefined;
    return node === undefined ? [] : [{ kind, node }];
  });
}

/** A line of a diff. */
export type DiffLine = { readonly sign: "-" | "+"; readonly line: number; readonly text: string };

/** The lines that a change replaces, before and after. */
export function diffOf({ edits }: TextChange, files: PageData["files"]): readonly DiffLine[] {
  const [first] = edits;
  const file = files.find(({ path }) => path === first?.location.file);
  if (first === undefined || file === undefined) return [];
  const lines = file.text.split("\n");
  const from = Math.min(...edits.map(({ location }) => location.line));
  const to = Math.max(...edits.map(({ location }) => location.endLine));
  let after = lines.slice(from - 1, to).join("\n");
  const starts = [0];
  for (const line of lines.slice(from - 1, to)) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  const offset = (line: number, column: number) => (starts[line - from] ?? 0) + column - 1;
  const ordered = [...edits].sort((a, b) => b.location.line - a.location.line || b.location.column - a.location.column);
  for (const { location, text } of ordered) {
    const { line, column, endLine, endColumn } = location;
    after = after.slice(0, offset(line, column)) + text + after.slice(offset(endLine, endColumn));
  }
  const removed = lines.slice(from - 1, to).map((text, i): DiffLine => ({ sign: "-", line: from + i, text }));
  const added = after.split("\n").map((text, i): DiffLine => ({ sign: "+", line: from + i, text }));
  return [...removed, ...added];
}

/** A change or experiment with which the run goes another way. */
export type ListedChange = {
  readonly suspect: Suspect;
  readonly rank: number;
  readonly change: TextChange | null;
  readonly whatIf: WhatIf | null;
};

/** Confirmed changes first, then flips and values, then changes that were not run as programs of their own. */
export function changesOf(explained: Explained): readonly ListedChange[] {
  const listed = explained.suspects.flatMap((suspect, rank): ListedChange[] => [
    ...suspect.changes.map((change) => ({ suspect, rank, change, whatIf: null })),
    ...suspect.whatIfs
      .filter(({ kind }) => kind !== "change")
      .map((whatIf) => ({ suspect, rank, change: null, whatIf })),
  ]);
  return listed.sort((a, b) => groupOf(a) - groupOf(b) || a.rank - b.rank);
}

/** Changes that pass all tests come first, those that only avoid the failing check after flips and values. */
function groupOf({ change, whatIf }: ListedChange): number {
  if (change === null) return whatIf?.level === "passes" ? 2 : 5;
  if (change.avoids) return 4;
  if (!change.confirmed) return 3;
  return change.level === "passes" && change.tests.broken.length === 0 ? 0 : 1;
}

/** `all 12 other tests pass`, `2 of 12 other tests break`. */
export function testsText({ tests: { asked, broken, stillFailing } }: TextChange): string {
  const still = `${stillFailing.length} that failed before still ${stillFailing.length === 1 ? "fails" : "fail"}`;
  if (asked === 0) return stillFailing.length === 0 ? "there are no other tests" : `of the other tests, ${still}`;
  const more = stillFailing.length === 0 ? "" : `; ${still}`;
  if (broken.length > 0)
    return `${broken.length} of ${asked} other tests break: ${broken.slice(0, 5).join(", ")}${more}`;
  return asked === 1 ? `the other test passes${more}` : `all ${asked} other tests pass${more}`;
}

/** Control characters are shown, and so is what changes the direction of text. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => {
    if (character === "\n" || character === "\t") return character;
    const code = character.codePointAt(0) ?? 0;
    return code < 32 ? String.fromCodePoint(0x2400 + code) : "\ufffd";
  });
}
