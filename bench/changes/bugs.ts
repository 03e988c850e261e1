import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nth } from "../../src/base/checked.ts";

/** A wrong program with its correction and tests. */
export type Bug = {
  readonly name: string;
  readonly folder: string;
  readonly path: string;
  readonly text: string;
  /** The lines that the correction changes; the neighbours of inserted lines. */
  readonly lines: readonly number[];
  readonly given: readonly TestFiles[];
  readonly heldOut: readonly TestFiles[];
};

export type TestFiles = { readonly name: string; readonly input: string; readonly output: string };

/** At most this many lines are changed. */
const mostLines = 3;

/** The bugs of a folder whose correction is one hunk, in random order. Contests divisible by three are sealed. */
export function bugsOf(folder: string, seed: number): readonly Bug[] {
  const bugs = readdirSync(folder)
    .sort()
    .flatMap((name) => bugOf(folder, name) ?? []);
  const random = numbersFrom(seed);
  return bugs
    .map((bug) => ({ bug, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ bug }) => bug);
}

function bugOf(parent: string, name: string): Bug | null {
  const match = /^((\d+)-\w+)-bug-(\d+)-(\d+)$/.exec(name);
  if (match === null || Number(match[2]) % 3 === 0) return null;
  const folder = join(parent, name);
  const path = join(folder, `${match[1]}-${match[3]}.c`);
  const corrected = join(folder, `${match[1]}-${match[4]}.c`);
  if (!existsSync(path) || !existsSync(corrected)) return null;
  const text = readFileSync(path, "latin1");
  const lines = changedLines(text, readFileSync(corrected, "latin1"));
  const given = testsOf(folder, /^input-/);
  const hasFailing = given.some((test) => test.name.includes("neg"));
  if (lines === null || !hasFailing) return null;
  return { name, folder, path, text, lines, given, heldOut: testsOf(folder, /^heldout-input-/) };
}

function testsOf(folder: string, isInput: RegExp): readonly TestFiles[] {
  return readdirSync(folder)
    .filter((name) => isInput.test(name) && existsSync(join(folder, name.replace("input", "output"))))
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .map((name) => ({ name, input: join(folder, name), output: join(folder, name.replace("input", "output")) }))
    .filter(({ input, output }) => !isCut(input) && !isCut(output));
}

/** Long inputs and outputs were cut when the data was collected, and end in dots. */
function isCut(path: string): boolean {
  return readFileSync(path, "latin1").trimEnd().endsWith("...");
}

/** The changed lines if they are one block; null otherwise. White space outside of strings does not count. */
export function changedLines(before: string, after: string): readonly number[] | null {
  const [a, b] = [before, after].map((text) => linesOf(text)) as [Line[], Line[]];
  let first = 0;
  while (first < a.length && first < b.length && nth(a, first).text === nth(b, first).text) first++;
  let last = 0;
  const room = Math.min(a.length, b.length) - first;
  while (last < room && nth(a, a.length - 1 - last).text === nth(b, b.length - 1 - last).text) last++;
  const removed = a.slice(first, a.length - last);
  const added = b.slice(first, b.length - last);
  if (removed.length > mostLines || added.length > 2 * mostLines) return null;
  if (removed.length > 0) return removed.map(({ number }) => number);
  return [a[first - 1]?.number ?? 1, a[first]?.number ?? 1];
}

type Line = { readonly text: string; readonly number: number };

function linesOf(text: string): Line[] {
  return text
    .split("\n")
    .map((line, i) => ({ text: line.replaceAll(/("(?:\\.|[^"\\])*")|\s+/g, "$1"), number: i + 1 }))
    .filter(({ text: own }) => own !== "");
}

/** A small generator of numbers between 0 and 1: the same for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
