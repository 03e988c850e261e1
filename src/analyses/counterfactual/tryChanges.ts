import type { Budget } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import { offsetOf, rangeBetweenOffsets } from "../../base/sourceFile.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { Change } from "../../changes/change.ts";
import { type ChangeKind, changeKinds, mostChanges } from "../../changes/kinds.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { Slice } from "../../dependence/slice.ts";
import type { ChangeSource, WrongWord } from "../../frontEnd/frontEnd.ts";
import { rerunOptions } from "../../interpreter/rerun/trackedRerun.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { Function, Program } from "../../ir/program.ts";
import { containsRange } from "../../ir/source.ts";
import { assertionRanges, executedLocations } from "./executedPlaces.ts";
import type { ExperimentRunner } from "./experimentRunner.ts";
import type { Findings } from "./findings.ts";
import { confirmChange, type Judgement, type Judges, type JudgeTest, judgeChanges } from "./judgeChanges.ts";
import { type OtherTests, wholeSteps } from "./passingRuns.ts";
import { askingPrint, expectsOutput, expectsSeveralWords, type ProtectedTests } from "./testCode.ts";

/** With one of these, a value passes almost every check of the form `x <= n`, for no good reason. */
const satisfiesAnyBound: ReadonlySet<ChangeKind> = new Set<ChangeKind>(["negated", "clamped"]);

/** A run that does not crash is taken to be at least this long. */
const leastSteps = 10_000;

export function judgesOf(
  { trace }: DependenceGraph,
  runner: ExperimentRunner,
  { passing, failing, left }: OtherTests,
): Judges {
  const { program, settings, steps } = trace;
  const { past, root } = runner;
  const own = past === null ? null : nth(program.functions, past.place.function);
  const run = rerunOptions(trace);
  const whole = root.kind === "loop" ? root.entered : wholeSteps(runner, run, steps);
  // A crash may have ended the run early; other tests show how long runs are.
  const least = root.kind === "trap" ? leastSteps : 0;
  const usual = Math.max(whole, least, ...[...passing, ...failing].map((other) => other.steps));
  return {
    failing: {
      name: "the failing run",
      run,
      entry: nth(program.functions, program.entry).name,
      steps: usual,
      passes: false,
    },
    // A test that fails, too, decides most.
    others: [
      ...failing.map((other) => ({ ...other, steps: Math.max(other.steps, least), passes: false })),
      ...passing.map((other) => ({ ...other, passes: true })),
    ].map((other, i) => judgeTest(program, other, i)),
    left: left.map((other, i) => judgeTest(program, other, i)),
    past:
      past === null || own === null
        ? null
        : { function: own, edges: [...past.place.edges].map((edge) => nth(own.edges, edge)), before: past.before },
    mustPass:
      root.kind === "condition" ? "always" : root.kind === "trap" && !expectsOutput(run) ? "unlessSimple" : "never",
    undefinedBehaviour: settings.undefinedBehaviour,
  };
}

function judgeTest(program: Program, { run, steps, passes }: OtherTests["left"][number], i: number): JudgeTest {
  const { entry, name, ...options } = run;
  const fn = entry === undefined ? null : nth(program.functions, entry).name;
  return { name: name ?? fn ?? `run ${i + 1}`, run: options, steps, passes, ...(fn === null ? {} : { entry: fn }) };
}

/** By how many stages the changes of the least likely line come later. */
const spread = 3;

/**
 * Proposes changes where the run went, and tries them: small ones and those of likely lines first. `likely` has the lines
 * that are suspected so far, likeliest first.
 */
export function tryChanges(
  graph: DependenceGraph,
  likely: readonly SourceRange[],
  { tests, kept }: { readonly tests: ReadonlySet<Function>; readonly kept: ProtectedTests },
  { frontEnd, project, forbids = () => false }: ChangeSource,
  judges: Judges,
  budget: Budget,
): Judgement {
  const { trace } = graph;
  const { program } = trace;
  const places = placesOfLines(likely);
  const executed = linesToChange(trace, likely);
  const proposed = frontEnd.propose(project, {
    executed: ({ file, line, endLine }) => {
      const lines = executed.get(file);
      for (let at = line; lines !== undefined && at <= endLine; at++) if (lines.has(at)) return true;
      return false;
    },
    expectedWords: expectedWords(trace),
    wrongWord: wrongWord(trace),
    isCancelled: budget.isCancelled,
  });
  // With one check or one expected word and no other test, leaving a function early passes as well as a repair.
  const hasOracle = judges.others.length > 0 || expectsSeveralWords(judges.failing.run);
  const isCredible = ({ kind }: Change) => {
    const { how, stage } = changeKinds[kind];
    return hasOracle || (stage < 3 && how !== "inserted" && how !== "moved" && !satisfiesAnyBound.has(kind));
  };
  const asserted = [...[...assertionRanges(program).values()].flat(), ...askingPrint(graph, tests)];
  const rank = (change: Change): number => {
    const [line] = change.lines;
    const at = { file: change.file, line: line ?? 0 };
    const fn = functionAt(program, at);
    if (asserted.some((range) => isOn(range, at))) return Number.POSITIVE_INFINITY;
    if (fn !== null && (kept.functions.has(fn) || kept.skipsCall(change, fn))) return Number.POSITIVE_INFINITY;
    const place = Math.min(...change.lines.map((each) => places.get(`${change.file}:${each}`) ?? likely.length));
    const isLate = (spread * place) / Math.max(1, likely.length);
    return changeKinds[change.kind].stage + isLate + (fn !== null && tests.has(fn) ? 0.5 : 0);
  };
  // Among equals, all kinds have their turn.
  const seen = new Map<ChangeKind, number>();
  const turnOf = ({ kind }: Change) => {
    const turn = seen.get(kind) ?? 0;
    seen.set(kind, turn + 1);
    return turn;
  };
  const ranked = proposed
    .filter((change) => isCredible(change) && !forbids(change))
    .map((change) => ({ change, rank: rank(change), turn: turnOf(change) }))
    .filter((each) => each.rank !== Number.POSITIVE_INFINITY)
    .sort((a, b) => a.rank - b.rank || a.turn - b.turn)
    .slice(0, mostChanges);
  return judgeChanges(
    frontEnd,
    project,
    ranked.map(({ change }) => change),
    judges,
    budget,
  );
}

function isOn({ file, line, endLine }: SourceRange, at: { readonly file: string; readonly line: number }): boolean {
  return file === at.file && line <= at.line && at.line <= endLine;
}

function functionAt(program: Program, at: { readonly file: string; readonly line: number }): Function | null {
  return program.functions.find(({ range, id }) => id !== program.initializer && isOn(range, at)) ?? null;
}

/** The place of each line in the order; a statement counts on all of its lines. */
function placesOfLines(likely: readonly SourceRange[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [place, { file, line, endLine }] of likely.entries()) {
    for (let at = line; at <= endLine; at++) remembered(places, `${file}:${at}`, () => place);
  }
  return places;
}

/** If a run executed more lines, changes are proposed only on the likeliest of them. */
const mostProposed = 150;

function linesToChange(trace: Trace, likely: readonly SourceRange[]): ReadonlyMap<string, ReadonlySet<number>> {
  const executed = executedLines(trace);
  const count = [...executed.values()].reduce((sum, { size }) => sum + size, 0);
  if (count <= mostProposed) return executed;
  const lines = new Map<string, Set<number>>();
  for (const { file, line, endLine } of likely.slice(0, mostProposed)) {
    const known = remembered(lines, file, () => new Set());
    for (let at = line; at <= endLine; at++) known.add(at);
  }
  return lines;
}

function executedLines(trace: Trace): ReadonlyMap<string, ReadonlySet<number>> {
  const executed = executedLocations(trace);
  const lines = new Map<string, Set<number>>();
  const add = ({ file, line: first, endLine }: SourceRange) => {
    const known = remembered(lines, file, () => new Set());
    for (let line = first; line <= endLine; line++) known.add(line);
  };
  for (const { id, edges } of trace.program.functions) {
    for (const { from, range } of edges) if (nth(executed, id)[from] === 1) add(range);
  }
  // The failing step is not complete.
  const { outcome } = trace;
  if ("at" in outcome && outcome.at !== null) add(outcome.at.range);
  return lines;
}

export function slicedLines(slice: Slice): ReadonlySet<string> {
  const lines = new Set<string>();
  for (const { range } of slice.distances().keys()) {
    for (let line = range.line; line <= range.endLine; line++) lines.add(`${range.file}:${line}`);
  }
  return lines;
}

const mostWords = 8;

function expectedWords({ settings }: Trace): readonly string[] {
  const text = settings.expected?.stdout;
  if (text === undefined) return [];
  const printed = Buffer.from(text).toString("latin1");
  // `-1` and `0` alone are the usual answers for "there is none"; other numbers are computed.
  const words = /^\s*(-1|0)\s*$/.exec(printed)?.slice(1) ?? printed.match(/[A-Za-z][A-Za-z_'!?.]*/g) ?? [];
  return [...new Set(words)].slice(0, mostWords);
}

function wrongWord({ outcome }: Trace): WrongWord | null {
  if (outcome.kind !== "wrong-output") return null;
  const { expected, found: printed } = outcome.difference.words;
  return expected === null || printed === null ? null : { printed, expected };
}

/** The places that a change blames, with their functions: of the lines around an insertion those that matter. */
export function placesOfChange(
  program: Program,
  change: Change,
  relevant: ReadonlySet<string>,
): readonly { readonly function: Function; readonly range: SourceRange }[] {
  const file = program.files.find(({ path }) => path === change.file);
  const [edit] = change.edits;
  if (file === undefined || edit === undefined) return [];
  const own = rangeBetweenOffsets(file, edit.start, Math.max(edit.end, edit.start + 1));
  const sliced = change.lines.filter((line) => relevant.has(`${change.file}:${line}`));
  return (sliced.length === 0 ? change.lines : sliced).flatMap((line) => {
    const fn = functionAt(program, { file: change.file, line }) ?? nth(program.functions, program.initializer);
    const start = offsetOf(file, line, 1);
    const end = Math.max(start + 1, offsetOf(file, line + 1, 1) - 1);
    const whole = rangeBetweenOffsets(file, start, end);
    return [
      { function: fn, range: own.line === line && containsRange(whole, { ...own, endLine: line }) ? own : whole },
    ];
  });
}

/** The first lines whose best change is run as text, and how many changes are tried for each. */
const mostLines = 6;
const mostTries = 4;

/**
 * Runs the best changes of the first lines as programs of their own; those that do not help then are dropped. After the
 * budget the others stay unconfirmed, and are not shown.
 */
export function confirmBest(
  findings: Findings,
  { frontEnd, project }: ChangeSource,
  judges: Judges,
  budget: Budget,
): void {
  for (let tries = 0; tries < mostLines * mostTries && !budget.isCancelled(); tries++) {
    const open = findings
      .suspects()
      .slice(0, mostLines)
      .find(({ change }) => change !== null && !change.confirmed)?.change;
    if (open == null) return;
    const confirmed = confirmChange(frontEnd, project, open, judges);
    findings.confirm(open, confirmed === null ? null : { ...open, ...confirmed, confirmed: true });
  }
}
