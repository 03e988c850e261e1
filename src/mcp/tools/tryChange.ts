import { resolve } from "node:path";
import { offsetOf } from "../../base/sourceFile.ts";
import { applyEdits } from "../../changes/change.ts";
import type { TextChange } from "../../commands/explain/result.ts";
import { tryChange } from "../../commands/tryChange/command.ts";
import type { ChangedFile, TryResult } from "../../commands/tryChange/result.ts";
import { unifiedDiff } from "../../render/patch.ts";
import { cutText } from "../../render/recordingText.ts";
import { claim, line, shortened } from "../answer.ts";
import { callError, objects, requiredWord, wholeNumber, word } from "../parameters.ts";
import { type OpenRun, requireUnchanged, type Session } from "../session.ts";
import { tool } from "../tool.ts";

const edit = {
  file: requiredWord(""),
  old: requiredWord("exact text"),
  new: requiredWord(""),
  line: wholeNumber("where old begins, if it is there several times"),
} as const;

const parameters = {
  run: requiredWord(""),
  change: word("c1"),
  edits: objects("or your own", edit),
} as const;

export const tryChangeTool = tool({
  name: "try_change",
  description:
    "Run all tests of an open run with a change that is applied in memory; no file is written. Tells whether the failing test passes, which tests break, and the diff to apply.",
  parameters,
  async answer({ run: id, change, edits }, session, call) {
    const run = session.runs.get(id);
    if ((change === null) === (edits === null))
      throw callError('give either "change" or "edits"', 'A change of explain ("c1"), or edits of your own.');
    requireUnchanged(session, id, run);
    const files =
      change !== null ? changedFiles(run, proposed(id, run, change)) : editedFiles(session, run, edits ?? []);
    if (files.every(({ was, now }) => was === now)) throw callError("the edits change nothing", "Give another text.");
    const { subject } = run;
    const tried = await session.queue.run(tryChange, { changes: files, subject, timeoutSeconds: null }, call);
    return { lines: [...triedLines(tried), ...files.flatMap(diffLines)] };
  },
});

function proposed(id: string, { changes }: OpenRun, change: string): TextChange {
  const found = changes[Number(/^c(\d+)$/.exec(change)?.[1] ?? 0) - 1];
  if (found !== undefined) return found;
  throw callError(
    `run ${id} has no change "${cutText(change, 40)}"`,
    changes.length === 0
      ? "No change was found: give edits of your own."
      : `There ${changes.length === 1 ? "is c1" : `are c1 to c${changes.length}`}.`,
  );
}

function changedFiles({ sources }: OpenRun, { edits }: TextChange): readonly ChangedFile[] {
  const paths = [...new Set(edits.map(({ location }) => location.file))];
  return paths.map((path) => {
    const text = sources.get(path) ?? "";
    const own = edits.filter(({ location }) => location.file === path);
    const placed = own.map(({ location, text: now }) => ({
      start: offsetOf({ text }, location.line, location.column),
      end: offsetOf({ text }, location.endLine, location.endColumn),
      text: now,
    }));
    return { path, was: text, now: applyEdits(text, placed) };
  });
}

type Edit = { readonly file: string; readonly old: string; readonly new: string; readonly line: number | null };

function editedFiles({ workspace }: Session, { sources }: OpenRun, edits: readonly Edit[]): readonly ChangedFile[] {
  if (edits.length === 0) throw callError('"edits" is empty', "Give at least one edit.");
  const files = new Map<string, ChangedFile>();
  for (const each of edits) {
    const real = workspace.path(each.file, "file");
    const path = [...sources.keys()].find((own) => resolve(workspace.root, own) === resolve(workspace.root, real));
    const text = path === undefined ? undefined : sources.get(path);
    if (path === undefined || text === undefined)
      throw callError(`${each.file} is no file of this run`, `Its files are ${[...sources.keys()].join(", ")}.`);
    const before = files.get(path) ?? { path, was: text, now: text };
    files.set(path, { ...before, now: replaced(before.now, each) });
  }
  return [...files.values()];
}

function replaced(text: string, { file, old, new: now, line: wanted }: Edit): string {
  if (old === "") throw callError('"old" is empty', "Give the text that is to be replaced.");
  const found: number[] = [];
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + 1)) found.push(at);
  const lineOf = (at: number) => text.slice(0, at).split("\n").length;
  const fitting = wanted === null ? found : found.filter((at) => lineOf(at) === wanted);
  const [start] = fitting;
  if (start !== undefined && fitting.length === 1) return text.slice(0, start) + now + text.slice(start + old.length);
  const where = wanted === null ? file : `line ${wanted} of ${file}`;
  if (start === undefined) {
    const lines = found.slice(0, 10).map(lineOf).join(", ");
    throw callError(
      `${where} does not have this text: ${cutText(old, 60)}`,
      lines === "" ? "Copy it exactly, white space included." : `It is in line ${lines}.`,
    );
  }
  throw callError(
    `${where} has this text ${fitting.length} times: ${cutText(old, 60)}`,
    `Give more of it, or the line: ${fitting.slice(0, 10).map(lineOf).join(", ")}.`,
  );
}

function triedLines(tried: TryResult): readonly string[] {
  if (tried.kind === "notRun") return [line(`not tried: ${tried.reason}`)];
  const { target, ran, passed, broken, stillFailing, notRun } = tried;
  const isRepaired = target.passes && broken.length + stillFailing.length + notRun.length === 0;
  const verdict = isRepaired
    ? ran === 1
      ? "the failing run passes; there are no other tests"
      : `all ${ran} tests pass`
    : `${target.passes ? `"${target.name}" passes now` : `"${target.name}" still fails: ${target.message}`}; ${passed} of ${ran} tests pass${broken.length + notRun.length === 0 ? ", none breaks" : ""}`;
  return [
    claim(verdict, "re-run"),
    ...broken.map(({ name, message }) => claim(` breaks "${name}": ${message}`, "re-run")),
    ...notRun.map((name) => claim(` "${name}" passed before and did not end with the change`, "re-run")),
    ...stillFailing.map(({ name, message }) => claim(` still fails, as before: "${name}": ${message}`, "re-run")),
  ];
}

/** A patch that is applied as it stands: only lines that no answer has room for are shortened. */
function diffLines({ path, was, now }: ChangedFile): readonly string[] {
  const lines = unifiedDiff(path, was, now).split("\n").slice(0, -1);
  return lines.map((each) => shortened(each, longestDiffLine, longestDiffLine));
}

const longestDiffLine = 500;
