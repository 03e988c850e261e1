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
import { describeError, joinNames, type TestId, type TestOutcome } from "./runner.ts";
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
  const idOf = (test: NodeTest): TestId => {
    const names = suitesOf(test).map(({ name }) => name);
    return { file, name: joinNames([...names, test.name]), project: "" };
  };
  const again = createAgain();
  const outcomes: TestOutcome[] = [];
  const ran: NodeTest[] = [];
  for (const test of testsOf(root)) {
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
    const after: Callback[] = [];
    const context = contextOf(test?.name ?? "", after);
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
      if (test !== null) await callBack(test.callback, context);
    });
    for (const suite of suites.toReversed()) await attempt(() => call(suite, "afterEach", context));
    for (const hook of after) await attempt(() => callBack(hook, context));
    if (test !== null) mock.reset();
    return failure;
  };
}

/** The context of a test; its subtests run at once, inside of it. */
function contextOf(name: string, after: Callback[]): object {
  const nothing = (): void => {};
  const subtest = (...words: unknown[]): Promise<unknown> => {
    const callback = words.find((word) => typeof word === "function") as Callback | undefined;
    return callback === undefined ? Promise.resolve() : callBack(callback, contextOf(String(words[0]), after));
  };
  return {
    ...{ name, fullName: name, mock, signal: new AbortController().signal, test: subtest, it: subtest },
    ...{ diagnostic: nothing, skip: nothing, todo: nothing, plan: nothing, runOnly: nothing, before: nothing },
    after: (callback: Callback) => after.push(callback),
  };
}

function callBack(callback: Callback, context: object): Promise<unknown> {
  if (callback.length < 2) return Promise.resolve(callback.call(context, context));
  return new Promise((resolve, reject) => {
    callback.call(context, context, (error) => (error == null ? resolve(undefined) : reject(error)));
  });
}
