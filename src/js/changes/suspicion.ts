import { existsSync, readFileSync } from "node:fs";
import { rangeBetweenOffsets } from "../../base/sourceFile.ts";
import { ochiai } from "../../changes/ochiai.ts";
import { readSites } from "./proposeChanges.ts";
import type { ReachedFunctions } from "./surveyWorker.ts";

type Reached = {
  readonly run: { readonly tests: readonly { readonly id: { file: string; name: string }; readonly state: string }[] };
  readonly files: readonly {
    readonly file: string;
    readonly load: ReachedFunctions;
    readonly tests: readonly { readonly name: string; readonly functions: ReachedFunctions }[];
  }[];
};

/** How much the tests speak against a line, between 0 and 1. */
export type Suspicion = (path: string, line: number) => number;

/** For lines of tests, and of functions that no test was seen to reach. */
const unknown = 0.05;

/**
 * The suspicion of a line is that of its function: high if the failing tests enter it and the passing ones do not.
 * All tests of a file reach what runs while the file is loaded.
 */
export function suspicionOf({ run, files }: Reached): Suspicion {
  const states = new Map(run.tests.map(({ id, state }) => [`${id.file}\n${id.name}`, state]));
  const counts = new Map<string, { failed: number; passed: number }>();
  let failing = 0;
  for (const { file, load, tests } of files) {
    for (const { name, functions } of tests) {
      const state = states.get(`${file}\n${name}`);
      if (state !== "failed" && state !== "passed") continue;
      if (state === "failed") failing++;
      for (const key of new Set([...keysOf(load), ...keysOf(functions)])) {
        const count = counts.get(key) ?? { failed: 0, passed: 0 };
        counts.set(key, count);
        count[state]++;
      }
    }
  }
  const functionAt = functionFinder();
  return (path, line) => {
    const count = counts.get(`${path}\n${functionAt(path, line)}`);
    if (count === undefined || failing === 0) return unknown;
    return Math.max(unknown, ochiai(count.failed, count.passed, failing));
  };
}

/** The module itself has the number 0. */
function keysOf(reached: ReachedFunctions): readonly string[] {
  return Object.entries(reached).flatMap(([path, starts]) => [0, ...starts].map((start) => `${path}\n${start}`));
}

type Ranges = readonly { readonly start: number; readonly first: number; readonly last: number }[];

/** Finds the innermost function that contains a line, by its offset. */
function functionFinder(): (path: string, line: number) => number {
  const known = new Map<string, Ranges>();
  const rangesOf = (path: string): Ranges => {
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    return (readSites({ path, text })?.sites.functions ?? [])
      .filter(({ node }) => node.type !== "Program")
      .map(({ node, start }) => {
        const { line, endLine } = rangeBetweenOffsets({ path, text }, node.start, node.end);
        return { start, first: line, last: endLine };
      })
      .sort((a, b) => a.last - a.first - (b.last - b.first));
  };
  return (path, line) => {
    const ranges = known.get(path) ?? rangesOf(path);
    known.set(path, ranges);
    return ranges.find(({ first, last }) => first <= line && line <= last)?.start ?? 0;
  };
}

/** Among so many lines next to the failure, suspicion decides. */
const nearby = 20;

/** Orders lines: those that are near to the failure, with `distance` lines before them, and suspicious come first. */
export function orderOf(suspicion: number, distance: number): number {
  return -(suspicion ** 2) / (distance + nearby);
}
