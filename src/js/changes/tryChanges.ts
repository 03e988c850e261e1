import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { entryPath } from "../runners/entries.ts";
import type { TestOutcome } from "../runners/runner.ts";
import { endless } from "../trace/runtimeName.ts";
import type { JudgeNote, JudgeOptions } from "./judge/judgeWorker.ts";
import type { JsVerdict, JudgeRequest } from "./judgement.ts";
import type { ReplacedSources, ReplaceOptions } from "./replaced/replaceSources.ts";
import { writeSources } from "./switchedSources.ts";
import type { Switch } from "./switches.ts";

const mostRestarts = 4;
/** Milliseconds of work for the start of a worker, and some tests. */
const startWork = 5000;
/** The time for changes that take effect while modules are loaded, in budgets: little, unless nothing else can be tried. */
export const loadWork = 0.7;
export const loadWorkAlone = 2;
/** At most this many runs with a change that takes effect while modules are loaded. */
const mostLoads = 40;

const unjudged: JsVerdict = { asked: 0, broken: [], repairs: null };

export type Trial = {
  readonly passing: ReadonlyMap<number, JsVerdict>;
  /** Places that the target reached, the last one last; and those that were reached only while loading. */
  readonly reached: readonly number[];
  readonly load: ReadonlySet<number>;
  /** How much the tests speak against places that the target reached. */
  readonly suspicions: ReadonlyMap<number, number>;
  /** Changes of places that the target reached. */
  readonly proposed: number;
  readonly tried: number;
  readonly reruns: number;
  readonly complete: boolean;
  /** Changes that take effect while modules are loaded were tried, too. */
  readonly hasLoaded: boolean;
  readonly notice: string | null;
};

export const noTrial: Trial = {
  ...{ passing: new Map(), reached: [], suspicions: new Map(), load: new Set() },
  ...{ proposed: 0, tried: 0, reruns: 0, complete: false, hasLoaded: false, notice: null },
};

function doesNotEnd({ error }: TestOutcome): boolean {
  return error?.message.startsWith(endless) === true;
}

type StartNote = JudgeNote & { readonly kind: "start" };

export async function tryInPlace(
  { session, target, budget }: JudgeRequest,
  sources: ReplacedSources,
  order: readonly Switch[],
  loads: readonly Switch[],
  place: (number: number) => number,
): Promise<Trial> {
  const path = writeSources(session, "switched.json", sources);
  const output = join(session.folder, "judged.jsonl");
  const passing = new Map<number, JsVerdict>();
  const done = new Set<number>();
  let [reruns, complete, hasLoaded] = [0, false, false];
  let notice: string | null = null;
  let start: StartNote | null = null;
  for (let restart = 0; restart < mostRestarts; restart++) {
    writeFileSync(output, "");
    const rest = order.filter(({ number }) => !done.has(number));
    const options: JudgeOptions & ReplaceOptions = {
      target: target.id.name,
      isEndless: doesNotEnd(target),
      switches: rest.map(({ number }) => [number, place(number)]),
      loads: loads.map(({ number }) => [number, place(number)]),
      loadBudget: loadWork * budget,
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
      limit: startWork + 4 * budget,
    });
    const notes = readNotes(output);
    if (notes.length === 0)
      notice = ["the test did not run with changes", ...problems.map(({ error }) => error.message)]
        .slice(0, 2)
        .join(": ");
    let isOver = true;
    let [since, own]: [number[], readonly number[]] = [[], []];
    const untilIndex = (index: number) => {
      for (const number of own.slice(0, index)) done.add(number);
    };
    for (const note of notes) {
      if (note.kind === "start") {
        start ??= note;
        own = note.order;
      } else if (note.kind === "unstable") notice = note.why;
      else if (note.kind === "passes") since.push(note.number);
      else if (note.kind === "tried") {
        for (const number of since) passing.set(number, unjudged);
        since = [];
        untilIndex(note.index);
      } else if (note.kind === "judged") passing.set(note.number, note);
      else if (note.kind === "stuck") {
        // What passed before the worker was stuck did pass.
        for (const number of since) passing.set(number, unjudged);
        untilIndex(own.indexOf(note.number) + 1);
        isOver = false;
      } else if (note.kind === "loaded") {
        // Even after a drift: beside what was loaded anew there is little to gain in place.
        [hasLoaded, isOver] = [true, true];
        reruns += note.tried;
      } else if (note.kind === "drift") {
        isOver = !own.some((number) => done.has(number));
      } else {
        complete = note.complete;
        reruns += note.reruns;
      }
    }
    if (isOver || own.every((number) => done.has(number))) break;
  }
  if (start === null) return { ...noTrial, notice };
  const { reached, load, suspicion } = start;
  const suspicions = new Map(reached.map((each, i) => [each, suspicion[i] ?? 0]));
  const counts = { proposed: start.order.length, tried: done.size, reruns };
  return { passing, reached, suspicions, load: new Set(load), ...counts, complete, hasLoaded, notice };
}

function readNotes(output: string): readonly JudgeNote[] {
  return readFileSync(output, "utf8")
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line) as JudgeNote);
}

/** Changes of code that runs while modules are loaded: each needs a worker of its own, with all tests of the file. */
export async function tryAtLoad(
  { session, target, budget, survey }: JudgeRequest,
  sources: ReplacedSources,
  switches: readonly Switch[],
  budgets: number,
): Promise<readonly (readonly [number, JsVerdict])[]> {
  const end = session.work() + budgets * budget;
  if (switches.length === 0) return [];
  const path = writeSources(session, "switched.json", sources);
  const output = join(session.folder, "loaded.jsonl");
  const own = survey.run.tests.filter(({ id }) => id.file === target.id.file && id.project === target.id.project);
  const namesOf = (state: TestOutcome["state"]) =>
    new Set(own.flatMap((test) => (test.state === state ? [test.id.name] : [])));
  const [passed, failed] = [namesOf("passed"), namesOf("failed")];
  const found: (readonly [number, JsVerdict])[] = [];
  for (const { number } of switches.slice(0, mostLoads)) {
    if (session.work() > end) break;
    const options: JudgeOptions & ReplaceOptions = {
      ...{
        target: target.id.name,
        isEndless: doesNotEnd(target),
        switches: [],
        budget: 0,
        passing: [],
        output,
        on: number,
        sources: path,
      },
      ...{ loads: [], loadBudget: 0 },
    };
    const { tests } = await session.run({
      files: [target.id.file],
      transform: entryPath("replaceSources"),
      hooks: entryPath("judgeWorker"),
      options,
      limit: startWork,
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

/**
 * The tests of other files judge changes that break nothing in the target's file: in one run, where a fresh run of each
 * change would need a start.
 */
export async function judgeElsewhere(
  { session, target, budget, survey }: JudgeRequest,
  sources: ReplacedSources,
  switches: readonly Switch[],
  place: (number: number) => number,
  passing: Trial["passing"],
): Promise<Trial["passing"]> {
  const wanted = switches.filter(({ number }) => passing.get(number)?.broken.length === 0);
  const lines = new Set(wanted.map(({ proposal: { change } }) => `${change.file}:${change.lines[0]}`));
  const changed = new Set(wanted.map(({ proposal }) => proposal.change.file));
  const files = survey.files
    .filter(({ file, project }) => file !== target.id.file && project === target.id.project)
    .filter(({ load }) => [...changed].some((path) => path in load))
    .map(({ file }) => file);
  // A single line needs no choice.
  if (lines.size < 2 || files.length === 0) return passing;
  const output = join(session.folder, "elsewhere.jsonl");
  writeFileSync(output, "");
  const used = Object.entries(sources).filter(([path]) => changed.has(path));
  const options: JudgeOptions & ReplaceOptions = {
    ...{ target: null, isEndless: false, passing: [], on: null, loads: [], loadBudget: 0, output },
    switches: wanted.map(({ number }) => [number, place(number)]),
    budget: Math.max(leastJudging, budget / 2 / files.length),
    sources: writeSources(session, "elsewhere.json", Object.fromEntries(used)),
  };
  await session.run({
    ...{ files, options, transform: entryPath("replaceSources"), hooks: entryPath("judgeWorker") },
    limit: startWork + 2 * budget,
  });
  const verdicts = new Map(passing);
  for (const note of readNotes(output)) {
    const known = note.kind === "judged" ? verdicts.get(note.number) : undefined;
    if (note.kind !== "judged" || known === undefined) continue;
    const repairs = [known.repairs, note.repairs].filter((each) => each !== null);
    verdicts.set(note.number, {
      asked: known.asked + note.asked,
      broken: [...known.broken, ...note.broken],
      repairs: repairs.length === 0 ? null : repairs.reduce((a, b) => a + b) / repairs.length,
    });
  }
  return verdicts;
}

/** Milliseconds for the tests of a file. */
const leastJudging = 100;
