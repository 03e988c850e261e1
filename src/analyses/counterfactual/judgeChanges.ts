import type { Budget } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import type { Change } from "../../changes/change.ts";
import { type ChangeKind, changeKinds } from "../../changes/kinds.ts";
import type { ChangeFrontEnd, Selection } from "../../frontEnd/frontEnd.ts";
import type { Project } from "../../frontEnd/project.ts";
import { MemoryExhausted } from "../../interpreter/memory/memory.ts";
import type { Rerun } from "../../interpreter/rerun/rerun.ts";
import { createSwitchedRuns, type SwitchedMode } from "../../interpreter/rerun/switchedRuns.ts";
import type { RunOptions } from "../../interpreter/run.ts";
import type { Edge, Function, Program } from "../../ir/program.ts";
import type { ExperimentEffect } from "./experimentRunner.ts";

/**
 * Changes of conditions. If the failing place was visited once, others that no longer come there have only left the
 * failing code out.
 */
const guards: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  "boundary",
  "comparison",
  "oppositeComparison",
  "connective",
  "droppedConjunct",
  "equalsOrAssigns",
  "boundByOne",
  "negated",
]);

/** A run with its expectation. */
export type JudgeTest = {
  readonly name: string;
  readonly run: RunOptions;
  /** The name of a function without parameters, if it is not the program's entry. */
  readonly entry?: string;
  /** The steps of the unchanged program; more for a run that does not end. */
  readonly steps: number;
  /** Does the unchanged program pass it? */
  readonly passes: boolean;
};

/** A change with which the failing test passes or gets past its failure. */
export type JudgedChange = ExperimentEffect & {
  readonly change: Change;
  /** The other tests that ran with it, and the names of those that fail then. */
  readonly asked: number;
  readonly broken: readonly string[];
  /** Tests that failed before and still fail. They do not count as asked if no change repairs more of them. */
  readonly stillFailing: readonly string[];
};

export type Judgement = {
  readonly helpful: readonly JudgedChange[];
  readonly tried: number;
  /** Changes that are no valid program. */
  readonly invalid: number;
  readonly reruns: number;
  /** False if the budget ended the search. */
  readonly complete: boolean;
};

/** The tests of one failing run. */
export type Judges = {
  readonly failing: JudgeTest;
  readonly others: readonly JudgeTest[];
  /** Tests that only run with a change that is to be shown. */
  readonly left: readonly JudgeTest[];
  /** The edges that get past the failure, and how often the failing run does; null if there is no such place. */
  readonly past: { readonly function: Function; readonly edges: readonly Edge[]; readonly before: number } | null;
  /**
   * Does a run that ends without getting past there avoid the question? Always if it is a failed check; after a crash
   * only with a change of statements, because a simple edit may make the right way around it.
   */
  readonly mustPass: "always" | "unlessSimple" | "never";
  readonly undefinedBehaviour: "stop" | "wrap";
};

/** The cost of starting a re-run, in steps; a step of generated code with versions takes about 80 ns. */
const rerunCost = 500;
/** A byte that a run prints costs as much as so many steps. */
const printCost = 4;
/** The cost of a version in a program, and of a program that must be loaded again: it grows with the text. */
const versionCost = 4_000;
const reloadCost = 60_000;
const characterCost = 150;
/** The same for a program with the versions of a further batch, whose unchanged parts are kept. */
const batchCharacterCost = 60;
/** Programs that must be loaded again wait while they took more than this part of what was spent. */
const reloadShare = 0.3;
const stepFactor = 4;
const spareSteps = 500;
/** A crash ends a run early. With a larger array, it may go on as far as this. */
const stepsWithLargerArray = 2_000_000;

/** Programs with fewer versions run faster; long runs need that more than short ones. */
function batchSize({ steps }: JudgeTest): number {
  return steps > 20_000 ? 60 : 400;
}

/**
 * Tries changes in order: first on the failing test, and if it passes then on the others, until one of them breaks. Other
 * failing tests may have another cause, so those that no change repairs are not held against the changes.
 */
export function judgeChanges(
  frontEnd: ChangeFrontEnd,
  project: Project,
  changes: readonly Change[],
  judges: Judges,
  budget: Budget,
): Judgement {
  const helpful: JudgedChange[] = [];
  let [tried, invalid, reruns] = [0, 0, 0];
  /** The fewest other tests that still fail with a change that breaks none. */
  let leastFailing = Number.POSITIVE_INFINITY;
  const judgeOf = (program: Program) =>
    createJudge(program, judges, (steps) => {
      reruns++;
      budget.spend(rerunCost + steps);
    });
  const tryOne = (judge: Judge, change: Change, versions: readonly Selection[]): void => {
    tried++;
    const effect = judge.effect(change.kind, versions);
    if (effect === null) return;
    let asked = 0;
    const broken: string[] = [];
    const stillFailing: string[] = [];
    for (const test of effect.level === "passes" ? judges.others : []) {
      if (budget.isCancelled() || broken.length > 0 || stillFailing.length > leastFailing) break;
      asked++;
      if (judge.breaks(change.kind, test, versions)) (test.passes ? broken : stillFailing).push(test.name);
    }
    if (asked === judges.others.length && broken.length === 0)
      leastFailing = Math.min(leastFailing, stillFailing.length);
    helpful.push({ change, ...effect, asked, broken, stillFailing });
  };
  const size = batchSize(judges.failing);
  const length = lengthOf(project);
  const costOfReload = reloadCost + characterCost * length;
  const waiting: Change[] = [];
  const start = budget.left();
  let reloads = 0;
  const mayReload = () => (reloads + 1) * costOfReload <= reloadShare * (start - budget.left());
  const reloadNext = (): void => {
    const change = waiting.shift();
    if (change === undefined) return;
    reloads++;
    budget.spend(costOfReload);
    const changed = reload(frontEnd, project, change, judgeOf);
    if (changed === null) invalid++;
    else tryOne(changed, change, []);
  };
  let next = 0;
  while (next < changes.length && !budget.isCancelled()) {
    const batch = changes.slice(next, next + size);
    budget.spend(versionCost * batch.length + (next === 0 ? 0 : batchCharacterCost * length));
    const { program, selections, unswitched } = frontEnd.loadSwitched(project, batch);
    const judge = judgeOf(program);
    for (const [i, change] of batch.entries()) {
      if (budget.isCancelled()) break;
      next++;
      const versions = nth(selections, i);
      if (versions !== null) tryOne(judge, change, versions);
      else if (unswitched.includes(i)) waiting.push(change);
      else invalid++;
    }
    while (waiting.length > 0 && mayReload() && !budget.isCancelled()) reloadNext();
  }
  while (waiting.length > 0 && !budget.isCancelled()) reloadNext();
  return {
    helpful: helpful.map((each) => judgedBy(leastFailing, each)).filter(isJudged),
    tried,
    invalid,
    reruns,
    complete: next >= changes.length && waiting.length === 0,
  };
}

function lengthOf({ files }: Project): number {
  return files.reduce((sum, { text }) => sum + text.length, 0);
}

/** If other changes repair more tests, those that this one does not repair count as broken. */
function judgedBy(leastFailing: number, judged: JudgedChange): JudgedChange {
  const { asked, broken, stillFailing } = judged;
  if (stillFailing.length === 0) return judged;
  if (broken.length > 0 || stillFailing.length > leastFailing)
    return { ...judged, broken: [...broken, ...stillFailing], stillFailing: [] };
  return { ...judged, asked: asked - stillFailing.length };
}

/** A change that prints what is expected says nothing about a line unless other tests pass with it, too. */
function isJudged({ change, asked, broken }: JudgedChange): boolean {
  return !changeKinds[change.kind].accident || (asked > 0 && broken.length === 0);
}

/**
 * Applies the change to the text, and runs all tests with the program that the text is. Only this result is shown. null
 * if it does not help.
 */
export function confirmChange(
  frontEnd: ChangeFrontEnd,
  project: Project,
  judged: JudgedChange,
  judges: Judges,
): JudgedChange | null {
  const judge = reload(frontEnd, project, judged.change, (program) => createJudge(program, judges));
  if (judge === null) return null;
  const effect = judge.effect(judged.change.kind, []);
  if (effect === null || effect.level !== judged.level) return null;
  if (effect.level !== "passes") return { ...judged, ...effect };
  const { kind } = judged.change;
  const fails = (test: JudgeTest) => judge.breaks(kind, test, []);
  const failing = [...judges.others, ...judges.left].filter(fails);
  // If a test breaks, all that fail with the change are told.
  const breaksSome = failing.some(({ passes }) => passes);
  const isCounted = ({ name, passes }: JudgeTest) => passes || breaksSome || judged.broken.includes(name);
  const [broken, stillFailing] = [failing.filter(isCounted), failing.filter((test) => !isCounted(test))];
  const asked = judges.others.length + judges.left.length - stillFailing.length;
  const names = (tests: readonly JudgeTest[]) => tests.map(({ name }) => name);
  return { ...judged, ...effect, asked, broken: names(broken), stillFailing: names(stillFailing) };
}

/** Runs the tests with one program and selected versions of its parts. */
type Judge = {
  /** The effect on the failing test; null if there is none. */
  effect(kind: ChangeKind, versions: readonly Selection[]): ExperimentEffect | null;
  breaks(kind: ChangeKind, test: JudgeTest, versions: readonly Selection[]): boolean;
};

function createJudge(program: Program, judges: Judges, spend: (steps: number) => void = () => {}): Judge {
  const { failing, others, left, past, mustPass, undefinedBehaviour } = judges;
  const watch = watchedIn(program, past);
  const named = new Set([failing, ...others, ...left].flatMap(({ entry }) => entry ?? []));
  const entries = program.functions.filter(({ name }) => named.has(name)).map(({ id }) => id);
  const runs = createSwitchedRuns(program, { undefinedBehaviour, entries, ...watch });
  const run = (kind: ChangeKind, test: JudgeTest, versions: readonly Selection[]): Rerun | null => {
    const entry = program.functions.find(({ name }) => name === test.entry)?.id;
    if (test.entry !== undefined && entry === undefined) return null;
    const maxSteps = Math.max(stepFactor * test.steps + spareSteps, kind === "arraySize" ? stepsWithLargerArray : 0);
    const isOther = entry !== undefined && entry !== program.entry;
    let printed = 0;
    const onOutput = (bytes: Uint8Array) => {
      printed += bytes.length;
    };
    const result = runs.run({ ...test.run, maxSteps, onOutput, ...(isOther ? { entry } : {}) }, versions);
    spend(result.steps + printCost * printed);
    return result;
  };
  return {
    effect(kind, versions) {
      const result = run(kind, failing, versions);
      if (result === null) return null;
      const isPast = past !== null && result.passed > past.before;
      const isFirst = past !== null && past.before === 0;
      const mayLeaveOut = changeKinds[kind].simple && (!isFirst || guards.has(kind));
      const isAsked = mustPass === "always" || (mustPass === "unlessSimple" && !mayLeaveOut);
      if (isPass(result)) return { level: "passes", avoids: isAsked && !isPast };
      return isPast && result.end === "failure" ? { level: "getsPast", avoids: false } : null;
    },
    breaks(kind, test, versions) {
      const result = run(kind, test, versions);
      return result === null || !isPass(result);
    },
  };
}

/** The same edges in another version of the program: they have the same place in the source. */
function watchedIn(program: Program, past: Judges["past"]): Pick<SwitchedMode, "watch"> {
  const fn = program.functions.find(({ name, file }) => name === past?.function.name && file === past.function.file);
  if (past === null || fn === undefined) return {};
  const keys = new Set(past.edges.map(edgeKey));
  const edges = fn.edges.filter((edge) => keys.has(edgeKey(edge))).map(({ id }) => id);
  return { watch: { function: fn.id, edges: new Set(edges) } };
}

function edgeKey({ operation, range }: Edge): string {
  const side = operation.kind === "assume" ? `${operation.negated}` : "";
  return `${operation.kind} ${side} ${range.file}:${range.line}:${range.column}:${range.endLine}:${range.endColumn}`;
}

function isPass({ end, code }: Rerun): boolean {
  return end === "exit" && code === 0;
}

/** null if the changed text is no program, or needs more memory than there is. */
function reload(
  frontEnd: ChangeFrontEnd,
  project: Project,
  change: Change,
  judgeOf: (program: Program) => Judge,
): Judge | null {
  try {
    return judgeOf(frontEnd.load(frontEnd.changed(project, change)));
  } catch (error) {
    if (error instanceof TracefoldError || error instanceof MemoryExhausted) return null;
    throw error;
  }
}
