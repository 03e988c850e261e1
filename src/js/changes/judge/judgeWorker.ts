import { appendFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { inspect } from "node:util";
import type { HooksMaker, TestId, WorkerFile } from "../../runners/runner.ts";
import { withUncaught } from "../../runners/uncaught.ts";
import { watchEffects } from "../watchEffects.ts";
import { judgeLoads } from "./judgeLoads.ts";
import { inOrder, keyOf, type Reached, suspicionOfPlaces, toLoad } from "./orderSwitches.ts";
import { startWatchdog } from "./watchdog.ts";

export type JudgeOptions = {
  /** The name of the failing test; null if the tests of its file are judges, and these are of other files. */
  readonly target: string | null;
  /** True if it does not end. */
  readonly isEndless: boolean;
  /** The numbers of the switches in the order in which to try them, each with the first number of its place. */
  readonly switches: readonly (readonly [number: number, place: number])[];
  /** Milliseconds of processor time. */
  readonly budget: number;
  /** Changes that are known to let the target pass, to be judged by other tests. */
  readonly passing: readonly number[];
  /** Lines of JSON are appended here. */
  readonly output: string;
  /** A change that is on from the start, with no other tried; null to try them in place. */
  readonly on: number | null;
  /** The same for changes that may take effect while modules are loaded, and the time for them. */
  readonly loads: JudgeOptions["switches"];
  readonly loadBudget: number;
};

export type JudgeNote =
  /** The target failed; which places it reached, in the order of their last visits, and which were reached at load. */
  | {
      readonly kind: "start";
      readonly reached: readonly number[];
      readonly load: readonly number[];
      /** How much the tests of the file speak against the places that the target reached, in the same order. */
      readonly suspicion: readonly number[];
      /** The numbers of the switches in the order in which they are tried. */
      readonly order: readonly number[];
    }
  /** Why nothing can be tried in place. */
  | { readonly kind: "unstable"; readonly why: string }
  | { readonly kind: "passes"; readonly number: number }
  /** All switches before this index of the order were tried, and the target still fails without any. */
  | { readonly kind: "tried"; readonly index: number; readonly reruns: number }
  /** Without any change the target no longer fails as it did: what was tried since the last note may be wrong. */
  | { readonly kind: "drift" }
  /** The worker hung, or used up the memory, with this change. */
  | { readonly kind: "stuck"; readonly number: number }
  | {
      readonly kind: "judged";
      readonly number: number;
      readonly asked: number;
      readonly broken: readonly string[];
      /** The part of the other failing tests of the file that pass with it; null if none reaches the place. */
      readonly repairs: number | null;
    }
  /** Changes of code that runs while modules are loaded were tried in place. */
  | { readonly kind: "loaded"; readonly tried: number }
  | { readonly kind: "done"; readonly complete: boolean; readonly reruns: number };

/** The part of the budget for the failing test; the rest is for the others. */
const targetShare = 0.7;
const checkEvery = 200;
/** The failing test itself may not end. */
const mostMilliseconds = 1000;
/** A moment tells as much about a failing test that does not end. */
const hangMilliseconds = 40;
/** It is known that the failing test does not end: what it reaches is still to be seen. */
const knownMilliseconds = 300;
const endless = "Tracefold: the test does not end";
/** So many other failing tests tell enough about a change. */
const mostFailing = 8;

/** The same for all sources that are loaded anew. */
const loadMilliseconds = 2000;
const loadSteps = 1e6;

/** What a re-run that does not end counts, in milliseconds, and the most that the waiting of another one counts. */
const hungCost = 30;
const mostWaits = 200;
const mostAgain = 2;

/** Saved before a test can replace them. */
const append = appendFileSync;
const { setTimeout: later, clearTimeout: never } = globalThis;
const cpuUsage = process.cpuUsage.bind(process);
const utilization = performance.eventLoopUtilization.bind(performance);

/** Milliseconds of processor time: on a busy machine the clock says little about a program. */
function now(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds in which the program waited for timers or others. */
function waited(): number {
  return utilization().idle;
}

/** The state that switched sources read and write. */
const state = {
  on: 0,
  steps: 0,
  mostSteps: Number.POSITIVE_INFINITY,
  deadline: Number.POSITIVE_INFINITY,
  reached: null as Map<number, number> | null,
  clock: 0,
};

function at(from: number, to: number): boolean {
  if (state.reached !== null) {
    state.reached.delete(from);
    state.reached.set(from, state.clock++);
  }
  return state.on >= from && state.on <= to;
}

function step(): void {
  if (++state.steps > state.mostSteps || ((state.steps & 4095) === 0 && now() > state.deadline)) {
    throw new Error(endless);
  }
}

Object.assign(globalThis, { tf$: state, tf$at: at, tf$step: step });

const make: HooksMaker = (given) => {
  const options = given as JudgeOptions;
  const note = (line: JudgeNote) => append(options.output, `${JSON.stringify(line)}\n`);
  const load = new Map<number, number>();
  const reached = new Map<string, Map<number, number>>();
  let steps = 0;
  let message = "";
  /** Once a test of the file does not end, others may not either. */
  let milliseconds = 5 * mostMilliseconds;
  state.reached = load;
  state.on = options.on ?? 0;
  // In place, a changed program must not do what the program itself does not.
  watchEffects((effect) => {
    if (options.on === null && state.on !== 0) throw new Error(`Tracefold: the changed program ${effect}`);
  });
  return {
    beforeTest({ file, name }) {
      state.reached = new Map();
      reached.set(keyOf({ file, name }), state.reached);
      state.steps = 0;
      state.deadline = now() + (options.isEndless && name === options.target ? knownMilliseconds : milliseconds);
    },
    afterTest({ name }, error) {
      state.reached = load;
      state.deadline = Number.POSITIVE_INFINITY;
      if (messageOf(error) === endless) milliseconds = hangMilliseconds;
      if (name !== options.target) return;
      steps = state.steps;
      message = messageOf(error);
    },
    async afterFile(file) {
      if (options.on !== null) return;
      if (options.target === null) return apart(() => judgeElsewhere(file, options, note, reached));
      const target = file.tests.find(({ id }) => id.name === options.target);
      if (target === undefined) return;
      if (target.state === "passed") return note({ kind: "unstable", why: "the test passes when it runs again" });
      const places = reached.get(keyOf(target.id)) ?? new Map<number, number>();
      const onlyLoad = [...load.keys()].filter((place) => !places.has(place));
      const suspicion = suspicionOfPlaces(file, reached);
      const order = inOrder(options.switches, places, suspicion);
      note({
        ...{ kind: "start", reached: [...places.keys()], load: onlyLoad },
        suspicion: [...places.keys()].map((place) => Math.round(1000 * suspicion(place)) / 1000),
        order: order.map(([number]) => number),
      });
      await apart(async () => {
        const loads = toLoad(options.loads, new Set(onlyLoad), inOrder(options.loads, places, suspicion));
        await judge(file, target.id, { options, note, message, steps, reached, order, loads });
      });
    },
  };

  /** Re-runs are silent, and nothing of them stays. */
  async function apart(work: () => Promise<void>): Promise<void> {
    state.reached = null;
    const printing = silence();
    const limit = Error.stackTraceLimit;
    const listen = ignoreUncaught();
    try {
      await work();
    } finally {
      listen();
      Error.stackTraceLimit = limit;
      Object.assign(console, printing);
      Object.assign(state, { on: 0, reached: load, mostSteps: Number.POSITIVE_INFINITY });
      state.deadline = Number.POSITIVE_INFINITY;
    }
  }
};

function messageOf(error: unknown): string {
  if (error === null) return "";
  const isObject = typeof error === "object" || typeof error === "function";
  const thrown: unknown = isObject && "message" in (error as object) ? (error as { message: unknown }).message : error;
  // Anything may be thrown, also what cannot become a text.
  const text = typeof thrown === "object" ? inspect(thrown) : String(thrown);
  // Mocha adds the word to errors of timers.
  return text.replace(/^Uncaught /, "").slice(0, 200);
}

/** Tests that run a thousand times print a thousand times. */
function silence(): Partial<Console> {
  const names = ["log", "info", "warn", "error", "debug", "trace", "table", "dir"] as const;
  const original = Object.fromEntries(names.map((name) => [name, console[name]]));
  for (const name of names) console[name] = () => {};
  return original as Partial<Console>;
}

/** A timer of an earlier re-run may throw, and mocha would end the process. Gives a function that ends this. */
function ignoreUncaught(): () => void {
  const names = ["uncaughtException", "unhandledRejection"] as const;
  const ignore = (): void => {};
  const before = names.map((name) => ({ name, listeners: process.rawListeners(name) }));
  for (const name of names) process.removeAllListeners(name).on(name, ignore);
  return () => {
    for (const { name, listeners } of before) {
      process.removeAllListeners(name);
      for (const each of listeners) process.on(name, each as () => void);
    }
  };
}

type Session = {
  readonly options: JudgeOptions;
  readonly note: (line: JudgeNote) => void;
  readonly message: string;
  readonly steps: number;
  readonly reached: Reached;
  /** What is tried, in this order. */
  readonly order: JudgeOptions["switches"];
  /** What needs a new load of the file. */
  readonly loads: readonly number[];
};

/** `isForeign`: the error reached nobody, so it may be that of another re-run. */
type Rerun = { readonly error: unknown; readonly isForeign: boolean };

/** Runs tests of a file again, with a change or without. */
function rerunsOf(file: WorkerFile, output: string, hangs: boolean) {
  const watch = startWatchdog(output);
  const begun = now();
  /** Milliseconds of a re-run; those that it waits, for timers, for example; and how often a change made it wait on. */
  const costs = { milliseconds: 20, waits: 0, hung: 0, reruns: 0 };
  // On a busy machine all waiting takes longer, so it is counted.
  const spent = () => now() - begun + (costs.reruns * costs.waits) / 3 + costs.hung * hungCost;
  const runWith = async (on: number, steps: number, limit: number, work: () => Promise<unknown>): Promise<Rerun> => {
    costs.reruns++;
    let isForeign = false;
    watch.tick(on);
    Object.assign(state, { on, steps: 0, mostSteps: steps * 10 + 5000, deadline: now() + limit });
    try {
      const again = withUncaught(work(), () => {
        isForeign = true;
      });
      const error = await withLimit(again, limit + 100);
      if (error instanceof Error && error.message === endless) costs.hung++;
      return { error, isForeign };
    } catch (error) {
      return { error: error ?? new Error("it failed"), isForeign };
    } finally {
      state.on = 0;
      state.mostSteps = Number.POSITIVE_INFINITY;
      state.deadline = Number.POSITIVE_INFINITY;
    }
  };
  const rerunOnce = (test: TestId, on: number, steps: number): Promise<Rerun> => {
    const limit = hangs ? hangMilliseconds : Math.min(costs.milliseconds * 30 + 100, mostMilliseconds);
    return runWith(on, steps, limit, () => file.again(test));
  };
  /** A timer of an earlier re-run may have thrown instead of this one. */
  const rerun = async (test: TestId, on: number, steps: number): Promise<unknown> => {
    let result = await rerunOnce(test, on, steps);
    for (let again = 0; again < mostAgain && result.isForeign && costs.hung > 0; again++)
      result = await rerunOnce(test, on, steps);
    return result.error;
  };
  return { watch, costs, spent, runWith, rerun };
}

type Reruns = ReturnType<typeof rerunsOf>;

async function judge(file: WorkerFile, target: TestId, session: Session): Promise<void> {
  const { options, note } = session;
  const reruns = rerunsOf(file, options.output, session.message === endless);
  const { watch, costs, spent, runWith, rerun } = reruns;
  const failsAsBefore = async () => messageOf(await rerun(target, 0, session.steps)) === session.message;
  // Short stacks are fast, but inline snapshots look for their place in the stack.
  const stack = Error.stackTraceLimit;
  Error.stackTraceLimit = 1;
  let isStable = await failsAsBefore();
  if (!isStable) {
    Error.stackTraceLimit = stack;
    isStable = await failsAsBefore();
  }
  const [first, idle] = [now() + waited(), waited()];
  if (!isStable || !(await failsAsBefore())) {
    await watch.stop();
    return note({ kind: "unstable", why: "the test does not fail in the same way when it runs again" });
  }
  costs.milliseconds = Math.max(now() + waited() - first, 1);
  costs.waits = Math.min(waited() - idle, mostWaits);
  const list = session.order;
  const found: (readonly [number: number, place: number])[] = [];
  let index = 0;
  let complete = true;
  const failing = file.tests
    .filter(({ id, state: result }) => result === "failed" && id.name !== target.name)
    .map(({ id }) => id);
  /** What is loaded anew knows nothing of earlier re-runs. */
  const loadAnew = async (passing: readonly TestId[], alike: readonly TestId[]): Promise<void> => {
    const end = spent() + options.loadBudget;
    const run = async (on: number, work: () => Promise<unknown>) =>
      (await runWith(on, loadSteps, loadMilliseconds, work)).error;
    await judgeLoads(file, {
      ...{ target, loads: session.loads, passing, failing: alike, run, note },
      failsAlike: (error: unknown) => messageOf(error) === session.message,
      isOver: () => spent() > end,
    });
    await watch.stop();
    note({ kind: "done", complete, reruns: costs.reruns });
  };
  for (; index < list.length; index++) {
    const [number, place] = list[index] ?? [0, 0];
    if (spent() > options.budget * targetShare) {
      complete = false;
      break;
    }
    if ((await rerun(target, number, session.steps)) === null) {
      note({ kind: "passes", number });
      found.push([number, place]);
    }
    if (costs.reruns % checkEvery === 0) {
      if (!(await failsAsBefore())) {
        note({ kind: "drift" });
        return loadAnew(passingOf(file, target), failing);
      }
      note({ kind: "tried", index: index + 1, reruns: costs.reruns });
    }
  }
  if (!(await failsAsBefore())) {
    note({ kind: "drift" });
    return loadAnew(passingOf(file, target), failing);
  }
  note({ kind: "tried", index, reruns: costs.reruns });
  const known = new Map(options.switches);
  const toJudge = [...options.passing.map((number) => [number, known.get(number) ?? number] as const), ...found];
  const wanted = new Set(session.reached.get(keyOf(target))?.keys());
  const others = await stable(passingOf(file, target), session.reached, wanted, rerun);
  const isFound = await judgeAll(toJudge, { others, failing, reached: session.reached }, reruns, options.budget, note);
  if (!isFound) return loadAnew(others, failing);
  await watch.stop();
  note({ kind: "done", complete, reruns: costs.reruns });
}

function passingOf({ tests }: WorkerFile, target: TestId): readonly TestId[] {
  return tests.flatMap(({ id, state: result }) => (result === "passed" && id.name !== target.name ? [id] : []));
}

type Judges = {
  /** They pass. */
  readonly others: readonly TestId[];
  /** They fail. */
  readonly failing: readonly TestId[];
  readonly reached: Reached;
};

/** Judges changes by other tests. True if one breaks none and repairs all. */
async function judgeAll(
  changes: JudgeOptions["switches"],
  { others, failing, reached }: Judges,
  { spent, rerun }: Reruns,
  budget: number,
  note: Session["note"],
): Promise<boolean> {
  let isFound = false;
  const judges = new Set(others);
  for (const [number, place] of changes) {
    const broken: string[] = [];
    let asked = 0;
    for (const test of judges) {
      if (!reached.get(keyOf(test))?.has(place)) continue;
      if (spent() > budget || broken.length > 0) break;
      const isBroken = (await rerun(test, number, 1e5)) !== null;
      // It may fail because of an earlier change, too: then it is no judge any more.
      if (isBroken && (await rerun(test, 0, 1e5)) !== null) {
        judges.delete(test);
        continue;
      }
      asked++;
      if (isBroken) broken.push(test.name);
    }
    let [repaired, alike] = [0, 0];
    for (const test of failing) {
      if (!reached.get(keyOf(test))?.has(place)) continue;
      if (spent() > budget || broken.length > 0 || alike === mostFailing) break;
      alike++;
      if ((await rerun(test, number, 1e5)) === null) repaired++;
    }
    note({ kind: "judged", number, asked, broken, repairs: alike === 0 ? null : repaired / alike });
    isFound ||= broken.length === 0 && repaired === alike;
  }
  return isFound;
}

/** Judges changes with which the failing test passes by the tests of another file. */
async function judgeElsewhere(
  file: WorkerFile,
  { switches, output, budget }: JudgeOptions,
  note: Session["note"],
  reached: Reached,
): Promise<void> {
  const reruns = rerunsOf(file, output, false);
  const named = (wanted: "passed" | "failed") =>
    file.tests.flatMap(({ id, state: result }) => (result === wanted ? [id] : []));
  const places = new Set(switches.map(([, place]) => place));
  const others = await stable(named("passed"), reached, places, reruns.rerun);
  await judgeAll(switches, { others, failing: named("failed"), reached }, reruns, budget, note);
  await reruns.watch.stop();
}

/** The tests that reach one of the places, and pass again in place. */
async function stable(
  tests: readonly TestId[],
  reached: Reached,
  places: ReadonlySet<number>,
  rerun: Reruns["rerun"],
): Promise<readonly TestId[]> {
  const found: TestId[] = [];
  for (const test of tests) {
    const isJudge = [...(reached.get(keyOf(test))?.keys() ?? [])].some((place) => places.has(place));
    if (isJudge && (await rerun(test, 0, 1e6)) === null) found.push(test);
  }
  return found;
}

/** The work, or an error once this thread has waited for it so long. */
async function withLimit(work: Promise<unknown>, milliseconds: number): Promise<unknown> {
  let timer: ReturnType<typeof later> | undefined;
  const latest = now() + waited() + milliseconds;
  const limit = new Promise<unknown>((resolve) => {
    const look = (): void => {
      const left = latest - now() - waited();
      if (left <= 0) resolve(new Error(endless));
      else timer = later(look, left);
    };
    timer = later(look, milliseconds);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    never(timer);
  }
}

export default make;
