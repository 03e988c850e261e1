import type { SourceRange } from "../../src/base/sourceRange.ts";
import type { Outcome } from "../../src/interpreter/outcome.ts";
import type { Edge, Program } from "../../src/ir/program.ts";
import type { Decision, OracleRun } from "./gccOracle.ts";
import type { Instrumented, Site } from "./instrumentBranches.ts";
import { type ObservedRun, rangeKey } from "./observeRun.ts";

/** What differs between the two runs of one program, or null. */
export function compareRuns(
  program: Program,
  instrumented: Instrumented,
  ours: ObservedRun,
  theirs: OracleRun,
): string | null {
  const stopped = ours.outcome.kind === "undefined-behaviour" && theirs.end.kind === "undefined-behaviour";
  const [ourEnd, theirEnd] = [endText(ours.outcome), theirEndText(theirs)];
  // The status of a `void main` that returns is whatever a register holds.
  const anyStatus =
    program.functions[program.entry]!.type.result.kind === "void" &&
    [ours.outcome.kind, theirs.end.kind].every((kind) => kind === "exit");
  if (ourEnd !== theirEnd && !anyStatus)
    return `ours: ${ourEnd} (${detail(ours.outcome)}), gcc: ${theirEnd} (${theirDetail(theirs)})`;
  if (!Buffer.from(ours.stdout).equals(theirs.stdout)) {
    return `output differs\n  ours: ${show(ours.stdout)}\n  gcc:  ${show(theirs.stdout)}`;
  }
  if (!stopped && ours.inputsRead !== theirs.inputsRead) {
    return `inputs read: ours ${ours.inputsRead}, gcc ${theirs.inputsRead}`;
  }
  return compareDecisions(program, instrumented, ours.decisions, theirs.decisions, stopped);
}

/**
 * Decision by decision. A condition that our model has no branch for must have gone the same way every time (a switch
 * need not: when all its cases lead to one place it decides nothing). Where both stop at undefined behaviour, one of
 * them may have decided more of the expression that is undefined.
 */
function compareDecisions(
  program: Program,
  instrumented: Instrumented,
  ours: readonly Edge[],
  theirs: readonly Decision[],
  stopped: boolean,
): string | null {
  const siteOf = sitesByRange(instrumented.sites);
  const branching = new Set<number>();
  for (const { edges } of program.functions) {
    for (const { operation, range } of edges) {
      const site = operation.kind === "assume" || operation.kind === "case" ? siteOf.get(rangeKey(range)) : undefined;
      if (site !== undefined) branching.add(site);
    }
  }
  const unlogged = new Set(instrumented.unlogged.map(rangeKey));
  const expected = ours.filter(({ range }) => !unlogged.has(rangeKey(range)));
  const constant = new Map<number, bigint>();
  const actual: Decision[] = [];
  for (const decision of theirs) {
    if (branching.has(decision.site)) actual.push(decision);
    else if (instrumented.sites[decision.site]!.kind === "switch") continue;
    else if ((constant.get(decision.site) ?? decision.value) !== decision.value) {
      return `we have no branch for the condition at ${place(instrumented.sites[decision.site]!.range)}, which varies`;
    } else constant.set(decision.site, decision.value);
  }
  const common = Math.min(expected.length, actual.length);
  for (let i = 0; i < common; i++) {
    const [edge, decision] = [expected[i]!, actual[i]!];
    const site = siteOf.get(rangeKey(edge.range));
    if (site === decision.site && agrees(edge, decision.value)) continue;
    const theirSite = instrumented.sites[decision.site]!;
    return `decision ${i} differs: ours ${place(edge.range)} ${ourChoice(edge)}, gcc ${place(theirSite.range)} ${decision.value}`;
  }
  if (expected.length === actual.length || stopped) return null;
  const next = expected[common] ?? instrumented.sites[actual[common]!.site]!;
  return `${expected.length} decisions, gcc ${actual.length}; the first that only one made is at ${place(next.range)}`;
}

function sitesByRange(sites: readonly Site[]): Map<string, number> {
  const map = new Map<string, number>();
  for (const [index, site] of sites.entries()) {
    map.set(rangeKey(site.range), index);
    if (site.kind === "switch") for (const label of site.labels) map.set(rangeKey(label), index);
  }
  return map;
}

function agrees({ operation }: Edge, value: bigint): boolean {
  if (operation.kind === "assume") return (value !== 0n) === !operation.negated;
  if (operation.kind !== "case") return false;
  const inside = (intervals: readonly (readonly [bigint, bigint])[]) =>
    intervals.some(([low, high]) => low <= asOf(value, low) && asOf(value, low) <= high);
  return operation.values === null ? !inside(operation.others) : inside(operation.values);
}

/** The log has signed 64-bit values; a case of an unsigned 64-bit selector may lie above them. */
function asOf(value: bigint, like: bigint): bigint {
  return like >= 1n << 63n ? BigInt.asUintN(64, value) : value;
}

function ourChoice({ operation }: Edge): string {
  return operation.kind === "assume" ? (operation.negated ? "0" : "1") : "a case";
}

function endText(outcome: Outcome): string {
  switch (outcome.kind) {
    case "exit":
      return `exit ${outcome.code}`;
    case "limit":
      return `limit ${outcome.limit}`;
    default:
      return outcome.kind;
  }
}

function theirEndText({ end }: OracleRun): string {
  switch (end.kind) {
    case "exit":
      return `exit ${end.code}`;
    case "signal":
      return end.signal === 6 ? "abort" : `signal ${end.signal}`;
    case "check":
      return `check ${end.number}`;
    case "assumption":
      return "assumption-violated";
    case "inputs-exhausted":
      return "needs-input";
    default:
      return end.kind;
  }
}

function detail(outcome: Outcome): string {
  if (!("at" in outcome) || outcome.at === null) return "";
  return `${place(outcome.at.range)}${"message" in outcome ? ` ${outcome.message}` : ""}`;
}

function theirDetail({ end, stdout }: OracleRun): string {
  return end.kind === "undefined-behaviour" ? end.message : `after ${stdout.length} bytes of output`;
}

function place({ line, column }: SourceRange): string {
  return `${line}:${column}`;
}

function show(bytes: Uint8Array): string {
  return JSON.stringify(Buffer.from(bytes).toString("latin1")).slice(0, 400);
}
