import { offsetOf } from "../base/sourceFile.ts";
import { applyEdits } from "../changes/change.ts";
import type { Suspect, TextChange, WhatIf } from "../commands/explain/result.ts";
import { type Paint, shortened, WIDTH } from "./layout.ts";
import { oneLine } from "./phrases.ts";

/** More lines are told in words. */
const mostLines = 3;

/**
 * The lines that the change of a suspect removes and adds, if one line of words (`inWords`) does not say it: the
 * words are too long, or name the new text only in part. Null if there is no such change.
 */
export function statementDiff(
  { whatIfs, changes }: Suspect,
  inWords: (whatIf: WhatIf) => string,
  source: (path: string) => string | null,
  paint: Paint,
): readonly string[] | null {
  const [whatIf] = whatIfs;
  const [change] = changes;
  const path = change?.edits[0]?.location.file;
  if (whatIf?.kind !== "change" || change === undefined || path === undefined) return null;
  if (isTold(whatIf) && inWords(whatIf).length <= WIDTH) return null;
  const text = source(path);
  if (text === null) return null;
  const { removed, added } = changedLines(text, changedText(text, change));
  if (removed.length + added.length > mostLines || added.length === 0) return null;
  const line = (sign: string, content: string) => shortened(`   ${sign} ${oneLine(content.trim())}`, WIDTH);
  const without = (content: string) => paint.red(line("-", content));
  const withNew = (content: string) => paint.green(line("+", content));
  const [old = "", now = ""] = [removed[0]?.trim(), added[0]?.trim()];
  if (removed.length === 1 && added.length === 1) {
    if (now.endsWith(old)) return [withNew(now.slice(0, now.length - old.length)), line(" ", old)];
    if (now.startsWith(old)) return [line(" ", old), withNew(now.slice(old.length))];
  }
  return [...removed.map(without), ...added.map(withNew)];
}

/** True if the words have the whole new text, or the place that a statement is moved to. */
function isTold({ text }: WhatIf): boolean {
  return /`|moved|swapped/.test(text) && !text.includes("…`");
}

function changedText(text: string, { edits }: TextChange): string {
  const offsets = edits.map(({ location: { line, column, endLine, endColumn }, text: now }) => ({
    start: offsetOf({ text }, line, column),
    end: offsetOf({ text }, endLine, endColumn),
    text: now,
  }));
  return applyEdits(text, offsets);
}

/** The lines between the first and the last difference that the other text does not have, without empty ones. */
function changedLines(before: string, after: string) {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let first = 0;
  while (first < Math.min(a.length, b.length) && a[first] === b[first]) first++;
  let last = 0;
  while (last < Math.min(a.length, b.length) - first && a.at(-1 - last) === b.at(-1 - last)) last++;
  const [old, now] = [a.slice(first, a.length - last), b.slice(first, b.length - last)];
  return {
    removed: old.filter((line) => line.trim() !== "" && !now.includes(line)),
    added: now.filter((line) => line.trim() !== "" && !old.includes(line)),
  };
}
