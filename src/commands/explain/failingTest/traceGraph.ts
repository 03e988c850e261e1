import { present } from "../../../base/checked.ts";
import { remembered } from "../../../base/memo.ts";
import { lineOf, rangeBetweenOffsets, type SourceFile } from "../../../base/sourceFile.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import { orderOf, type Suspicion } from "../../../js/changes/suspicion.ts";
import type { TraceSite } from "../../../js/trace/instrument/rewriter.ts";
import { sitesPerFile, type TracedFile, type TraceRun } from "../../../js/trace/run.ts";
import type { TraceEvent, TraceExecution } from "../../../js/trace/slice.ts";
import type { ShownValue, WhyEdge, WhyGraph, WhyNode } from "../result.ts";
import { joinLoopHeads } from "./joinLoopHeads.ts";

/** A place of a recorded run in the source. */
export type TracePlace = {
  readonly site: TraceSite;
  readonly file: SourceFile;
  readonly isTest: boolean;
  readonly range: SourceRange;
  /** In one line. */
  readonly text: string;
};

export type TracePlaces = (site: number) => TracePlace | null;

/** Finds sites in the sources; `sources` has the texts by absolute path. */
export function tracePlaces(files: readonly TracedFile[], sources: ReadonlyMap<string, SourceFile>): TracePlaces {
  const byNumber = new Map(files.map((file) => [Math.floor(file.first / sitesPerFile), file]));
  const known = new Map<number, TracePlace | null>();
  const find = (number: number): TracePlace | null => {
    const traced = byNumber.get(Math.floor(number / sitesPerFile));
    const site = traced?.sites[number - traced.first];
    const file = traced === undefined ? undefined : sources.get(traced.path);
    if (traced === undefined || site === undefined || file === undefined) return null;
    const text = file.text.slice(site.start, site.end).replaceAll(/\s+/g, " ").trim();
    return { site, file, isTest: traced.isTest, range: rangeBetweenOffsets(file, site.start, site.end), text };
  };
  return (number) => {
    const found = known.get(number);
    if (found !== undefined) return found;
    const place = find(number);
    known.set(number, place);
    return place;
  };
}

/** The question of what ran in the same calls and has no part in the failure. */
export const besideQuestion = 1;

/** More nodes would be farther away than anyone reads. */
const mostNodes = 400;

/** The events of a recorded test as the graph of whys: one node for each execution of a statement. */
export function traceGraph(run: TraceRun, places: TracePlaces, suspicion: Suspicion): WhyGraph {
  const { question } = run;
  const slice = joinLoopHeads(run.slice, places);
  const executions = new Map(slice.executions.map((each) => [each.id, each]));
  const failing = places(question.site);
  const heads = new Set<number>();
  const byExecution = new Map<number, TraceEvent[]>();
  for (const event of slice.events) {
    const execution = executions.get(event.execution);
    const place = execution === undefined ? null : places(execution.site);
    if (place === null || (place.isTest && execution?.isBeside)) continue;
    // The head shows the failing line of the test.
    if (place.isTest && isSameLine(place.range, failing?.range ?? null)) {
      heads.add(event.execution);
      continue;
    }
    remembered(byExecution, event.execution, () => []).push(event);
  }
  const siteOf = (execution: number) => present(executions.get(execution)).site;
  const isWiring = (execution: number) => wires(present(byExecution.get(execution)), siteOf(execution), places);
  const reasons = [...byExecution.keys()].filter((execution) => !isWiring(execution));
  const nearest = (reasons.length > 0 ? reasons : [...byExecution.keys()]).slice(0, mostNodes);
  const chosen = nearest.toSorted((a, b) => a - b);
  const ids = new Map(chosen.map((execution, id) => [execution, id]));
  const ranks = ranksOf(nearest, siteOf, places, suspicion);
  const flows = dataRanks(slice.events, question.starts);
  const events = new Map(slice.events.map((event) => [event.id, event]));
  const links = linksOf(slice.events, ids, heads);
  const nodes = chosen.map((execution, id): WhyNode => {
    const own = present(byExecution.get(execution));
    const { site, depth, caller, visit, isBeside } = present(executions.get(execution));
    const place = present(places(site));
    const flow = flows.get(execution);
    const next = links.next.get(id);
    return {
      id,
      kind: nodeKind(place, own),
      steps: [execution],
      depth,
      function: functionName(place),
      location: place.range,
      line: site,
      text: textOf(place, own, places),
      values: shownValues(own, execution, events, places),
      tests: testsOf(place, own, events, places),
      visit,
      acts: place.site.kind !== "condition" && place.site.kind !== "loop",
      question: isBeside ? besideQuestion : 0,
      near: [present(ranks.get(execution))],
      flowsInto: flow === undefined || place.isTest ? [] : [{ operand: 0, near: flow }],
      handsOn: /^(return )?[\w$.#]+;?$/.test(place.text),
      ...(next === undefined ? {} : { next }),
      calledBy: callerOf(caller, executions, ids),
      evidence: "observed",
    };
  });
  const failingLines = nodes
    .filter(({ location }) => isSameLine(location, failing?.range ?? null))
    .map(({ line }) => line);
  return { source: "recording", starts: [], failingLines, nodes, edges: links.edges, left: slice.left };
}

/** Longer texts are cut in print. */
const longestStatement = 64;
const shortStart = 16;

/** A long statement is shown by its beginning and the line where it computed the last value that matters. */
function textOf({ range, text, file }: TracePlace, own: readonly TraceEvent[], places: TracePlaces): string {
  if (range.line === range.endLine || text.length <= longestStatement) return text;
  const last = own
    .toSorted((a, b) => b.id - a.id)
    .map(({ site }) => places(site)?.range)
    .find((part) => part !== undefined && part.line > range.line && part.line === part.endLine);
  const line = last === undefined ? undefined : lineOf(file, last.line)?.trim();
  return line === undefined ? text : `${text.slice(0, shortStart).trimEnd()} … ${line}`;
}

/** True for a statement of a module that only says where a function is from: `require`, `export`. */
function wires(own: readonly TraceEvent[], site: number, places: TracePlaces): boolean {
  const place = places(site);
  if (place === null || place.site.name !== "(module)" || place.site.kind !== "statement") return false;
  const written = own.filter((event) => event.value !== null && places(event.site)?.site.kind === "write");
  return written.length > 0 && written.every(({ value }) => /^(async )?(function|class)\b/.test(value ?? ""));
}

/** The order in which executions are shown: suspicious lines near the failure first, those of tests last. */
function ranksOf(
  nearest: readonly number[],
  siteOf: (execution: number) => number,
  places: TracePlaces,
  suspicion: Suspicion,
): ReadonlyMap<number, number> {
  const orders = new Map<number, number>();
  for (const execution of nearest) {
    const site = siteOf(execution);
    const place = places(site);
    if (orders.has(site) || place === null) continue;
    const { range, isTest } = place;
    // Tests are usually right.
    orders.set(site, isTest ? 0 : orderOf(suspicion(range.file, range.line), orders.size));
  }
  const order = (execution: number) => orders.get(siteOf(execution)) ?? 0;
  return new Map(nearest.toSorted((a, b) => order(a) - order(b)).map((execution, rank) => [execution, rank]));
}

export function functionName({ site, isTest }: Pick<TracePlace, "site" | "isTest">): string {
  if (isTest && (site.name === "(anonymous)" || site.name === "(module)")) return "test";
  // A default of a parameter, or the first value of a field.
  return site.kind === "parameter" || site.kind === "write" ? "(start)" : site.name;
}

function isSameLine(a: SourceRange, b: SourceRange | null): boolean {
  return b !== null && a.file === b.file && a.line <= b.line && b.line <= a.endLine;
}

function nodeKind({ site }: TracePlace, events: readonly TraceEvent[]): WhyNode["kind"] {
  if (site.kind === "loop" || site.kind === "condition" || site.kind === "return") return site.kind;
  return events.every(({ value }) => value === null) ? "omission" : "statement";
}

function callerOf(
  caller: number,
  executions: ReadonlyMap<number, TraceExecution>,
  ids: ReadonlyMap<number, number>,
): number | null {
  for (let at = caller; at !== 0; at = executions.get(at)?.caller ?? 0) {
    const id = ids.get(at);
    if (id !== undefined) return id;
  }
  return null;
}

/** Executions in the order in which data alone leads to them. */
function dataRanks(events: readonly TraceEvent[], starts: TraceRun["question"]["starts"]): ReadonlyMap<number, number> {
  const byId = new Map(events.map((event) => [event.id, event]));
  const seen = new Set<number>();
  const ranks = new Map<number, number>();
  let level = starts.filter(([, distance]) => distance === 0).map(([id]) => id);
  while (level.length > 0) {
    const next: number[] = [];
    for (const id of level) {
      const event = byId.get(id);
      if (event === undefined || seen.has(id)) continue;
      seen.add(id);
      if (!ranks.has(event.execution)) ranks.set(event.execution, ranks.size);
      next.push(...event.data);
    }
    level = next;
  }
  return ranks;
}

type Links = {
  readonly edges: readonly WhyEdge[];
  /** For each node the one that it was first reached from. */
  readonly next: ReadonlyMap<number, NonNullable<WhyNode["next"]>>;
};

/** Dependences between nodes; events are ordered from the failure on. */
function linksOf(events: readonly TraceEvent[], ids: ReadonlyMap<number, number>, failing: ReadonlySet<number>): Links {
  const byId = new Map(events.map((event) => [event.id, event]));
  const edges = new Map<string, WhyEdge>();
  const next = new Map<number, NonNullable<WhyNode["next"]>>();
  const first = ids.get(events[0]?.execution ?? -1);
  if (first !== undefined) {
    next.set(first, { node: null, edge: "data" });
    edges.set("start", { from: first, to: null, kind: "data" });
  }
  for (const event of events) {
    const to = failing.has(event.execution) ? null : ids.get(event.execution);
    if (to === undefined) continue;
    const link = (parent: number, kind: WhyEdge["kind"]) => {
      const from = ids.get(byId.get(parent)?.execution ?? -1);
      if (from === undefined || from === to) return;
      edges.set(`${from} ${to} ${kind}`, { from, to, kind });
      if (!next.has(from)) next.set(from, { node: to, edge: kind });
    };
    for (const parent of event.data) link(parent, event.value === null ? "omission" : "data");
    link(event.identity, "identity");
    link(event.control, event.value === null ? "omission" : "control");
  }
  return { edges: [...edges.values()], next };
}

const mostValues = 4;
const longestText = 30;

/** The values that a statement read and wrote, as far as they matter. */
function shownValues(
  own: readonly TraceEvent[],
  execution: number,
  events: ReadonlyMap<number, TraceEvent>,
  places: TracePlaces,
): readonly ShownValue[] {
  const shown = new Map<string, ShownValue>();
  const add = (role: ShownValue["role"], text: string, value: string | null) => {
    if (value !== null && text.length <= longestText) shown.set(`${role} ${text}`, { role, text, value });
  };
  // In the order of the run.
  const ordered = own.toSorted((a, b) => a.id - b.id);
  for (const event of ordered) {
    const place = places(event.site);
    for (const id of event.data) {
      const parent = events.get(id);
      const from = parent === undefined || parent.execution === execution ? null : places(parent.site);
      if (parent !== undefined && from !== null && /^(write|parameter)$/.test(from.site.kind) && isName(from.site.name))
        add("read", from.site.name, parent.value);
    }
    if (place?.site.kind === "value" && /^[\w$.[\]#]+$/.test(place.text) && /[.[]/.test(place.text))
      add("read", place.text, event.value);
    if (place?.site.kind === "write") add("written", place.site.name, event.value);
    if (place?.site.kind === "return") add("returned", "", event.value);
  }
  const all = [...shown.values()];
  const written = new Set(all.flatMap(({ role, text }) => (role === "written" ? [text] : [])));
  return all.filter(({ role, text }) => role !== "read" || !written.has(text)).slice(-mostValues);
}

function isName(text: string): boolean {
  return /^[\w$]+$/.test(text);
}

/** The outcome of a condition, the last one of a loop; with the compared values if they are known. */
function testsOf(
  { site }: TracePlace,
  own: readonly TraceEvent[],
  events: ReadonlyMap<number, TraceEvent>,
  places: TracePlaces,
): WhyNode["tests"] {
  if (site.kind !== "condition" && site.kind !== "loop") return [];
  const tests = own.filter((event) => event.value === "true" || event.value === "false");
  const last = tests.toSorted((a, b) => a.id - b.id).at(-1);
  if (last?.value == null) return [];
  const compared = comparedValues(last, own, events, places);
  return [{ text: compared === null ? last.value : `${compared} is ${last.value}`, holds: last.value === "true" }];
}

const comparison = /^([^=!<>&|?]+?) (===|!==|==|!=|<=|>=|<|>) ([^=!<>&|?]+)$/;

/** `-100 <= -100`. Null for other conditions, or if a value is not among the events. */
function comparedValues(
  test: TraceEvent,
  own: readonly TraceEvent[],
  events: ReadonlyMap<number, TraceEvent>,
  places: TracePlaces,
): string | null {
  const [source] = test.data.flatMap((id) => events.get(id) ?? []);
  const parts = source === undefined ? null : comparison.exec(places(source.site)?.text ?? "");
  if (source === undefined || parts === null) return null;
  const parents = source.data.flatMap((id) => events.get(id) ?? []);
  const valueOf = (text: string): string | null => {
    if (/^(-?[\d.]+|"[^"]*"|'[^']*'|null|undefined|true|false)$/.test(text)) return text;
    const found = own.findLast(({ site, value }) => value !== null && places(site)?.text === text);
    const read = parents.find(({ site }) => places(site)?.site.name === text);
    return found?.value ?? read?.value ?? null;
  };
  const [left, right] = [valueOf(parts[1] ?? ""), valueOf(parts[3] ?? "")];
  return left === null || right === null ? null : `${left} ${parts[2]} ${right}`;
}
