import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { callBack, type ProcessWork, runsOnce } from "./jestHooks.ts";
import { resultName } from "./processDriver.ts";
import { describeError, distinctNames, joinNames, type TestId, type TestOutcome } from "./runner.ts";
import { folderVariable, isProjectSource, isSelected } from "./workerSettings.ts";

/** The parts of mocha that we use. */
type Callback = (this: object, done?: (error?: unknown) => void) => unknown;
type HookKind = "_beforeAll" | "_beforeEach" | "_afterEach" | "_afterAll";
type Suite = Readonly<Record<HookKind, readonly { readonly fn: Callback }[]>> & {
  readonly title: string;
  readonly root: boolean;
  readonly parent?: Suite;
  readonly suites: readonly Suite[];
  readonly tests: readonly Test[];
  readonly ctx: object;
};
type Test = {
  readonly title: string;
  readonly parent: Suite;
  readonly file?: string;
  readonly fn?: Callback;
  readonly state?: string;
  readonly duration?: number;
  readonly ctx: object;
  pending: boolean;
};
type Runner = {
  readonly suite: Suite;
  /** Since mocha 7. */
  readonly _opts?: { cleanReferencesAfterRun?: boolean };
  on(event: string, listener: (test: Test, error?: unknown) => void): void;
  run(end: (failures: number) => void, options?: object): unknown;
};

/** Leaves a reporter for mocha, which sees each test, and makes mocha wait for its end. */
export function installMocha({ settings, hooks }: ProcessWork): void {
  const errors = new Map<Test, unknown>();
  const require = createRequire(join(settings.root, "package.json"));
  const Reporter = class {
    private readonly root: Suite;
    private readonly ui: string;

    constructor(runner: Runner, options?: { readonly ui?: string; growl?: boolean }) {
      this.root = runner.suite;
      this.ui = options?.ui ?? "bdd";
      // A notification on the desktop needs the counts of mocha's own reporters.
      if (options !== undefined) options.growl = false;
      // Mocha forgets functions that it has run; up to mocha 6 always.
      if (runner._opts !== undefined) runner._opts.cleanReferencesAfterRun = false;
      Reflect.set(Object.getPrototypeOf(runner.suite) as object, "cleanReferences", () => {});
      nameTests(testsOf(this.root));
      if (settings.tests !== null)
        for (const test of testsOf(this.root)) if (!isSelected(settings.tests, idOf(test))) test.pending = true;
      // Mocha 1 asks no reporter whether it is done.
      const run = runner.run.bind(runner);
      runner.run = (end, options) => run((failures) => void this.finish(failures, end), options);
      runner.on("test", (test) => {
        if (!test.pending) void hooks.beforeTest?.(idOf(test));
      });
      runner.on("fail", (test, error) => errors.set(test, error ?? new Error(`threw ${String(error)}`)));
      runner.on("test end", (test) => {
        if (hasRun(test)) void hooks.afterTest?.(idOf(test), errors.get(test) ?? null);
      });
    }

    private async finish(failures: number, end: (failures: number) => void): Promise<void> {
      const tests = testsOf(this.root);
      const result = {
        tests: tests.map((test) => outcomeOf(test, errors.get(test))),
        problems: problemsOf(tests, errors),
      };
      for (const file of hooks.afterFile === undefined ? [] : new Set(tests.map((test) => test.file ?? ""))) {
        const again = createAgain();
        const own = tests.filter((test) => test.file === file && hasRun(test));
        await hooks.afterFile?.({
          file,
          tests: own.map((test) => ({ id: idOf(test), state: test.state === "passed" ? "passed" : "failed" })),
          again: (wanted) => {
            const found = own.find((test) => idOf(test).name === wanted.name);
            return found === undefined ? Promise.resolve(new Error("no such test")) : again(found);
          },
          // ES modules cannot be loaded anew.
          ...(file in require.cache
            ? { reload: async () => runsOnce(createAgain(), loadAnew(require, file, this.ui)) }
            : {}),
        });
        await again(null);
      }
      const folder = process.env[folderVariable];
      if (folder !== undefined) writeFileSync(join(folder, resultName), JSON.stringify(result));
      end(failures);
    }
  };
  Object.assign(globalThis, { [Symbol.for("tracefold mochaReporter")]: Reporter });
}

type Mocha = { readonly suite: Suite & { emit(event: string, ...words: unknown[]): void } };

type MakesMocha = new (options: object) => Mocha;

/** The tests that a file defines when it is required once more, with its sources. */
function loadAnew(require: NodeJS.Require, file: string, ui: string): ReadonlyMap<string, Test> {
  const loaded = require("mocha") as MakesMocha & { readonly default?: MakesMocha };
  const mocha = new (loaded.default ?? loaded)({ ui });
  for (const path of Object.keys(require.cache)) if (isProjectSource(path)) Reflect.deleteProperty(require.cache, path);
  mocha.suite.emit("pre-require", globalThis, file, mocha);
  require(file);
  const tests = testsOf(mocha.suite);
  const names = distinctNames(tests.map(nameOf));
  return new Map(tests.map((test, i) => [names[i] ?? "", test]));
}

function hasRun({ state }: Test): boolean {
  return state === "passed" || state === "failed";
}

function testsOf(suite: Suite): readonly Test[] {
  return [...suite.tests, ...suite.suites.flatMap(testsOf)];
}

function suitesOf(test: Test): readonly Suite[] {
  const suites: Suite[] = [];
  for (let suite: Suite | undefined = test.parent; suite !== undefined; suite = suite.parent) suites.unshift(suite);
  return suites;
}

function nameOf(test: Test): string {
  const names = suitesOf(test).flatMap(({ title, root }) => (root ? [] : [title]));
  return joinNames([...names, test.title]);
}

const namesOfTests = new WeakMap<Test, string>();

/** The tests of a file follow each other. */
function nameTests(tests: readonly Test[]): void {
  for (const file of new Set(tests.map((test) => test.file))) {
    const own = tests.filter((test) => test.file === file);
    const names = distinctNames(own.map(nameOf));
    for (const [i, test] of own.entries()) namesOfTests.set(test, names[i] ?? "");
  }
}

function idOf(test: Test): TestId {
  return { file: test.file ?? "", name: namesOfTests.get(test) ?? nameOf(test), project: "" };
}

function outcomeOf(test: Test, error: unknown): TestOutcome {
  const state = test.state === "passed" ? "passed" : test.state === "failed" ? "failed" : "skipped";
  const described = state === "failed" ? describeError(error) : null;
  return { id: idOf(test), state, milliseconds: test.duration ?? 0, error: described };
}

/** Errors of hooks. */
function problemsOf(tests: readonly Test[], errors: ReadonlyMap<Test, unknown>) {
  return [...errors].flatMap(([test, error]) =>
    tests.includes(test) ? [] : [{ file: test.file ?? null, error: describeError(error) }],
  );
}

/** Runs a test again with all hooks of its suites; with null it only leaves the suites that are open. */
function createAgain(): (test: Test | null) => Promise<unknown> {
  const open: Suite[] = [];
  const call = async (suite: Suite, kind: HookKind, context: object): Promise<void> => {
    for (const { fn } of suite[kind]) await callBack(fn, context);
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
    const context = test?.ctx ?? {};
    await attempt(async () => {
      while (open.some((suite) => !suites.includes(suite))) {
        const suite = open.pop();
        if (suite !== undefined) await call(suite, "_afterAll", suite.ctx);
      }
      for (const suite of suites.slice(open.length)) {
        open.push(suite);
        await call(suite, "_beforeAll", suite.ctx);
      }
      for (const suite of suites) await call(suite, "_beforeEach", context);
      if (test?.fn !== undefined) await callBack(test.fn, context);
    });
    for (const suite of suites.toReversed()) await attempt(() => call(suite, "_afterEach", context));
    return failure;
  };
}
