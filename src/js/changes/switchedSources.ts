import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nth } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import { changeKinds } from "../../changes/kinds.ts";
import type { RunnerSession } from "../runners/session.ts";
import type { Proposal } from "./draft.ts";
import { proposeChanges, readSites, type SourceToChange } from "./proposeChanges.ts";
import type { ReplacedSources } from "./replaced/replaceSources.ts";
import type { SurveyedFile } from "./surveyWorker.ts";
import { compileSwitches, type Switch } from "./switches.ts";

export type ReachedFile = SourceToChange & { readonly functions: ReadonlySet<number> };

/** The sources whose functions the test enters, and those that are loaded for it. */
export function reachedFiles({ load, tests }: SurveyedFile, name: string): readonly ReachedFile[] {
  const own = tests.find((test) => test.name === name)?.functions ?? {};
  return [...new Set([...Object.keys(own), ...Object.keys(load)])].flatMap((path) => {
    if (!existsSync(path)) return [];
    const read = readSites({ path, text: readFileSync(path, "utf8") });
    return read === null ? [] : [{ ...read, functions: new Set([0, ...(own[path] ?? []), ...(load[path] ?? [])]) }];
  });
}

type Compiled = { readonly sources: ReplacedSources; readonly switches: readonly Switch[] };

/** More would not be tried in time, and a large source takes long to load. */
const mostSwitches = 6000;

export function compileAll(files: readonly ReachedFile[], rank: (file: string, line: number) => number): Compiled {
  const proposed = files.map((file) => ({ file, proposals: proposeChanges(file, file.functions) }));
  const all = proposed.flatMap(({ proposals }) => proposals.map((proposal) => ({ proposal })));
  const order = inTurns(all, ({ proposal: { change } }) => rank(change.file, change.lines[0] ?? 0));
  const chosen = new Set(order.slice(0, mostSwitches).map(({ proposal }) => proposal));
  const sources: Record<string, { was: string; now: string }> = {};
  const switches: Switch[] = [];
  for (const { file, proposals } of proposed) {
    const wanted = proposals.filter((each) => chosen.has(each));
    const compiled = compileSwitches(file, wanted, switches.length + 1);
    if (compiled.switches.length === 0) continue;
    sources[file.path] = { was: file.text, now: compiled.text };
    switches.push(...compiled.switches);
  }
  return { sources, switches };
}

/** So many lines, and so many changes of a line, are as good as the first. */
const similarLines = 10;
const similarChanges = 10;

/**
 * Changes of likely lines first, but not all of a line before the first of the next one: the likeliest kinds of change of
 * many lines come before rare ones of the first lines.
 */
export function inTurns<Item extends { readonly proposal: Proposal }>(
  items: readonly Item[],
  rank: (item: Item) => number,
): readonly Item[] {
  const byLine = new Map<string, Item[]>();
  for (const item of items) {
    const { file, lines } = item.proposal.change;
    remembered(byLine, `${file}:${lines[0]}`, () => []).push(item);
  }
  const stage = ({ proposal }: Item) => changeKinds[proposal.change.kind].stage;
  return [...byLine.values()]
    .map((own) => ({ own: own.toSorted((a, b) => stage(a) - stage(b)), rank: rank(nth(own, 0)) }))
    .sort((a, b) => a.rank - b.rank)
    .flatMap(({ own }, line) => own.map((item, i) => ({ item, key: (line + similarLines) * (i + similarChanges) })))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** The first number of the switches of the same place. */
export function placesOf(switches: readonly Switch[]): (number: number) => number {
  const places = new Map<number, number>();
  let [first, key] = [0, ""];
  for (const { number, proposal } of switches) {
    const own = `${proposal.change.file} ${proposal.form} ${proposal.start} ${proposal.end}`;
    if (own !== key) [first, key] = [number, own];
    places.set(number, first);
  }
  return (number) => places.get(number) ?? number;
}

export function writeSources(session: RunnerSession, name: string, sources: ReplacedSources): string {
  const path = join(session.folder, name);
  const there = Object.entries(sources).map(([source, texts]) => [session.pathOf(source), texts] as const);
  writeFileSync(path, JSON.stringify(Object.fromEntries(there)));
  return path;
}
