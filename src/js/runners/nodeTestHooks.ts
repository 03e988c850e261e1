import assert from "node:assert";
import { writeFileSync } from "node:fs";
import Module from "node:module";
import { join } from "node:path";
import type { ProcessWork } from "./jestHooks.ts";
import nodeTest, {
  type Callback,
  type HookKind,
  mock,
  type NodeSuite,
  type NodeTest,
  treeOfTests,
} from "./nodeTestModule.ts";
import { resultName } from "./processDriver.ts";
import { describeError, distinctNames, joinNames, type TestId, type TestOutcome } from "./runner.ts";
import { withUncaught } from "./uncaught.ts";
import { folderVariable, isSelected } from "./workerSettings.ts";

type Load = (name: string, ...rest: unknown[]) => unknown;

/** With hooks, the tests of the one file that this process runs go to our module and are run from here. */
export function installNodeTest({ settings, hooks }: ProcessWork): void {
  if (settings.hooks === null) return;
  const module = Module as unknown as { _load: Load };
  const load = module._load;
  module._load = (name, ...rest) => (name === "node:test" ? nodeTest : load(name, ...rest));
  const file = process.argv[1] ?? "";
  process.once("beforeExit", () => {
    runTests({ settings, hooks, transform: null }, file).catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  });
}

async function runTests({ settings, hooks }: ProcessWork, file: string): Promise<void> {
  const { root, pending } = treeOfTests();
  await Promise.all(pending);
  const tests = testsOf(root);
  const names = distinctNames(tests.map((test) => joinNames([...suitesOf(test).map(({ name }) => name), test.name])));
  const idOf = (test: NodeTest): TestId => ({ file, name: names[tests.indexOf(test)] ?? "", project: "" });
  const again = createAgain();
  const outcomes: TestOutcome[] = [];
  const ran: NodeTest[] = [];
  for (const test of tests) {
    const id = idOf(test);
    if (isSkipped(test) || !isSelected(settings.tests, id)) {
      outcomes.push({ id, state: "skipped", milliseconds: 0, error: null });
      continue;
    }
    await hooks.beforeTest?.(id);
    const start = performance.now();
    const error = await again(test);
    const milliseconds = performance.now() - start;
    await hooks.afterTest?.(id, error);
    ran.push(test);
    const state = error === null ? "passed" : "failed";
    outcomes.push({ id, state, milliseconds, error: error === null ? null : describeError(error) });
  }
  await hooks.afterFile?.({
    file,
    tests: outcomes.flatMap(({ id, state }) => (state === "skipped" ? [] : [{ id, state }])),
    again: (wanted) => {
      const found = ran.find((test) => idOf(test).name === wanted.name);
      return found === undefined ? Promise.resolve(new Error("no such test")) : again(found);
    },
  });
  await again(null);
  const folder = process.env[folderVariable];
  if (folder !== undefined) writeFileSync(join(folder, resultName), JSON.stringify({ tests: outcomes, problems: [] }));
  process.exit();
}

function testsOf(suite: NodeSuite): readonly NodeTest[] {
  return suite.children.flatMap((child) => (child.kind === "suite" ? testsOf(child) : [child]));
}

function suitesOf(test: NodeTest): readonly NodeSuite[] {
  const suites: NodeSuite[] = [];
  for (let suite: NodeSuite | null = test.parent; suite !== null; suite = suite.parent) suites.unshift(suite);
  return suites;
}

function isSkipped(test: NodeTest): boolean {
  return test.isSkipped || suitesOf(test).some((suite) => suite.isSkipped);
}

/** Runs a test with all hooks of its suites; with null it only leaves the suites that are open. */
function createAgain(): (test: NodeTest | null) => Promise<unknown> {
  const open: NodeSuite[] = [];
  const call = async (suite: NodeSuite, kind: HookKind, context: object): Promise<void> => {
    for (const hook of suite.hooks[kind]) await callBack(hook, context);
  };
  return async (test) => {
    let failure: unknown = null;
    const attempt = async (work: () => Promise<unknown>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        failure ??= error ?? new Error(`threw ${String(error)}`);
      }
    };
    const suites = test === null ? [] : suitesOf(test);
    const { after, checkPlan, value: context } = contextOf(test?.name ?? "");
    await attempt(async () => {
      while (open.some((suite) => !suites.includes(suite))) {
        const suite = open.pop();
        if (suite !== undefined) await call(suite, "after", {});
      }
      for (const suite of suites.slice(open.length)) {
        open.push(suite);
        await call(suite, "before", {});
      }
      for (const suite of suites) await call(suite, "beforeEach", context);
      if (test !== null) await withUncaught(callBack(test.callback, context));
      checkPlan();
    });
    for (const suite of suites.toReversed()) await attempt(() => call(suite, "afterEach", context));
    for (const hook of after) await attempt(() => callBack(hook, context));
    if (test !== null) mock.reset();
    return failure;
  };
}

type Context = {
  /** Undone when the test has ended. */
  readonly after: Callback[];
  /** Throws if the test has planned another number of assertions. */
  readonly checkPlan: () => void;
  readonly value: object;
};

/** The context of a test; its subtests run at once, inside of it. */
function contextOf(name: string): Context {
  const nothing = (): void => {};
  const hooks = { after: [] as Callback[], beforeEach: [] as Callback[], afterEach: [] as Callback[] };
  let planned: number | null = null;
  let count = 0;
  const checkPlan = (): void => {
    if (planned !== null && planned !== count)
      throw new Error(`plan expected ${planned} assertions but received ${count}`);
  };
  const subtest = async (...words: unknown[]): Promise<unknown> => {
    count++;
    const callback = words.find((word) => typeof word === "function") as Callback | undefined;
    const options = words.find((word) => typeof word === "object" && word !== null) as { skip?: unknown } | undefined;
    if (callback === undefined || options?.skip) return;
    const inner = contextOf(String(words[0]));
    for (const hook of hooks.beforeEach) await callBack(hook, inner.value);
    try {
      await callBack(callback, inner.value);
      inner.checkPlan();
    } finally {
      for (const hook of [...hooks.afterEach, ...inner.after]) await callBack(hook, inner.value);
    }
  };
  const counted = Object.entries(assert).flatMap(([key, check]) => {
    if (typeof check !== "function" || /^[A-Z]|^strict$/.test(key)) return [];
    const counting = (...words: unknown[]): unknown => {
      count++;
      return Reflect.apply(check, assert, words);
    };
    return [[key, counting] as const];
  });
  const value = {
    ...{ name, fullName: name, mock, signal: new AbortController().signal, test: subtest, it: subtest },
    ...{ diagnostic: nothing, skip: nothing, todo: nothing, runOnly: nothing },
    assert: Object.fromEntries(counted),
    plan: (wanted: number) => {
      planned = wanted;
    },
    before: (callback: Callback) => callBack(callback, value),
    after: (callback: Callback) => hooks.after.push(callback),
    beforeEach: (callback: Callback) => hooks.beforeEach.push(callback),
    afterEach: (callback: Callback) => hooks.afterEach.push(callback),
  };
  return { after: hooks.after, checkPlan, value };
}

function callBack(callback: Callback, context: object): Promise<unknown> {
  if (callback.length < 2) return Promise.resolve(callback.call(context, context));
  return new Promise((resolve, reject) => {
    callback.call(context, context, (error) => (error == null ? resolve(undefined) : reject(error)));
  });
}
