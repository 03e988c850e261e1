import { nth, present } from "../base/checked.ts";
import { isWithin } from "../base/sourceRange.ts";
import type { Explained, Suspect, WhatIf, WhyNode } from "../commands/explain/result.ts";

export type Screen = {
  readonly sections: readonly Section[];
  /** Indices of suspects that are listed without a row. */
  readonly also: readonly number[];
  /** The number of omitted rows. */
  readonly cut: number;
};

export type Section = { readonly question: string; readonly rows: readonly Row[] };

/** One row: an execution, and earlier executions of the same line that it represents. */
export type Row = WhyNode & {
  /** The executions that the row represents; null for a single one. */
  readonly rounds: Rounds | null;
  /** Index in `suspects`; null if the row is no suspect. */
  readonly suspect: number | null;
};

/** Several executions of one line. */
export type Rounds = {
  readonly count: number;
  /** The values that the line wrote, in order; of very many, the first and the last few. */
  readonly changes: readonly { readonly text: string; readonly values: readonly string[] }[];
};

/** A row to show, best first: a node, optionally with the way from it to the failure. */
type RowRequest = {
  readonly node: number;
  readonly way: readonly number[] | null;
  /** Skip it if there are already this many rows. */
  readonly unless?: number;
};

type Line = { readonly node: number; readonly before: readonly number[]; readonly count: number };

/** The number of suspects with rows; one that is likelier than all others together gets fewer beside it. */
const isLikely = 0.8;
/** Less likely suspects get no row. */
const leastWeight = 0.02;
const fewLines = 7;
const manyLines = 9;
/** Recordings are not proved, so the chain is shown farther. */
const recordedLines = 12;
/** The number of suspects that are listed if there is room. */
const mostNamed = 24;
/** Shorter chains are extended by the rows nearest to the failure. */
const fewestRows = 3;

export type ScreenOptions = {
  readonly all?: boolean;
  /** The largest number of rows and questions; with `all`, unlimited by default. */
  readonly lines?: number;
};

/**
 * Chooses the visible part of an explanation: rows for the likeliest suspects with their ways to the failure, names for
 * the others.
 */
export function screenOf(explained: Explained, { all = false, lines: wanted }: ScreenOptions = {}): Screen {
  const { graph, suspects } = explained;
  const isRecording = graph.source === "recording";
  const asked = suspects.map(({ node, way }) => ({ node: node ?? -1, way }));
  const marked = asked.slice(0, mostMarks).filter((_, i) => i === 0 || nth(suspects, i).weight >= leastWeight);
  const isSure = suspects.slice(0, marked.length).reduce((sum, { weight }) => sum + weight, 0) >= isLikely;
  const nearest = nearestFirst(explained);
  const requests = all
    ? [...asked, ...nearest]
    : [
        ...marked.slice(0, 1),
        // An execution of its own: others of the line are not merged with it.
        ...graph.starts.map((node) => ({ node, way: [node] })),
        ...backboneRows(explained),
        ...marked.slice(1),
        ...operandRows(explained, marked),
        ...(graph.passed === undefined ? [] : [{ node: graph.passed, way: null }]),
        ...carrierRows(explained),
        ...(isRecording ? nearest : nearest.map((request) => ({ ...request, unless: fewestRows }))),
      ];
  const usual = isRecording ? recordedLines : isSure ? fewLines : manyLines;
  const most = wanted ?? (all ? Number.POSITIVE_INFINITY : usual);
  const ways = new Set(requests.flatMap(({ node, way }) => (way === null ? [] : [node])));
  const { chosen, left } = chooseNodes(explained, requests, ways, most);
  const lines = collapse(graph.nodes, chosen, ways).filter((line, _, every) => !isRepeated(graph.nodes, line, every));
  const rows = rowsOf(explained, lines);
  const shown = new Set(rows.flatMap(({ suspect }) => suspect ?? []));
  const named = all ? suspects.length : Math.min(mostNamed, suspects.length);
  const also = suspects
    .slice(0, named)
    .flatMap((suspect, i) => (shown.has(i) || isHead(explained, suspect) || isIdle(suspect) ? [] : [i]));
  return { sections: sectionsOf(explained, rows), also, cut: left };
}

/** True if the suspect is on the failing line, which the head shows. */
function isHead({ failure: { location } }: Explained, suspect: Suspect): boolean {
  return suspect.location.file === location.file && suspect.location.line === location.line;
}

/** True if no change helped there and it is as unlikely as all other such suspects. */
function isIdle({ whatIfs, skips, weight }: Suspect): boolean {
  return whatIfs.length === 0 && skips === undefined && weight < leastIdle;
}

const leastIdle = 0.01;

/**
 * The number of rows for the value that the likeliest suspect affects; the other values are usually the expected ones.
 */
const mostHops = 4;
const otherHops = 1;

/** For each failing value: its writer, and the writers of its operands, one row per hop, without rows that only pass on a value. */
export function backboneRows({ graph, suspects }: Explained): readonly RowRequest[] {
  const requests: RowRequest[] = [];
  const leading = suspects[0]?.operand ?? 0;
  const room = new Map<number, number>();
  const seen = new Set<number>();
  const flows = graph.nodes
    .flatMap((node) => node.flowsInto.map((flow) => ({ ...flow, node })))
    .sort((a, b) => a.near - b.near);
  for (const { operand, node } of flows) {
    const left = room.get(operand) ?? (operand === leading ? mostHops : otherHops);
    if (left === 0 || node.handsOn || seen.has(node.line)) continue;
    seen.add(node.line);
    room.set(operand, left - 1);
    requests.push({ node: node.id, way: null });
  }
  return requests;
}

/** Each `return x;` that carries the leading value on, nearest to the failure first, while there are few rows. */
function carrierRows({ graph, suspects }: Explained): readonly RowRequest[] {
  const leading = suspects[0]?.operand ?? 0;
  return graph.nodes
    .flatMap((node) => node.flowsInto.map((flow) => ({ ...flow, node })))
    .filter(({ operand, node }) => operand === leading && node.handsOn)
    .sort((a, b) => a.near - b.near)
    .map(({ node }) => ({ node: node.id, way: null, unless: enoughRows }));
}

/** The number of values for each suspected condition whose last writer has a row, while there are few rows. */
const mostOperands = 2;
const enoughRows = 6;

/** The last writers of what suspected conditions tested. */
function operandRows({ graph }: Explained, marked: readonly RowRequest[]): readonly RowRequest[] {
  return marked.flatMap(({ node }) => {
    const kind = graph.nodes[node]?.kind;
    if (kind !== "condition" && kind !== "loop") return [];
    const writers = graph.edges.filter((edge) => edge.to === node && edge.kind === "data").map(({ from }) => from);
    const seen = new Set([nth(graph.nodes, node).line]);
    const last = writers
      .sort((a, b) => b - a)
      .filter((writer) => !seen.has(nth(graph.nodes, writer).line) && seen.add(nth(graph.nodes, writer).line));
    return last.slice(0, mostOperands).map((writer) => ({ node: writer, way: null, unless: enoughRows }));
  });
}

/**
 * The rows beside the suspects: every line once, nearest to the failure first; lines of the failing function and its
 * callers come last, because tests are usually right; then further executions of the same lines.
 */
function nearestFirst({ graph, failure }: Explained): readonly RowRequest[] {
  const tests = new Set(failure.isTested ? [failure, ...failure.stack].map((call) => call.function) : []);
  const seen = new Set(graph.failingLines);
  const lists: RowRequest[][] = [[], [], []];
  const steps = graph.nodes.flatMap((node) => node.near.map((at) => ({ node, at }))).sort((a, b) => a.at - b.at);
  for (const { node } of steps) {
    const rank = seen.has(node.line) ? 2 : tests.has(node.function) ? 1 : 0;
    seen.add(node.line);
    nth(lists, rank).push({ node: node.id, way: null });
  }
  return lists.flat();
}

/** The number of call rows; each row names its function anyway. */
const mostCallers = 1;

/** Takes requests while there is room, which the starts have in any case: with the way to the failure if it fits, or else alone. */
function chooseNodes(
  { graph: { nodes, starts } }: Explained,
  requests: readonly RowRequest[],
  marked: ReadonlySet<number>,
  most: number,
): { readonly chosen: ReadonlySet<number>; readonly left: number } {
  const chosen = new Set<number>();
  const left = new Set<number>();
  const fits = (more: readonly number[]) => {
    const lines = collapse(nodes, new Set([...starts, ...chosen, ...more]), marked);
    return lines.length + new Set(lines.map(({ node }) => nth(nodes, node).question)).size - 1 <= most;
  };
  for (const { node, way, unless } of requests) {
    if (node === -1 || chosen.has(node)) continue;
    if (unless !== undefined && chosen.size >= unless) {
      left.add(node);
      continue;
    }
    const choice = [way ?? [node], [node]].find(fits);
    if (choice === undefined) left.add(node);
    else for (const each of choice) chosen.add(each);
  }
  for (const caller of callersOf(nodes, chosen).slice(0, most === Number.POSITIVE_INFINITY ? undefined : mostCallers)) {
    if (fits([caller])) chosen.add(caller);
  }
  return { chosen, left: [...left].filter((node) => !chosen.has(node)).length };
}

/** The calls that led to the chosen rows: nearest first, last executions first. */
function callersOf(nodes: readonly WhyNode[], chosen: ReadonlySet<number>): readonly number[] {
  const found = new Set<number>();
  let level = [...chosen].sort((a, b) => b - a);
  while (level.length > 0) {
    const next: number[] = [];
    for (const node of level) {
      const caller = nth(nodes, node).calledBy;
      if (caller === null || chosen.has(caller) || found.has(caller)) continue;
      found.add(caller);
      next.push(caller);
    }
    level = next;
  }
  return [...found];
}

/** From this many executions on, the skipped ones are counted. */
const manyRounds = 32;

/** Merges repeated executions of a line into one row at the first of them; marked executions keep their own row. */
function collapse(
  nodes: readonly WhyNode[],
  chosen: ReadonlySet<number>,
  marked: ReadonlySet<number>,
): readonly Line[] {
  const groups = new Map<number, number[]>();
  for (const node of [...chosen].sort((a, b) => a - b)) {
    const { line } = nth(nodes, node);
    const group = groups.get(line);
    if (group === undefined) groups.set(line, [node]);
    else group.push(node);
  }
  const lines: Line[] = [];
  for (const group of groups.values()) {
    const alone = group.length === 1 ? group : group.filter((node) => marked.has(node));
    for (const node of alone) lines.push({ node, before: [], count: 1 });
    const rest = group.filter((node) => !alone.includes(node));
    const last = rest.at(-1);
    if (last === undefined) continue;
    const number = (node: number) => nth(nodes, node).visit.number;
    const count = rest.length >= manyRounds ? number(last) - number(nth(rest, 0)) + 1 : rest.length;
    lines.push({ node: last, before: rest.slice(0, -1), count });
  }
  return lines.sort((a, b) => (a.before[0] ?? a.node) - (b.before[0] ?? b.node));
}

/** Hide other iterations that wrote nothing. */
function isRepeated(nodes: readonly WhyNode[], { node, before }: Line, all: readonly Line[]): boolean {
  const { kind, line, acts } = nth(nodes, node);
  if (before.length === 0 || kind !== "loop" || acts) return false;
  return all.some((other) => other.node !== node && nth(nodes, other.node).line === line);
}

function rowsOf({ graph: { nodes }, suspects }: Explained, lines: readonly Line[]): readonly Row[] {
  const told = lines.map(({ node, before }) => [...before, node].map((each) => nth(nodes, each)));
  const shown = shownSuspects(suspects, told);
  const remarked = new Set<string>();
  return lines.map(({ node, before, count }, i) => ({
    ...atSuspect(withoutRemarks(nth(nodes, node), remarked), suspects[shown.get(i) ?? -1]),
    rounds: before.length === 0 ? null : { count, changes: changesOf(nth(told, i)) },
    evidence: nth(told, i).some(({ evidence }) => evidence === "proved") ? "proved" : "observed",
    suspect: shown.get(i) ?? null,
  }));
}

/** A remark that a row of the same function has needs no repetition. */
function withoutRemarks({ remarks, ...node }: WhyNode, told: Set<string>): WhyNode {
  const fresh = remarks?.filter((text) => !told.has(`${node.function} ${text}`)) ?? [];
  for (const text of fresh) told.add(`${node.function} ${text}`);
  return fresh.length === 0 ? node : { ...node, remarks: fresh };
}

/** A suspect in a later line of a long statement is shown with that line. */
function atSuspect(node: WhyNode, suspect: Suspect | undefined): WhyNode {
  if (suspect === undefined || suspect.location.line === node.location.line || suspect.text === "") return node;
  return { ...node, location: suspect.location, text: suspect.text };
}

/** The values that repeated executions of a line wrote. */
function changesOf(all: readonly WhyNode[]): Rounds["changes"] {
  const changes = new Map<string, string[]>();
  for (const { values } of all) {
    for (const { role, text, value } of values) {
      if (role === "written") changes.set(text, [...(changes.get(text) ?? []), value]);
    }
  }
  return [...changes].map(([text, values]) => ({ text, values }));
}

/** For each row its suspect: by execution, or else by line. */
function shownSuspects(
  suspects: readonly Suspect[],
  told: readonly (readonly WhyNode[])[],
): ReadonlyMap<number, number> {
  const rows = told.map((nodes, id) => ({ id, nodes, at: present(nodes.at(-1)).location }));
  const shown = new Map<number, number>();
  for (const [i, { location, node }] of suspects.entries()) {
    const onLine = rows.filter(({ id, at }) => {
      return !shown.has(id) && at.file === location.file && at.line <= location.line && location.line <= at.endLine;
    });
    // A line can contain several statements.
    const within = onLine.filter(({ at }) => isWithin(location, at));
    const nearest = within.length > 0 ? within : onLine;
    const row = nearest.find(({ nodes }) => nodes.some(({ id }) => id === node)) ?? nearest.at(-1);
    if (row !== undefined) shown.set(row.id, i);
  }
  return shown;
}

function sectionsOf({ questions }: Explained, rows: readonly Row[]): readonly Section[] {
  return questions.flatMap((question, i) => {
    const own = rows.filter((row) => row.question === i);
    return own.length === 0 ? [] : [{ question, rows: own }];
  });
}

/** With tests, a mark says how sure it is; without them, the first suspect is marked as the likeliest. */
const marks = { sure: "look here", possible: "one of these", none: "maybe", other: "or here" } as const;
export const mostMarks = 5;

/** Two or three suspects that are nearly as likely as the first one are level with it. */
const mostLevel = 3;
const levelWeight = 0.5;

export function suspectMark(suspects: Explained["suspects"], index: number): string {
  const first = nth(suspects, 0);
  const { certainty, weight } = nth(suspects, index);
  const hasTests = suspects.some(({ whatIfs }) => (whatIfs[0]?.passingRuns.asked ?? 0) > 0);
  if (!hasTests) return index === 0 ? marks.sure : marks.other;
  if (certainty === "none") return marks.none;
  if (index === 0) return marks[certainty];
  const isLevel = first.certainty === "possible" && index < mostLevel && weight >= levelWeight * first.weight;
  return isLevel ? marks.possible : marks.other;
}

export function effectOf({ level, passingRuns }: WhatIf): string {
  return level === "passes" ? passingEffect(passingRuns) : "it gets past this";
}

/** What is true of the tests if the failing one passes: `all 12 tests pass`; `10 of 12 tests pass`; alone, `the run passes`. */
export function passingEffect({ asked, broken, stillFailing }: WhatIf["passingRuns"]): string {
  if (asked === 0 || broken > 0) return "the run passes";
  return stillFailing === 0 ? `all ${asked + 1} tests pass` : `${asked + 1} of ${asked + 1 + stillFailing} tests pass`;
}

export function runsPhrase({ level, passingRuns: { asked, broken } }: WhatIf, isShort = false): string {
  if (level !== "passes" || broken === 0) return "";
  return isShort ? `, ${broken} of ${asked} others fail` : `, but ${broken} of ${asked} other tests fail`;
}

/** The effect of a change, in words. */
export function effectText(whatIf: WhatIf): string {
  return `${effectOf(whatIf)}${runsPhrase(whatIf)}`;
}
