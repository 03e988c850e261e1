import { isAbsolute, normalize, resolve } from "node:path";
import { nth } from "../base/checked.ts";
import { offsetOf } from "../base/sourceFile.ts";
import { applyEdits } from "../changes/change.ts";
import type { Explanation, TextChange } from "../commands/explain/result.ts";
import { passingEffect } from "./chooseRows.ts";

/** A change that passes the tests, as a patch. It is not said to be the correct one. */
export type Patch = {
  readonly file: string;
  /** A unified diff. */
  readonly diff: string;
  /** The whole file before and after the change. */
  readonly before: string;
  readonly text: string;
  /** `all 12 tests pass`. */
  readonly effect: string;
};

/** The change of the first suspect that has one with which all tests pass; null if there is none. */
export function patchOf(explanation: Explanation, source: (path: string) => string | null): Patch | null {
  if (explanation.kind !== "explained") return null;
  for (const { changes } of explanation.suspects) {
    const change = changes.find(isFix);
    const file = change?.edits[0]?.location.file;
    const text = file === undefined ? null : source(file);
    if (change === undefined || file === undefined || text === null) continue;
    const edits = change.edits.map(({ location, text: now }) => ({
      start: offsetOf({ text }, location.line, location.column),
      end: offsetOf({ text }, location.endLine, location.endColumn),
      text: now,
    }));
    const changed = applyEdits(text, edits);
    return {
      file,
      diff: unifiedDiff(file, text, changed),
      before: text,
      text: changed,
      effect: effectOfChange(change),
    };
  }
  return null;
}

/** True if the changed text was run and every test passes with it. */
export function isFix({ level, avoids, confirmed, tests }: TextChange): boolean {
  const fails = tests.broken.length + tests.stillFailing.length;
  return confirmed && level === "passes" && !avoids && fails === 0;
}

export function effectOfChange({ tests: { asked, broken, stillFailing } }: TextChange): string {
  return passingEffect({ asked, broken: broken.length, stillFailing: stillFailing.length });
}

/** Unchanged lines around the change. */
const context = 3;

/** One hunk from the first to the last line that differs. */
export function unifiedDiff(file: string, before: string, after: string): string {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let first = 0;
  while (first < a.length && first < b.length && a[first] === b[first]) first++;
  let same = 0;
  while (same < Math.min(a.length, b.length) - first && a.at(-1 - same) === b.at(-1 - same)) same++;
  const start = Math.max(0, first - context);
  const end = Math.min(same, context);
  const lines = [
    ...a.slice(start, first).map((line) => ` ${line}`),
    ...a.slice(first, a.length - same).map((line) => `-${line}`),
    ...b.slice(first, b.length - same).map((line) => `+${line}`),
    ...Array.from({ length: end }, (_, i) => ` ${nth(a, a.length - same + i)}`),
  ];
  const reachesEnd = end === same;
  // The empty text behind the last line end is no line.
  if (reachesEnd && lines.at(-1) === " ") lines.pop();
  else if (reachesEnd) markMissingEnds(lines);
  const count = (sign: string) => lines.filter((line) => !line.startsWith(sign) && !line.startsWith("\\")).length;
  const head = `@@ -${start + 1},${count("+")} +${start + 1},${count("-")} @@`;
  return [`--- a/${nameInPatch(file)}`, `+++ b/${nameInPatch(file)}`, head, ...lines, ""].join("\n");
}

/** The last line of a text has no line end: after the last line of each side the patch says so. */
function markMissingEnds(lines: string[]): void {
  const mark = "\\ No newline at end of file";
  const isCommon = lines.at(-1)?.startsWith(" ") === true;
  const removed = lines.findLastIndex((line) => line.startsWith("-"));
  lines.push(mark);
  if (!isCommon && removed !== -1 && removed < lines.length - 2) lines.splice(removed + 1, 0, mark);
}

/** `patch` and `git apply` take no path that begins with `/` or `..`; a tab ends a name with blanks. */
function nameInPatch(file: string): string {
  const isBelow = !isAbsolute(file) && !normalize(file).startsWith("..");
  const name = (isBelow ? normalize(file) : resolve(file).replace(/^([A-Za-z]:)?[\\/]/, "")).replaceAll("\\", "/");
  return /\s/.test(name) ? `${name}\t` : name;
}
