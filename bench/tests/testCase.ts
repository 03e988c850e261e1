import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { sourceFile } from "../../src/base/sourceFile.ts";
import { applyEdits, type TextEdit } from "../../src/changes/change.ts";
import type { Explanation, Suspect, TextChange } from "../../src/commands/explain/result.ts";
import { shownLines } from "../mutants/shownLines.ts";
import { type PlainResults, plainResults } from "./plainResults.ts";
import { runTimed } from "./processorTime.ts";

/** A fault in a project with tests. */
export type TestCase = {
  readonly name: string;
  /** Relative to the file of the case. */
  readonly project: string;
  readonly command: readonly string[];
  /** The failing test to explain; null for the first one. */
  readonly test: string | null;
  /** The faulty file; `edit` puts the fault in, null if it is there already. */
  readonly file: string;
  readonly edit: TextEdit | null;
  /** The faulty lines. For deleted code also those around it. */
  readonly lines: readonly number[];
};

export type CaseResult = {
  readonly name: string;
  /** Why there is no explanation; null if there is one. */
  readonly error: string | null;
  /** Processor time of the command and all its processes. */
  readonly seconds: number;
  readonly wall: number;
  /** The place of the faulty line among the suspects, from 1; 0 if it is not among them. */
  readonly rank: number;
  readonly isOnScreen: boolean;
  readonly isInGraph: boolean;
  readonly head: string;
  /** The changes that are shown as passing, and whether the runner agrees. */
  readonly changes: readonly { readonly text: string; readonly isTrue: boolean; readonly why: string }[];
  readonly isTreeUnchanged: boolean;
  readonly notes: readonly string[];
};

export function readCases(folder: string): readonly TestCase[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => {
      const read = JSON.parse(readFileSync(join(folder, name), "utf8")) as TestCase;
      return { ...read, name: basename(name, ".json"), project: resolve(folder, read.project) };
    });
}

/** Explains a case with the built command in a copy of its project, and tries what it says. */
export async function explainCase(
  given: TestCase,
  built: string,
  applies: boolean,
  keep: string | null = null,
): Promise<CaseResult> {
  const root = join(mkdtempSync(join(tmpdir(), "tracefold-case-")), basename(given.project));
  try {
    copyProject(given.project, root);
    const path = join(root, given.file);
    if (given.edit !== null) writeFileSync(path, applyEdits(readFileSync(path, "utf8"), [given.edit]));
    const before = digestOf(root);
    const start = performance.now();
    const ran = await runTracefold(root, given, built);
    const wall = (performance.now() - start) / 1000;
    const isTreeUnchanged = digestOf(root) === before;
    const base = { name: given.name, seconds: ran.seconds, wall, isTreeUnchanged };
    if (ran.explanation === null) return { ...base, ...nothing, error: ran.said };
    if (keep !== null) writeFileSync(join(keep, `${given.name}.json`), JSON.stringify(ran.explanation));
    return { ...base, error: null, ...measure(ran.explanation, given, root, applies) };
  } finally {
    rmSync(resolve(root, ".."), { recursive: true, force: true });
  }
}

const nothing = { rank: 0, isOnScreen: false, isInGraph: false, head: "", changes: [], notes: [] };

export function copyProject(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (source) => !/^(node_modules|\.git)$/.test(basename(source)) });
  symlinkSync(join(from, "node_modules"), join(to, "node_modules"));
}

function digestOf(root: string): string {
  const hash = createHash("sha256");
  const visit = (folder: string): void => {
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      if (name === "node_modules") continue;
      hash.update(name);
      if (statSync(path).isDirectory()) visit(path);
      else hash.update(readFileSync(path));
    }
  };
  visit(root);
  return hash.digest("hex");
}

type Ran = { readonly explanation: Explanation | null; readonly said: string; readonly seconds: number };

async function runTracefold(root: string, { test, command }: TestCase, built: string): Promise<Ran> {
  const words = [
    resolve(built, "cli/main.js"),
    "explain",
    "--format",
    "json",
    ...(test === null ? [] : ["--test", test]),
    "--",
    ...command,
  ];
  const { stdout, stderr, seconds } = await runTimed([process.execPath, ...words], root, mostMilliseconds);
  const said = stderr.trim();
  try {
    return { explanation: JSON.parse(stdout) as Explanation, said, seconds };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { explanation: null, said: said === "" ? "it printed nothing" : said, seconds };
  }
}

const mostMilliseconds = 180_000;

function measure(explanation: Explanation, { file, lines, command }: TestCase, root: string, applies: boolean) {
  if (explanation.kind !== "explained") return { ...nothing, error: explanation.kind };
  const text = readFileSync(join(root, file), "utf8");
  const isFaulty = (location: Suspect["location"]) =>
    location.file === file && lines.some((line) => location.line <= line && line <= location.endLine);
  const shown = shownLines(explanation, text, file);
  const before = applies ? plainResults(root, command) : [];
  const tried = applies ? explanation.suspects : [];
  const changes = tried.flatMap(({ whatIfs, changes: all }) => {
    // What the screen shows is the first confirmed change of a line.
    const change = whatIfs.length === 0 ? undefined : all.find(({ confirmed }) => confirmed);
    return change === undefined ? [] : [tryChange(change, explanation.tests?.explained ?? "", before, root, command)];
  });
  return {
    rank: explanation.suspects.findIndex(({ location }) => isFaulty(location)) + 1,
    isOnScreen: shown.some((line) => lines.includes(line)),
    isInGraph: explanation.graph.nodes.some(({ location }) => isFaulty(location)),
    head: explanation.failure.message,
    changes,
    notes: explanation.notes.map(({ message }) => message),
  };
}

/** Applies a change to the source and runs the project's own runner. */
function tryChange(
  { edits, text, tests }: TextChange,
  target: string,
  before: PlainResults,
  root: string,
  command: readonly string[],
): CaseResult["changes"][number] {
  const [first] = edits;
  if (first === undefined) return { text, isTrue: false, why: "it has no edits" };
  const path = join(root, first.location.file);
  const original = readFileSync(path, "utf8");
  const source = sourceFile(first.location.file, original);
  const offset = (line: number, column: number) =>
    source.text
      .split("\n")
      .slice(0, line - 1)
      .reduce((sum, each) => sum + each.length + 1, 0) +
    column -
    1;
  const changed = applyEdits(
    original,
    edits.map(({ location, text: now }) => ({
      start: offset(location.line, location.column),
      end: offset(location.endLine, location.endColumn),
      text: now,
    })),
  );
  writeFileSync(path, changed);
  const after = plainResults(root, command);
  writeFileSync(path, original);
  const state = after.find(({ name }) => name === target)?.state;
  const failuresOf = (results: PlainResults) =>
    new Set(results.flatMap(({ file, name, state: how }) => (how === "failed" ? [`${file}\n${name}`] : [])));
  const earlier = failuresOf(before);
  const broken = [...failuresOf(after)].filter((key) => !earlier.has(key)).length;
  const claimed = tests?.broken.length ?? 0;
  const why =
    state !== "passed"
      ? `the test is ${state ?? "not there"}`
      : broken !== claimed
        ? `it breaks ${broken} tests, not ${claimed}`
        : "";
  return { text, isTrue: why === "", why };
}
