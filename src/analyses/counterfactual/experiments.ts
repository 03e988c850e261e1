import { type Budget, budgetOf } from "../../base/cancellation.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { DependenceGraph, Event } from "../../dependence/dependenceGraph.ts";
import { type FailureRoot, failureRoot, rootEvents } from "../../dependence/failureRoot.ts";
import { lostUpdates } from "../../dependence/lostUpdates.ts";
import { deadObjectAt, missedUnlinkings, staleWrites } from "../../dependence/missedUpdates.ts";
import { backwardSlice, type Slice } from "../../dependence/slice.ts";
import type { ChangeSource } from "../../frontEnd/frontEnd.ts";
import { variedPlacesOf } from "../../interpreter/rerun/places.ts";
import { createTrackedRerunner } from "../../interpreter/rerun/trackedRerun.ts";
import type { Edge, Function, Program } from "../../ir/program.ts";
import { containsRange } from "../../ir/source.ts";
import { agreements } from "./agreement.ts";
import { passesAll } from "./evidence.ts";
import {
  chosenInstances,
  closeness,
  type ExecutedPlace,
  executedPlaces,
  instancesByPlace,
  type PlaceVisit,
  type PlaceVisits,
  rangeOfPlace,
} from "./executedPlaces.ts";
import { createExperimentRunner, type ExperimentRunner, levelRank, type PassingRun } from "./experimentRunner.ts";
import { createFindings, type Findings } from "./findings.ts";
import { furtherOf, type Omission, relevantSlice } from "./omissions.ts";
import { candidateRuns, type OtherTests, otherTests } from "./passingRuns.ts";
import {
  expectedNumbers,
  instanceValue,
  proposeValues,
  type ValuePool,
  valuePool,
  writesNumber,
} from "./proposeValues.ts";
import type { SuspectedLine } from "./suspect.ts";
import { askingPrint, type ProtectedTests, protectedTests, testFunctions } from "./testCode.ts";
import { confirmBest, judgesOf, placesOfChange, slicedLines, tryChanges } from "./tryChanges.ts";

export type ExperimentOptions = {
  /** Other runs of the program with their expectations, besides its test functions. */
  readonly passing?: readonly PassingRun[];
  /** How changes of the program's text are made and run; without it none are tried. */
  readonly changes?: ChangeSource | null;
  /** In interpreter steps; see `experimentSteps`. */
  readonly budget?: Budget;
};

export type Experiments = {
  /** Suspected lines, likeliest first. */
  readonly suspects: readonly SuspectedLine[];
  /** The steps that the failure depends on, including omissions. */
  readonly slice: Slice;
  readonly omissions: readonly Omission[];
  readonly reruns: number;
  readonly steps: number;
  /** The number of other tests that judged the changes. */
  readonly asked: number;
  /** True if the budget sufficed for everything. */
  readonly complete: boolean;
};

/** Interpreter steps over all re-runs: some seconds. */
export const experimentSteps = 50_000_000;

/** The cost of a tracked step, relative to a plain one. */
const trackingCost = 8;

/** Replaced values cost most and tell least. */
const maxReplacements = 20_000;

type ExperimentContext = {
  readonly graph: DependenceGraph;
  readonly runner: ExperimentRunner;
  readonly findings: Findings;
  /** Places outside of tests come first. */
  readonly places: readonly ExecutedPlace[];
  readonly instances: (place: number) => PlaceVisits;
  readonly pool: ValuePool;
  /** The numbers that the failure asks for. */
  readonly answers: ReadonlySet<number>;
  readonly tests: ReadonlySet<Function>;
  readonly kept: ProtectedTests;
  /** The start of the slice. */
  readonly start: readonly Event[];
  /** Missing writes at the end of an object, which no re-run can show. */
  readonly unlinkings: readonly Omission[];
  /** Changes of a source whose derived value was not updated, and changes of a copy. */
  stale: readonly Omission[];
  slice: Slice;
  omissions: readonly Omission[];
};

/** After a use of a dead object, both its end and its use are explained. */
function startOf(graph: DependenceGraph, root: FailureRoot): readonly Event[] {
  const dead = root.kind === "trap" ? deadObjectAt(graph, root.step) : null;
  return [...rootEvents(root), ...(dead === null ? [] : [{ step: dead.death, part: 0 }])];
}

/** Where the run went wrong by itself. A test that prints a result is right, as one that checks it. */
function failingLine(graph: DependenceGraph, root: FailureRoot, tests: ReadonlySet<Function>): SourceRange | null {
  const isTest = graph.trace.outcome.kind === "wrong-output" && tests.has(graph.function(root.step));
  return root.kind === "trap" && !isTest ? graph.edge(root.step).range : null;
}

/**
 * Tries flips, replaced values and changes of the text on a failing run; other tests judge the changes. Each stage
 * improves the order; after a cancellation the current order is the answer.
 */
export function runExperiments(graph: DependenceGraph, options: ExperimentOptions = {}): Experiments {
  const { trace } = graph;
  const { passing = [], budget = budgetOf(experimentSteps) } = options;
  const root = failureRoot(graph);
  const runs = candidateRuns(trace.program, passing);
  const entries = runs.flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
  const runner = createExperimentRunner(graph, root, budget, entries);
  const rerunner = createTrackedRerunner(trace, runner.starts?.points);
  const log = runner.starts?.log ?? rerunner.logInstances(graph.first);
  const tests = testFunctions(trace);
  const failing = failingLine(graph, root, tests);
  const start = startOf(graph, root);
  const unlinkings = root.kind === "trap" ? missedUnlinkings(graph, root.step) : [];
  const slice = backwardSlice(graph, start, undefined, furtherOf(unlinkings));
  const asking = askingPrint(graph, tests);
  const isAsked = ({ place: { edge } }: ExecutedPlace) => asking.some((range) => containsRange(range, edge.range));
  const places = executedPlaces(graph).filter((place) => !isAsked(place));
  const answers = expectedNumbers(graph, root);
  const context: ExperimentContext = {
    graph,
    runner,
    findings: createFindings(graph, () => context, tests, failing),
    places: [
      ...places.filter(({ place }) => !tests.has(place.function)),
      ...places.filter(({ place }) => tests.has(place.function)),
    ],
    instances: instancesByPlace(log),
    pool: valuePool(graph, log, variedPlacesOf(trace.program).list, answers),
    answers,
    tests,
    kept: protectedTests(graph, root, tests),
    start,
    unlinkings,
    stale: [],
    slice,
    omissions: unlinkings,
  };
  runner.openStage(0.2);
  const others = otherTests(trace, runs, runner);
  context.findings.setCoverage(others.passing.map(({ lines }) => lines));
  flipConditions(context);
  findOmissions(context, rerunner);
  if (options.changes != null) tryTextChanges(context, options.changes, others);
  replaceValues(context);
  return {
    suspects: context.findings.suspects(),
    slice: context.slice,
    omissions: context.omissions,
    reruns: runner.reruns,
    steps: runner.spent,
    asked: others.passing.length + others.failing.length,
    complete: !runner.cutShort,
  };
}

function flipConditions({ graph, runner, findings, places, instances, kept }: ExperimentContext): void {
  runner.openStage(0.25);
  const conditions = places.filter(({ place }) => place.kind === "condition" && !kept.functions.has(place.function));
  const perPlace = instancesFor(runner, graph, conditions.length);
  for (const { number, place } of conditions) {
    if (place.kind !== "condition") continue;
    for (const instance of chosenInstances(graph, instances(number), perPlace)) {
      if (runner.isOver()) return;
      const effect = runner.flip(instance.number);
      if (effect.level === "same") continue;
      const { step, visit } = instance;
      const whatIf = { kind: "flip", place, step, visit, distance: closeness(graph, step), ...effect } as const;
      findings.add(place.function, place.edge.range, whatIf);
    }
  }
}

/** The number of visits of each place that the stage can afford. */
function instancesFor(runner: ExperimentRunner, { trace }: DependenceGraph, places: number): number {
  return Math.floor(runner.left / ((trace.steps + 500) * Math.max(1, places)));
}

function findOmissions(context: ExperimentContext, rerunner: ReturnType<typeof createTrackedRerunner>): void {
  const { graph, runner, places, instances } = context;
  runner.openStage(0.2);
  const conditions = places.filter(({ place }) => place.kind === "condition");
  const perPlace = Math.min(50, instancesFor(runner, graph, conditions.length));
  const candidates = conditions.flatMap(({ number }) => chosenInstances(graph, instances(number), perPlace));
  const trackFlip = ({ number, step }: PlaceVisit, maxSteps: number) => {
    const from = runner.starts?.forInstance(number);
    runner.charge((step - (from?.steps ?? 0)) * trackingCost);
    return runner.isOver() ? null : rerunner.trackFlip(number, step, maxSteps, from);
  };
  const known = { slice: context.slice, omissions: context.unlinkings };
  const { slice, omissions } = relevantSlice(graph, context.start, known, candidates, trackFlip);
  context.stale = [
    ...staleWrites(graph, slice),
    ...(copiesStructs(graph.trace.program) ? lostUpdates(graph, slice) : []),
  ];
  context.omissions = [...omissions, ...context.stale];
  context.slice =
    context.stale.length === 0 ? slice : backwardSlice(graph, context.start, undefined, furtherOf(context.omissions));
}

function copiesStructs({ functions, variables }: Program): boolean {
  const isCopy = ({ operation }: Edge) => operation.kind === "copy";
  return variables.some(({ partOf }) => partOf !== undefined) || functions.some(({ edges }) => edges.some(isCopy));
}

/**
 * By distance to the failure; then places that the failure does not depend on, because a wild write may be the cause.
 */
function replaceValues(context: ExperimentContext): void {
  const { graph, runner, findings, places, instances, pool, answers, slice, tests, kept } = context;
  runner.openStage(1);
  const values = places.filter(({ place }) => place.kind === "value" && !kept.functions.has(place.function));
  const perPlace = Math.max(5, instancesFor(runner, graph, values.length * 20));
  const work = values.flatMap(({ number, place }) =>
    chosenInstances(graph, instances(number), perPlace).flatMap((instance) => {
      if (place.kind !== "value" || instance.step < graph.first) return [];
      const distance = slice.distance(instance.step);
      if (distance === -1 && tests.has(place.function)) return [];
      return [{ number, place, instance, distance: distance === -1 ? Number.POSITIVE_INFINITY : distance }];
    }),
  );
  work.sort((a, b) => (a.distance === b.distance ? b.instance.number - a.instance.number : a.distance - b.distance));
  let replacements = 0;
  for (const { number, place, instance } of work) {
    const range = rangeOfPlace(place);
    if (findings.best("value", range) === "passes") continue;
    const { step, visit } = instance;
    const from = instanceValue(graph, place, step);
    if (from === undefined) continue;
    for (const to of proposeValues(place.type, from, number, pool)) {
      if (replacements++ === maxReplacements || runner.isOver()) return;
      const { level, avoids } = runner.replace(instance.number, to);
      if (levelRank[level] > levelRank[findings.best("value", range)]) {
        const effect = { level, avoids: avoids || answers.has(Number(to)) };
        findings.add(place.function, range, { kind: "value", place, step, visit, from, to, ...effect });
      }
      if (level === "passes") break;
    }
  }
}

/** The likeliest lines so far and the nearest ones to the failure, by turns. */
function likelyLines(suspects: readonly SuspectedLine[]): readonly SourceRange[] {
  const reached = suspects.filter(({ distance, inTest }) => distance !== -1 && !inTest);
  const near = reached.sort((a, b) => a.distance - b.distance);
  return [...new Set(suspects.flatMap((each, i) => [each, ...near.slice(i, i + 1)]))].map(({ range }) => range);
}

/** Changes of the text; then the best ones of each of the first lines are run as programs of their own. */
function tryTextChanges(context: ExperimentContext, source: ChangeSource, others: OtherTests): void {
  const { graph, runner, findings, answers, slice, tests, kept } = context;
  runner.openStage(0.7);
  const judges = judgesOf(graph, runner, others);
  const budget = { ...runner.budget, isCancelled: () => runner.isOver() };
  const likely = likelyLines(findings.suspects());
  const { helpful: found } = tryChanges(graph, likely, { tests, kept }, source, judges, budget);
  const repairs = found.filter(({ change }) => !writesNumber(graph.trace.program, change, answers));
  const helpful = repairs.some(passesAll) ? repairs : found;
  const relevant = slicedLines(slice);
  const passing = helpful.filter(
    (each) => passesAll(each) && each.asked + each.stillFailing.length === judges.others.length,
  );
  runner.openStage(0.4);
  const shares = agreements(
    source,
    passing.map(({ change }) => change),
    judges,
    budget,
  );
  for (const judged of helpful) {
    const agreement = shares.get(judged.change) ?? 0;
    const whatIf = { kind: "change", ...judged, agreement, confirmed: false } as const;
    for (const { function: fn, range } of placesOfChange(graph.trace.program, judged.change, relevant))
      findings.add(fn, range, whatIf);
  }
  confirmBest(findings, source, judges, runner.budget);
}
