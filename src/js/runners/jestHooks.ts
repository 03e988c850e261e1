import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { resultName } from "./processDriver.ts";
import {
  describeError,
  distinctNames,
  joinNames,
  type SourceTransform,
  type TestId,
  type TestRun,
  type WorkerHooks,
} from "./runner.ts";
import { folderVariable, isProjectSource, isSelected, type WorkerSettings } from "./workerSettings.ts";

export type ProcessWork = {
  readonly settings: WorkerSettings;
  readonly hooks: WorkerHooks;
  readonly transform: SourceTransform | null;
};

/** The parts of jest-circus that we use. */
type Block = {
  readonly name: string;
  readonly parent?: Block;
  readonly hooks: readonly { readonly type: string; readonly fn: Callback }[];
  readonly children: readonly (Block | Test)[];
  readonly type: "describeBlock";
};
type Test = {
  readonly type: "test";
  readonly name: string;
  readonly fn: Callback;
  readonly parent: Block;
  readonly errors: readonly (unknown | readonly unknown[])[];
  readonly status?: string | null;
  mode?: string | null;
};
type Callback = (this: object, done?: (error?: unknown) => void) => unknown;
type Event = { readonly name: string; readonly test?: Test; readonly error?: unknown };
type State = { rootDescribeBlock: Block };
type Runtime = { resetModules(): void; requireModule(file: string): unknown };
type Environment = {
  readonly global: Record<string, unknown>;
  handleTestEvent?: (event: Event, state: State) => unknown;
};
type RunnerWords = [unknown, { readonly rootDir: string }, Environment, Runtime, string, unknown];

type JestResults = {
  readonly testResults: readonly {
    readonly testFilePath: string;
    readonly testExecError?: unknown;
    readonly testResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
      readonly duration?: number | null;
      readonly failureDetails?: readonly unknown[];
      readonly failureMessages?: readonly string[];
    }[];
  }[];
};

/** Leaves a test runner and a reporter for jest, which loads them by the bridges. */
export function installJest(work: ProcessWork): void {
  const { settings } = work;
  const require = createRequire(createRequire(join(settings.root, "package.json")).resolve("jest"));
  const core = createRequire(require.resolve("@jest/core"));
  const circus = (words: RunnerWords): unknown => {
    const loaded: unknown = createRequire(core.resolve("jest-config"))("jest-circus/runner");
    const runner = (loaded as { default?: unknown }).default ?? loaded;
    return (runner as (...given: RunnerWords) => unknown)(...words);
  };
  let isWrapped = false;
  const testFiles = new Set(settings.testFiles);
  const jestRunner = (...words: RunnerWords): unknown => {
    const [, , environment, runtime, file] = words;
    // In the first run nobody knows them.
    testFiles.add(file);
    if (!isWrapped && work.transform !== null) wrapTransformer(runtime, work, testFiles);
    isWrapped = true;
    // What our modules define for the sources that they have changed.
    for (const name of Object.getOwnPropertyNames(globalThis))
      if (/^(tf\$|__tracefold)/.test(name)) environment.global[name] = Reflect.get(globalThis, name);
    if (settings.hooks !== null) watchTests(work, environment, runtime, file);
    return circus(words);
  };
  const Reporter = class {
    onRunComplete(_contexts: unknown, results: JestResults): void {
      const folder = process.env[folderVariable];
      if (folder !== undefined) writeFileSync(join(folder, resultName), JSON.stringify(outcomes(results)));
    }
  };
  Object.assign(globalThis, {
    [Symbol.for("tracefold jestRunner")]: jestRunner,
    [Symbol.for("tracefold jestReporter")]: Reporter,
  });
}

type Transform = (file: string, options: unknown, source?: string) => unknown;

/** Before the project's own transform. */
function wrapTransformer(runtime: object, { transform, settings }: ProcessWork, testFiles: ReadonlySet<string>): void {
  const transformer = findTransformer(runtime);
  if (transformer === null) throw new Error("this version of jest has no known transformer");
  if (settings.hooks !== null) checkNoTypes(transformer);
  const prototype = Object.getPrototypeOf(transformer) as object;
  for (const name of ["transform", "transformAsync"]) {
    const original = Reflect.get(prototype, name) as Transform;
    const wrapped = function (this: unknown, file: string, options: unknown, source?: string): unknown {
      const isSource = source !== undefined && isProjectSource(file);
      const changed = isSource ? transform?.({ code: source, file, isTest: testFiles.has(file) }) : null;
      return original.call(this, file, options, changed?.code ?? source);
    };
    Reflect.set(prototype, name, wrapped);
  }
}

/** Jest 29 keeps it in the runtime, jest 30 in a part of it. */
function findTransformer(runtime: object): object | null {
  const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
  const parts = Object.values(runtime).filter(isObject);
  const all = [...parts, ...parts.flatMap((part) => Object.values(part).filter(isObject))];
  return all.find(({ constructor }) => constructor?.name === "ScriptTransformer") ?? null;
}

/** Ts-jest checks types at each start, for seconds. Rewritten sources have none; a change is confirmed with types. */
function checkNoTypes(transformer: object): void {
  const config = Reflect.get(transformer, "_config") as { readonly transform?: readonly unknown[] } | undefined;
  for (const entry of config?.transform ?? []) {
    const [, path, options] = entry as readonly unknown[];
    if (typeof path === "string" && /[\\/]ts-jest[\\/]/.test(path) && typeof options === "object" && options !== null)
      Object.assign(options, { isolatedModules: true, diagnostics: false });
  }
}

function watchTests({ settings, hooks }: ProcessWork, environment: Environment, runtime: Runtime, file: string): void {
  const original = environment.handleTestEvent?.bind(environment);
  const ran = new Map<Test, unknown>();
  const names = new Map<Test, string>();
  const idOf = (test: Test): TestId => ({ file, name: names.get(test) ?? nameOf(test), project: "" });
  /** As they were thrown; later circus makes texts of errors of `assert`. */
  const thrown = new Map<Test, unknown>();
  let started: Test | null = null;
  environment.handleTestEvent = async (event, state) => {
    await original?.(event, state);
    const { name, test } = event;
    if (name === "run_start") {
      const tests = testsOf(state.rootDescribeBlock);
      const distinct = distinctNames(tests.map(nameOf));
      for (const [i, each] of tests.entries()) {
        names.set(each, distinct[i] ?? "");
        if (!isSelected(settings.tests, idOf(each))) each.mode = "skip";
      }
    } else if (name === "test_start" && test !== undefined && test.mode !== "skip" && test.mode !== "todo") {
      started = test;
      await hooks.beforeTest?.(idOf(test));
    } else if ((name === "test_fn_failure" || name === "hook_failure") && test !== undefined) {
      if (!thrown.has(test)) thrown.set(test, thrownIn(event.error));
    } else if (name === "test_done" && test !== undefined && test === started) {
      started = null;
      const error = test.errors.length === 0 ? null : (thrown.get(test) ?? thrownIn(test.errors[0]));
      ran.set(test, error);
      await hooks.afterTest?.(idOf(test), error);
    } else if (name === "run_finish" && hooks.afterFile !== undefined) {
      const again = createAgain(environment);
      await hooks.afterFile({
        file,
        tests: [...ran].map(([each, error]) => ({ id: idOf(each), state: error === null ? "passed" : "failed" })),
        again: (wanted) => {
          const found = [...ran.keys()].find((each) => idOf(each).name === wanted.name);
          return found === undefined ? Promise.resolve(new Error("no such test")) : again(found);
        },
        reload: async () => runsOnce(createAgain(environment), namedTests(loadAnew(runtime, state, file))),
      });
      await again(null);
    }
  };
}

function testsOf({ children }: Block): readonly Test[] {
  return children.flatMap((child) => (child.type === "test" ? [child] : testsOf(child)));
}

function namedTests(tests: readonly Test[]): ReadonlyMap<string, Test> {
  const names = distinctNames(tests.map(nameOf));
  return new Map(tests.map((test, i) => [names[i] ?? "", test]));
}

/** The tests that a file defines when it is loaded once more, with its sources. Hooks of other files are left out. */
function loadAnew(runtime: Runtime, state: State, file: string): readonly Test[] {
  const root = { ...state.rootDescribeBlock, children: [], hooks: [], tests: [] };
  const before = { ...state };
  const empty = { rootDescribeBlock: root, currentDescribeBlock: root, hasStarted: false, currentlyRunningTest: null };
  Object.assign(state, empty);
  try {
    runtime.resetModules();
    runtime.requireModule(file);
  } finally {
    Object.assign(state, before);
  }
  return testsOf(root);
}

/** Runs tests by name; each leaves its suites when it has ended. */
export function runsOnce<T>(
  again: (test: T | null) => Promise<unknown>,
  tests: ReadonlyMap<string, T>,
): (wanted: TestId) => Promise<unknown> {
  return async ({ name }) => {
    const test = tests.get(name);
    if (test === undefined) return new Error("no such test");
    const failure = await again(test);
    await again(null);
    return failure;
  };
}

/** Circus keeps an error with a second one that has the place of the call. */
function thrownIn(entry: unknown): unknown {
  const error: unknown = Array.isArray(entry) ? (entry[0] ?? entry[1]) : entry;
  return error ?? new Error("the test failed");
}

function blocksOf(test: Test): readonly Block[] {
  const blocks: Block[] = [];
  for (let block: Block | undefined = test.parent; block !== undefined; block = block.parent) blocks.unshift(block);
  return blocks;
}

function nameOf(test: Test): string {
  const names = blocksOf(test).flatMap(({ name, parent }) => (parent === undefined ? [] : [name]));
  return joinNames([...names, test.name]);
}

type Expect = {
  setState(state: object): void;
  getState(): { readonly snapshotState?: { readonly _counters?: Map<string, number> } };
  extractExpectedAssertionsErrors?(): readonly { readonly error: unknown }[];
};

/** Runs a test again with all hooks of its blocks; with null it only leaves the blocks that are open. */
function createAgain({ global }: Environment): (test: Test | null) => Promise<unknown> {
  const open: Block[] = [];
  const call = async (block: Block, type: string, context: object): Promise<void> => {
    for (const hook of block.hooks) if (hook.type === type) await callBack(hook.fn, context);
  };
  const openOnly = async (blocks: readonly Block[]): Promise<void> => {
    while (open.some((block) => !blocks.includes(block))) {
      const block = open.pop();
      if (block !== undefined) await call(block, "afterAll", {});
    }
    for (const block of blocks.slice(open.length)) {
      open.push(block);
      await call(block, "beforeAll", {});
    }
  };
  return async (test) => {
    let failure: unknown = null;
    const attempt = async (work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        failure ??= error ?? new Error(`threw ${String(error)}`);
      }
    };
    const blocks = test === null ? [] : blocksOf(test);
    const context = {};
    const expect = global.expect as Expect | undefined;
    await attempt(async () => {
      await openOnly(blocks);
      if (test === null) return;
      expect?.getState().snapshotState?._counters?.clear();
      expect?.setState({
        ...{ assertionCalls: 0, expectedAssertionsNumber: null, isExpectingAssertions: false, suppressedErrors: [] },
        currentTestName: nameOf(test).replaceAll(" > ", " "),
      });
      for (const block of blocks) await call(block, "beforeEach", context);
      await callBack(test.fn, context);
      const [missing] = expect?.extractExpectedAssertionsErrors?.() ?? [];
      if (missing !== undefined) throw missing.error;
    });
    for (const block of blocks.toReversed()) await attempt(() => call(block, "afterEach", context));
    return failure;
  };
}

/** Calls a test or hook; one with a parameter ends when it calls that. */
export function callBack(callback: Callback, context: object): Promise<unknown> {
  if (callback.length === 0) return Promise.resolve(callback.call(context));
  return new Promise((resolve, reject) => {
    const done = (error?: unknown): void =>
      error === undefined || error === null ? resolve(undefined) : reject(error);
    const result = callback.call(context, Object.assign(done, { fail: reject }));
    if (result instanceof Promise) result.catch(reject);
  });
}

function outcomes({ testResults }: JestResults): TestRun {
  const states: Readonly<Record<string, "passed" | "failed">> = { passed: "passed", failed: "failed" };
  const tests = testResults.flatMap(({ testFilePath: file, testResults: each }) =>
    each.map(({ ancestorTitles, title, status, duration, failureDetails, failureMessages }) => {
      const state = states[status] ?? "skipped";
      const detail = failureDetails?.[0] ?? { message: failureMessages?.[0] ?? "", stack: failureMessages?.[0] ?? "" };
      const id = { file, name: joinNames([...ancestorTitles, title]), project: "" };
      return {
        id,
        state,
        milliseconds: duration ?? 0,
        error: state === "failed" ? describeError(detail) : null,
      } as const;
    }),
  );
  const problems = testResults.flatMap(({ testFilePath: file, testExecError: error }) =>
    error == null ? [] : [{ file, error: describeError(error) }],
  );
  return { tests, problems };
}
