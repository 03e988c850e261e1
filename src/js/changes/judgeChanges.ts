import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyEdits, type Change } from "../../changes/change.ts";
import { orderLines } from "../../changes/kinds.ts";
import { entryPath } from "../runners/entries.ts";
import type { TestId, TestOutcome, TestRun } from "../runners/runner.ts";
import type { RunnerSession } from "../runners/session.ts";
import type { Proposal } from "./draft.ts";
import type { JudgeNote, JudgeOptions } from "./judgeWorker.ts";
import { proposeChanges, readSites, type SourceToChange } from "./proposeChanges.ts";
import type { ReplacedSources, ReplaceOptions } from "./replaceSources.ts";
import type { SurveyedFile, SurveyOptions } from "./surveyWorker.ts";
import { compileSwitches, type Switch } from "./switches.ts";

/** Which functions the tests reach, by test file; files that are missing may reach any. */
export type Survey = { readonly run: TestRun; readonly files: readonly SurveyedFile[] };

/** Runs tests and notes the functions that each enters. `wanted` is a part of the name of the test to explain. */
export async function surveyTests(
  session: RunnerSession,
  files: readonly string[] | null,
  wanted: string | null = null,
): Promise<Survey> {
  if (session.runner !== "node:test") return surveyFiles(session, files);
  // With hooks each of its files needs a process and takes its turn: only files with failing tests are surveyed.
  const plain = await session.run({ files });
  const failed = plain.tests.filter(({ state }) => state === "failed").map(({ id }) => id);
  const isWanted = ({ name }: TestId) => wanted !== null && name.includes(wanted);
  const failing = new Set([...failed.filter(isWanted), ...failed].map(({ file }) => file));
  if (failing.size === 0) return { run: plain, files: [] };
  const survey = await surveyFiles(session, [...failing].slice(0, mostSurveyed));
  const known = new Set(survey.run.tests.map(({ id }) => id.file));
  const others = plain.tests.filter(({ id }) => !known.has(id.file));
  return { ...survey, run: { tests: [...survey.run.tests, ...others], problems: plain.problems } };
}

const mostSurveyed = 4;

async function surveyFiles(session: RunnerSession, files: readonly string[] | null): Promise<Survey> {
  const isSurvey = (name: string) => name.startsWith("survey-");
  const before = new Set(readdirSync(session.folder).filter(isSurvey));
  const options: SurveyOptions = { folder: session.folder };
  const run = await session.run({
    files,
    transform: entryPath("surveyTransform"),
    hooks: entryPath("surveyWorker"),
    options,
  });
  const written = readdirSync(session.folder).filter((name) => isSurvey(name) && !before.has(name));
  return { run, files: written.map((name) => JSON.parse(readFileSync(join(session.folder, name), "utf8"))) };
}

/** A change with which the failing test passes. */
export type PassingJsChange = {
  readonly change: Change;
  /** The other tests that ran with it, and the names of those that fail then. */
  readonly asked: number;
  readonly broken: readonly string[];
  /** The part of the other failing tests that pass with it; null if it is not known. */
  readonly repairs: number | null;
  /** Tests that failed before, and still fail; known if it is confirmed. */
  readonly stillFailing: readonly string[];
  /** True if the source was really changed and run by the runner; `asked` and `broken` are from there. */
  readonly isConfirmed: boolean;
};

export type JsJudgement = {
  /** Likeliest first, by line. */
  readonly lines: readonly {
    readonly file: string;
    readonly line: number;
    readonly score: number;
    readonly changes: readonly PassingJsChange[];
  }[];
  readonly proposed: number;
  readonly tried: number;
  readonly reruns: number;
  /** False if the budget ended the search. */
  readonly complete: boolean;
  /** Why fewer changes were tried; null if nothing is to be said. */
  readonly notice: string | null;
};

export type JudgeRequest = {
  readonly session: RunnerSession;
  readonly target: TestOutcome;
  readonly survey: Survey;
  /** Milliseconds of processor time for re-runs. */
  readonly budget: number;
  /** The number of changes to confirm. */
  readonly confirm: number;
  /** Places to try first have small numbers; those that are not known come last. */
  readonly rank?: (file: string, line: number) => number;
  /** True for lines that the failure depends on; only there a change that needs a process of its own is tried. */
  readonly isRelated?: (file: string, line: number) => boolean;
};

const mostRestarts = 4;
/** Milliseconds of work for a run that may not end: the start of a worker, and some tests. */
const shortest = 5000;
const longest = 20_000;
/** No change is confirmed after so many milliseconds of work. */
const confirmingTime = 10_000;
/** After so many milliseconds of work in all, one confirmed change that breaks nothing is enough. */
const enoughWork = 4000;
/** At most this many runs with a change that takes effect while modules are loaded. */
const mostLoads = 40;
/** The work for them, in budgets: little, unless nothing can be tried in place. */
const loadWork = 0.7;
const loadWorkAlone = 2;
/** For one change to confirm, at most this many are run. */
const attempts = 3;

/** Tries changes in the real program: on the failing test, on other tests, and the best ones on the changed source. */
export async function judgeChanges(request: JudgeRequest): Promise<JsJudgement> {
  const { target, survey, rank } = request;
  const surveyed = survey.files.find(({ file, project }) => file === target.id.file && project === target.id.project);
  const test = surveyed?.tests.find(({ name }) => name === target.id.name);
  if (surveyed === undefined || test === undefined) return nothing("the test did not run again");
  const testFiles = new Set(survey.run.tests.map(({ id }) => id.file));
  const files = reachedFiles(surveyed, target.id.name).filter(({ path }) => !testFiles.has(path));
  const switched = compileAll(files, rank ?? (() => 0));
  const place = placesOf(switched.switches);
  const line = ({ proposal: { change } }: Switch) => rank?.(change.file, change.lines[0] ?? 0) ?? 0;
  const order = switched.switches.toSorted((a, b) => line(a) - line(b));
  // The first changes of all places come before the second ones.
  const turn = ({ number }: Switch) => number - place(number);
  const turns = order.toSorted((a, b) => line(a) - line(b) || turn(a) - turn(b));
  const effects = test.effects.length > 0;
  const tried = effects
    ? { ...noTrial, notice: `the test ${test.effects.join(" and ")}, so it is not run again in place` }
    : await tryInPlace(request, switched.sources, order, place);
  const byNumber = new Map(switched.switches.map((each) => [each.number, each.proposal.change]));
  const isFound = [...tried.passing.values()].some(
    ({ broken, repairs }) => broken.length === 0 && (repairs ?? 1) === 1,
  );
  const isRelated = ({ proposal: { change } }: Switch) =>
    request.isRelated?.(change.file, change.lines[0] ?? 0) ?? true;
  const atLoad = effects ? turns : turns.filter((each) => tried.load.has(place(each.number)) && isRelated(each));
  // A changed program may write where the program itself does not.
  const hasEffects = survey.files.some(({ tests }) => tests.some((each) => each.effects.length > 0));
  const session = hasEffects ? await copyOf(request.session) : request.session;
  if (session === null) return nothing("the project cannot be copied, so no change was run");
  const apart = { ...request, session };
  try {
    const loads = isFound ? [] : await tryAtLoad(apart, switched.sources, atLoad, effects ? loadWorkAlone : loadWork);
    const judged = [...tried.passing, ...loads];
    const passing = judged.flatMap(([number, verdict]): readonly PassingJsChange[] => {
      const change = byNumber.get(number);
      return change === undefined ? [] : [{ change, ...verdict, stillFailing: [], isConfirmed: false }];
    });
    const lateness = latenessOf(switched.switches, place, tried.reached);
    const lines = await confirm(apart, files, passing, lateness);
    const { complete, reruns, notice } = tried;
    return { lines, proposed: order.length, tried: tried.tried, reruns: reruns + loads.length, complete, notice };
  } finally {
    if (hasEffects) session.close();
  }
}

/** null if a file cannot be read, or if the disk is full. */
async function copyOf(session: RunnerSession): Promise<RunnerSession | null> {
  try {
    return await session.copy();
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return null;
    throw error;
  }
}

function nothing(notice: string): JsJudgement {
  return { lines: [], proposed: 0, tried: 0, reruns: 0, complete: false, notice };
}

type ReachedFile = SourceToChange & { readonly functions: ReadonlySet<number> };

/** The sources whose functions the test enters, and those that are loaded for it. */
function reachedFiles({ load, tests }: SurveyedFile, name: string): readonly ReachedFile[] {
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

function compileAll(files: readonly ReachedFile[], rank: (file: string, line: number) => number): Compiled {
  const ranked = files.map((file) => {
    const rankOf = ({ change }: Proposal) => rank(file.path, change.lines[0] ?? 0);
    return { file, proposals: proposeChanges(file, file.functions).map((each) => ({ each, rank: rankOf(each) })) };
  });
  const best = ranked
    .flatMap(({ proposals }) => proposals)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, mostSwitches);
  const chosen = new Set(best.map(({ each }) => each));
  const sources: Record<string, { was: string; now: string }> = {};
  const switches: Switch[] = [];
  for (const { file, proposals } of ranked) {
    const wanted = proposals.flatMap(({ each }) => (chosen.has(each) ? [each] : []));
    const compiled = compileSwitches(file, wanted, switches.length + 1);
    if (compiled.switches.length === 0) continue;
    sources[file.path] = { was: file.text, now: compiled.text };
    switches.push(...compiled.switches);
  }
  return { sources, switches };
}

/** The first number of the switches of the same place. */
function placesOf(switches: readonly Switch[]): (number: number) => number {
  const places = new Map<number, number>();
  let [first, key] = [0, ""];
  for (const { number, proposal } of switches) {
    const own = `${proposal.change.file} ${proposal.form} ${proposal.start} ${proposal.end}`;
    if (own !== key) [first, key] = [number, own];
    places.set(number, first);
  }
  return (number) => places.get(number) ?? number;
}

type Verdict = Pick<PassingJsChange, "asked" | "broken" | "repairs">;

const unjudged: Verdict = { asked: 0, broken: [], repairs: null };

type FreshVerdict = Verdict & Pick<PassingJsChange, "stillFailing">;

type Trial = {
  readonly passing: ReadonlyMap<number, Verdict>;
  /** Places that the target reached, the last one last; and those that were reached only while loading. */
  readonly reached: readonly number[];
  readonly load: ReadonlySet<number>;
  readonly tried: number;
  readonly reruns: number;
  readonly complete: boolean;
  readonly notice: string | null;
};

const noTrial: Trial = {
  ...{ passing: new Map(), reached: [], load: new Set(), tried: 0, reruns: 0, complete: false, notice: null },
};

async function tryInPlace(
  { session, target, budget }: JudgeRequest,
  sources: ReplacedSources,
  order: readonly Switch[],
  place: (number: number) => number,
): Promise<Trial> {
  const path = writeSources(session, "switched.json", sources);
  const output = join(session.folder, "judged.jsonl");
  const passing = new Map<number, Verdict>();
  const skipped = new Set<number>();
  let [next, reruns, complete] = [0, 0, false];
  let notice: string | null = null;
  let start: JudgeNote & { readonly kind: "start" } = { kind: "start", reached: [], load: [] };
  for (let restart = 0; restart < mostRestarts; restart++) {
    writeFileSync(output, "");
    const rest = order.slice(next).filter(({ number }) => !skipped.has(number));
    const options: JudgeOptions & ReplaceOptions = {
      target: target.id.name,
      switches: rest.map(({ number }) => [number, place(number)]),
      budget: budget / (restart + 1),
      passing: [...passing.keys()],
      output,
      on: null,
      sources: path,
    };
    const { problems } = await session.run({
      files: [target.id.file],
      transform: entryPath("replaceSources"),
      hooks: entryPath("judgeWorker"),
      options,
      limit: shortest + 4 * budget,
    });
    const notes = readNotes(output);
    if (notes.length === 0)
      notice = ["the test did not run with changes", ...problems.map(({ error }) => error.message)]
        .slice(0, 2)
        .join(": ");
    let isOver = true;
    let [since, index]: [number[], number] = [[], 0];
    for (const note of notes) {
      if (note.kind === "start") start = note;
      else if (note.kind === "unstable") notice = note.why;
      else if (note.kind === "passes") since.push(note.number);
      else if (note.kind === "tried") {
        for (const number of since) passing.set(number, unjudged);
        since = [];
        index = note.index;
      } else if (note.kind === "judged") passing.set(note.number, note);
      else if (note.kind === "stuck") {
        // What passed before the worker was stuck did pass.
        for (const number of since) passing.set(number, unjudged);
        skipped.add(note.number);
        index = Math.max(index, rest.findIndex(({ number }) => number === note.number) + 1);
        isOver = false;
      } else if (note.kind === "drift") {
        isOver = false;
        if (index === 0) index = rest.length;
      } else {
        complete = note.complete;
        reruns += note.reruns;
      }
    }
    next = order.length - rest.length + index;
    if (isOver || next >= order.length) break;
  }
  const { reached, load } = start;
  return { passing, reached, load: new Set(load), tried: next, reruns, complete, notice };
}

function readNotes(output: string): readonly JudgeNote[] {
  return readFileSync(output, "utf8")
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line) as JudgeNote);
}

/** Changes of code that runs while modules are loaded: each needs a worker of its own, with all tests of the file. */
async function tryAtLoad(
  { session, target, budget, survey }: JudgeRequest,
  sources: ReplacedSources,
  switches: readonly Switch[],
  budgets: number,
): Promise<readonly (readonly [number, Verdict])[]> {
  const end = session.work() + budgets * budget;
  if (switches.length === 0) return [];
  const path = writeSources(session, "switched.json", sources);
  const output = join(session.folder, "loaded.jsonl");
  const own = survey.run.tests.filter(({ id }) => id.file === target.id.file && id.project === target.id.project);
  const namesOf = (state: TestOutcome["state"]) =>
    new Set(own.flatMap((test) => (test.state === state ? [test.id.name] : [])));
  const [passed, failed] = [namesOf("passed"), namesOf("failed")];
  const found: (readonly [number, Verdict])[] = [];
  for (const { number } of switches.slice(0, mostLoads)) {
    if (session.work() > end) break;
    const options: JudgeOptions & ReplaceOptions = {
      ...{ target: target.id.name, switches: [], budget: 0, passing: [], output, on: number, sources: path },
    };
    const { tests } = await session.run({
      files: [target.id.file],
      transform: entryPath("replaceSources"),
      hooks: entryPath("judgeWorker"),
      options,
      limit: shortest,
    });
    const passes = new Set(tests.flatMap(({ id, state }) => (state === "passed" ? [id.name] : [])));
    if (!passes.has(target.id.name)) continue;
    const broken = [...passed].filter((name) => !passes.has(name));
    const others = [...failed].filter((name) => name !== target.id.name);
    const repaired = others.filter((name) => passes.has(name)).length;
    const repairs = others.length === 0 ? null : repaired / others.length;
    found.push([number, { asked: passed.size, broken, repairs }]);
    if (broken.length === 0 && (repairs ?? 1) === 1) break;
  }
  return found;
}

function writeSources(session: RunnerSession, name: string, sources: ReplacedSources): string {
  const path = join(session.folder, name);
  const there = Object.entries(sources).map(([source, texts]) => [session.pathOf(source), texts] as const);
  writeFileSync(path, JSON.stringify(Object.fromEntries(there)));
  return path;
}

/** How late in the failing run each line was reached for the last time, between 0 and 1. */
function latenessOf(
  switches: readonly Switch[],
  place: (number: number) => number,
  reached: readonly number[],
): (file: string, line: number) => number {
  const position = new Map(reached.map((each, i) => [each, (i + 1) / reached.length]));
  const byLine = new Map<string, number>();
  for (const { number, proposal } of switches) {
    const key = `${proposal.change.file}:${proposal.change.lines[0]}`;
    byLine.set(key, Math.max(byLine.get(key) ?? 0, position.get(place(number)) ?? 0));
  }
  return (file, line) => byLine.get(`${file}:${line}`) ?? 0;
}

/** Orders the lines, and runs the best changes as changed sources. A change that fails there is not kept. */
async function confirm(
  { session, target, survey, confirm: wanted }: JudgeRequest,
  files: readonly ReachedFile[],
  passing: readonly PassingJsChange[],
  lateness: (file: string, line: number) => number,
): Promise<JsJudgement["lines"]> {
  const byChange = new Map(passing.map((each) => [each.change, each]));
  const ordered = () =>
    orderLines(
      [...byChange.values()].map(({ change, broken, repairs }) => ({
        change,
        passesAll: broken.length === 0,
        repairs,
      })),
      (file, line) => ({ lateness: lateness(file, line) }),
    ).map((each) => ({
      ...each,
      changes: each.changes.flatMap(({ change }) => byChange.get(change) ?? []),
    }));
  let left = wanted * attempts;
  const end = session.work() + confirmingTime;
  for (let lines = ordered(); left > 0 && session.work() < end; lines = ordered()) {
    const best = lines.slice(0, wanted).flatMap(({ changes }) => changes[0] ?? []);
    const next = best.find(({ isConfirmed }) => !isConfirmed);
    if (next === undefined) break;
    // Beside a change that breaks nothing, one that breaks other tests is not worth a run.
    const isFound = best.some(({ isConfirmed, broken }) => isConfirmed && broken.length === 0);
    if (isFound && (next.broken.length > 0 || session.work() > enoughWork)) break;
    left--;
    const fresh = await runChanged(session, target, survey, files, next.change);
    if (fresh === null) byChange.delete(next.change);
    else byChange.set(next.change, { change: next.change, ...fresh, isConfirmed: true });
  }
  return ordered();
}

/** Runs the tests of all files that reach the place, with the source really changed; null if the target fails. */
async function runChanged(
  session: RunnerSession,
  target: TestOutcome,
  { run: before, files: surveyed }: Survey,
  files: readonly ReachedFile[],
  change: Change,
): Promise<FreshVerdict | null> {
  const source = files.find(({ path }) => path === change.file);
  if (source === undefined) return null;
  const sources = { [source.path]: { was: source.text, now: applyEdits(source.text, change.edits) } };
  const isElsewhere = new Set(surveyed.filter(({ load }) => !(source.path in load)).map(({ file }) => file));
  const reaching = before.tests.map(({ id }) => id.file).filter((file) => !isElsewhere.has(file));
  const options: ReplaceOptions = { sources: writeSources(session, "changed.json", sources) };
  const wanted = [...new Set([target.id.file, ...reaching])];
  const usual = before.tests.reduce(
    (sum, { id, milliseconds }) => sum + (wanted.includes(id.file) ? milliseconds : 0),
    0,
  );
  const { tests, problems } = await session.run({
    files: wanted,
    transform: entryPath("replaceSources"),
    options,
    // A change may make other tests run forever.
    limit: Math.min(longest, shortest + 3 * usual),
  });
  const key = ({ id }: TestOutcome) => `${id.project}\n${id.file}\n${id.name}`;
  const passed = new Set(before.tests.filter(({ state }) => state === "passed").map(key));
  const now = tests.find((test) => key(test) === key(target));
  if (now?.state !== "passed" || problems.length > before.problems.length) return null;
  const failing = tests.filter(({ state }) => state === "failed");
  const stillFailing = failing.filter((test) => !passed.has(key(test)));
  // A test that failed before and passes now counts, too; the target counts by itself.
  const asked = tests.filter(({ state }) => state === "passed" || state === "failed").length - stillFailing.length - 1;
  const names = (list: readonly TestOutcome[]) => list.map(({ id }) => id.name);
  const failedBefore = tests.filter((test) => !passed.has(key(test)) && test.state !== "skipped").length - 1;
  return {
    asked,
    broken: names(failing.filter((test) => passed.has(key(test)))),
    repairs: failedBefore === 0 ? null : 1 - stillFailing.length / failedBefore,
    stillFailing: names(stillFailing),
  };
}
