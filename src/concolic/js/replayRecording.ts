import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { nth, present } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import { rangeBetweenOffsets } from "../../base/sourceFile.ts";
import { findSites } from "../../js/recorder/findSites.ts";
import { type LogSummary, sitesPerFile } from "../../js/recorder/logFormat.ts";
import { type LoggedCall, readCalls, readLog } from "../../js/recorder/readLog.ts";
import type { FunctionSites, SiteTable } from "../../js/recorder/site.ts";
import { type RecordedSource, readSources } from "../../js/recorder/sources.ts";
import { type Node, parseSource } from "../../js/recorder/syntax.ts";
import type { FunctionRecord, Subject, Summary } from "../summary.ts";
import { otherWayThrows } from "./conditions.ts";
import type { ReplayedFunction, World } from "./frame.ts";
import { replayCall } from "./replayCall.ts";

export type ReplayedRecording = {
  readonly functions: readonly FunctionRecord[];
  readonly skippedFiles: readonly { readonly path: string; readonly reason: string }[];
  readonly stats: ReplayStats;
};

export type ReplayStats = {
  calls: number;
  replayed: number;
  lost: number;
  events: number;
  wrongDecisions: number;
  agreed: number;
  disagreed: number;
  open: number;
  /** Bytes of logs that were cut off. */
  cutOff: number;
  stopped: boolean;
  readonly lostReasons: Map<string, number>;
};

export type ReplayedFile = { readonly source: RecordedSource; readonly table: SiteTable };

/** Follows every call of a recording, callees before their callers. `stop` is asked now and then. */
export function replayRecording(directory: string, stop: () => boolean = () => false): ReplayedRecording {
  return followRecording(directory, readFiles(directory), stop);
}

/** The same, of files that were read already. */
export function followRecording(
  directory: string,
  files: ReadonlyMap<number, ReplayedFile>,
  stop: () => boolean = () => false,
): ReplayedRecording {
  const records = new Map<FunctionSites, FunctionRecord>();
  const stats: ReplayStats = {
    ...{ calls: 0, replayed: 0, lost: 0, events: 0, wrongDecisions: 0, agreed: 0, disagreed: 0, open: 0, cutOff: 0 },
    stopped: false,
    lostReasons: new Map(),
  };
  const logs = join(directory, "logs");
  for (const name of existsSync(logs) ? readdirSync(logs).sort() : [])
    replayLog(join(logs, name), files, records, stats, stop);
  return {
    functions: [...records.values()].sort(bySource),
    skippedFiles: readSources(directory).flatMap(({ path, skipped }) =>
      skipped === null ? [] : [{ path, reason: skipped }],
    ),
    stats,
  };
}

function bySource(a: FunctionRecord, b: FunctionRecord): number {
  if (a.subject.path !== b.subject.path) return a.subject.path < b.subject.path ? -1 : 1;
  return a.subject.offset - b.subject.offset;
}

export function readFiles(directory: string): ReadonlyMap<number, ReplayedFile> {
  const files = new Map<number, ReplayedFile>();
  for (const source of readSources(directory)) {
    if (source.skipped !== null) continue;
    const parsed = parseSource(source.path, source.text, source.kind);
    if (parsed.kind === "parsed") files.set(source.number, { source, table: findSites(parsed) });
  }
  return files;
}

function replayLog(
  path: string,
  files: ReadonlyMap<number, ReplayedFile>,
  records: Map<FunctionSites, FunctionRecord>,
  stats: ReplayStats,
  stop: () => boolean,
): void {
  const log = readLog(path);
  stats.cutOff += log.cutOff;
  stats.stopped ||= log.summary?.stopped ?? false;
  const summaries = new WeakMap<LoggedCall, Summary>();
  const bySignature = new Map<number, Summary>();
  const fnBySignature = new Map<number, ReplayedFunction>();
  const paths = new Map<string, Set<number>>();
  const functionAt = (file: number, enter: number): ReplayedFunction | null => {
    const known = files.get(file);
    const sites = known === undefined ? undefined : known.table.functions.get(nth(known.table.sites, enter).node);
    if (known === undefined || sites === undefined) return null;
    return { file, path: known.source.path, text: known.source.text, table: known.table, sites };
  };
  const world: World = {
    functionOf(item) {
      if (item.kind === "call") return functionAt(item.call.file, item.call.enter);
      return fnBySignature.get(item.signature) ?? null;
    },
    summaryOf: (item) => (item.kind === "call" ? summaries.get(item.call) : bySignature.get(item.signature)) ?? null,
    pathsOf: (fn) => paths.get(`${fn.file}:${fn.sites.enter?.index}`)?.size ?? 0,
  };
  countPaths(log.summary, paths);
  for (const call of readCalls(log.events)) {
    if (stop()) return;
    stats.calls++;
    stats.events += call.items.length;
    const fn = functionAt(call.file, call.enter);
    if (fn === null) continue;
    if (call.signature >= 0) fnBySignature.set(call.signature, fn);
    const record = recordOf(records, fn);
    record.tests.add(call.origin);
    if (!isFollowed(fn, call)) continue;
    const replay = replayCall(world, fn, call);
    if (replay.kind === "lost") {
      record.lost++;
      stats.lost++;
      stats.lostReasons.set(replay.reason, (stats.lostReasons.get(replay.reason) ?? 0) + 1);
    } else {
      stats.replayed++;
      stats.wrongDecisions += replay.wrongDecisions;
      for (const key of ["agreed", "disagreed", "open"] as const) stats[key] += replay.summary.checks[key];
      record.summaries.push(replay.summary);
      for (const [key, definition] of replay.definitions) record.definitions.set(key, definition);
      // The caller of an async function gets a promise; what the call does later is not the caller's.
      if (!fn.sites.node.async) {
        summaries.set(call, replay.summary);
        bySignature.set(call.signature, replay.summary);
      }
    }
    // Callers need the summary only.
    call.items = [];
  }
  countCalls(log.summary, functionAt, records);
}

function isFollowed(fn: ReplayedFunction, call: LoggedCall): boolean {
  return !fn.sites.node.generator && call.outcome.kind !== "pending";
}

function recordOf(records: Map<FunctionSites, FunctionRecord>, fn: ReplayedFunction): FunctionRecord {
  return remembered(records, fn.sites, () => ({
    subject: subjectOf(fn),
    summaries: [],
    definitions: new Map(),
    calls: 0,
    tests: new Set(),
    lost: 0,
  }));
}

function subjectOf({ path, text, sites }: ReplayedFunction): Subject {
  const { name, kind, className, exported, node } = sites;
  return {
    language: "typescript",
    ...{ name, path, kind, className, exported, static: sites.static },
    line: rangeBetweenOffsets({ path, text }, node.start, node.start).line,
    offset: node.start,
    params: sites.params.map((site) => present(site.name)),
    isPositional: node.params.every(isOneName),
    declared: new Map(),
    async: node.async,
    leftOut: node.generator ? "generators are left out" : null,
    otherWayThrows: (point) => otherWayThrows(node, point as Node),
  };
}

function isOneName(param: Node): boolean {
  const inner = param.type === "TSParameterProperty" ? param.parameter : param;
  return (inner.type === "AssignmentPattern" ? inner.left : inner).type === "Identifier";
}

function countPaths(summary: LogSummary | null, paths: Map<string, Set<number>>): void {
  summary?.signatures.forEach(({ enter }, number) => {
    const key = `${Math.floor(enter / sitesPerFile)}:${enter % sitesPerFile}`;
    paths.set(key, (paths.get(key) ?? new Set()).add(number));
  });
}

function countCalls(
  summary: LogSummary | null,
  functionAt: (file: number, enter: number) => ReplayedFunction | null,
  records: Map<FunctionSites, FunctionRecord>,
): void {
  for (const { enter, calls } of summary?.signatures ?? []) {
    const fn = functionAt(Math.floor(enter / sitesPerFile), enter % sitesPerFile);
    if (fn !== null) recordOf(records, fn).calls += calls;
  }
  // Calls that waited have no signature, and a log that was cut off has no summary.
  for (const record of records.values()) record.calls = Math.max(record.calls, record.summaries.length + record.lost);
}
