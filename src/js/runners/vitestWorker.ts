import { pathToFileURL } from "node:url";
import { distinctNames, joinNames, type TestId, type WorkerHooks } from "./runner.ts";
import { isSelected, loadHooks, readWorkerSettings } from "./workerSettings.ts";

/** The parts of vitest's tasks that we use. */
type Suite = {
  readonly type: "suite";
  readonly name: string;
  readonly tasks: readonly Task[];
  readonly suite?: Suite;
  readonly filepath?: string;
  readonly projectName?: string;
  mode: string;
};
type Test = {
  readonly type: "test";
  readonly name: string;
  readonly suite?: Suite;
  readonly file: Suite;
  readonly context: object;
  readonly fails?: boolean;
  readonly result?: { readonly state?: string; readonly errors?: readonly unknown[] };
  onFinished?: ((context: unknown) => unknown)[] | undefined;
  onFailed?: ((context: unknown) => unknown)[] | undefined;
  mode: string;
};
type Task = Suite | Test;

type Base = new (
  config: object,
) => {
  onCollected?(files: readonly Suite[]): unknown;
  onBeforeRunTask?(test: Test): unknown;
  onAfterRunTask?(test: Test): unknown;
  onBeforeRunSuite?(suite: Suite): unknown;
  onBeforeTryTask?(test: Test, options?: object): unknown;
  onAfterTryTask?(test: Test, options?: object): unknown;
  runTask?(test: Test): unknown;
};

type Hook = (...words: readonly unknown[]) => unknown;
type HookKind = "beforeAll" | "beforeEach" | "afterEach" | "afterAll";
type Tools = {
  readonly base: Base;
  readonly functionOf: (test: Test) => () => unknown;
  readonly hooksOf: (suite: Suite) => Readonly<Record<HookKind, readonly Hook[]>> | undefined;
};

/** From vitest 4.1 on the runner's class has it all; before, there were two modules. */
async function loadTools(modules: Readonly<Record<string, string>>): Promise<Tools> {
  const load = async (name: string) => {
    const path = modules[name];
    if (path === undefined) return {};
    return (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Record<string, unknown>;
  };
  const main = await load("vitest");
  const own = (await load("runner")).default as Base | undefined;
  if (main.TestRunner !== undefined) {
    const runner = main.TestRunner as Base & { getTestFn: Tools["functionOf"]; getSuiteHooks: Tools["hooksOf"] };
    return { base: own ?? runner, functionOf: runner.getTestFn, hooksOf: runner.getSuiteHooks };
  }
  const suite = await load("vitest/suite");
  const base = own ?? ((await load("vitest/runners")).VitestTestRunner as Base);
  return { base, functionOf: suite.getFn as Tools["functionOf"], hooksOf: suite.getHooks as Tools["hooksOf"] };
}

const settings = readWorkerSettings();
if (settings === null) throw new Error("Tracefold's worker was started without its settings");
const { base: VitestRunner, functionOf, hooksOf } = await loadTools(settings.modules);
const hooks: WorkerHooks = await loadHooks(settings);

function suitesOf(test: Test): readonly Suite[] {
  const suites: Suite[] = [];
  for (let suite = test.suite; suite !== undefined; suite = suite.suite) suites.unshift(suite);
  return suites[0] === test.file ? suites : [test.file, ...suites];
}

function nameOf(test: Test): string {
  const names = suitesOf(test).flatMap(({ filepath, name }) => (filepath === undefined ? [name] : []));
  return joinNames([...names, test.name]);
}

const namesOfTests = new WeakMap<Test, string>();

function nameTests(file: Suite): void {
  const tests = testsOf(file);
  const names = distinctNames(tests.map(nameOf));
  for (const [i, test] of tests.entries()) namesOfTests.set(test, names[i] ?? "");
}

function idOf(test: Test): TestId {
  const name = namesOfTests.get(test) ?? nameOf(test);
  return { file: test.file.filepath ?? "", name, project: test.file.projectName ?? "" };
}

function testsOf(suite: Suite): readonly Test[] {
  return suite.tasks.flatMap((task) => (task.type === "suite" ? testsOf(task) : [task]));
}

/** Skips the tests that are not selected, and suites without any other. */
function select(suite: Suite): boolean {
  const kept = suite.tasks.filter((task) => {
    const keeps = task.type === "suite" ? select(task) : isSelected(settings?.tests ?? null, idOf(task));
    if (!keeps) task.mode = "skip";
    return keeps;
  });
  return kept.length > 0;
}

/** A thrown `undefined` is an error too. */
const asError = (thrown: unknown): unknown => thrown ?? new Error(`threw ${String(thrown)}`);

/**
 * A test that the runner itself runs at the end of a file. Inside of it tests run again: its prototype is the test that
 * runs, so that `expect.soft` and snapshots, which ask for the current test, find the right one.
 */
type Carrier = Omit<Test, "result"> & { result?: NonNullable<Test["result"]> };

function carrierOf(file: Suite, test: Test): Carrier {
  return Object.assign(Object.create(test) as Carrier, { retry: 0, repeats: 0 }, ownFields(file));
}

/** Vitest 5 adds its attempts. */
const runningResult = () => ({ state: "run", attempts: [] });

/** While no test runs again, the carrier is a test of the file itself. */
function ownFields(file: Suite) {
  return { name: "", mode: "run", file, suite: file, fails: false, result: runningResult() };
}

function become(carrier: Carrier, test: Test): void {
  for (const key of Object.keys(ownFields(test.file))) Reflect.deleteProperty(carrier, key);
  Object.setPrototypeOf(carrier, test);
  carrier.result = runningResult();
}

/** The project's runner, with the hooks of our module. */
export default class TracefoldRunner extends VitestRunner {
  /** The values that were thrown; vitest keeps texts only. */
  private readonly thrown = new WeakMap<Test, unknown>();
  private carrier: Carrier | null = null;
  /** Suites whose `beforeAll` has run for a test that runs again. */
  private open: { readonly suite: Suite; readonly cleanups: readonly (() => unknown)[] }[] = [];

  override async onCollected(files: readonly Suite[]): Promise<void> {
    await super.onCollected?.(files);
    for (const file of files) {
      nameTests(file);
      if (settings?.tests !== null) select(file);
    }
  }

  override async onBeforeRunSuite(suite: Suite): Promise<void> {
    await super.onBeforeRunSuite?.(suite);
    const [test] = testsOf(suite);
    if (suite.filepath === undefined || hooks.afterFile === undefined || test === undefined) return;
    this.carrier = carrierOf(suite, test);
    (suite.tasks as Task[]).push(this.carrier);
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    await super.onBeforeRunTask?.(test);
    if (test === this.carrier) {
      // Vitest reports about it under the number of a test that has run.
      const ran = testsOf(test.file).find((each) => each !== test && each.result !== undefined);
      if (ran !== undefined) Object.setPrototypeOf(test, ran);
      else test.mode = "skip";
      return;
    }
    if (test.mode === "run" || test.mode === "queued") await hooks.beforeTest?.(idOf(test));
  }

  override async runTask(test: Test): Promise<void> {
    if (test === this.carrier) return this.afterFile(test.file);
    try {
      await (super.runTask === undefined ? functionOf(test)() : super.runTask(test));
    } catch (error) {
      this.thrown.set(test, asError(error));
      throw error;
    }
  }

  override async onAfterTryTask(test: Test, options?: object): Promise<void> {
    if (test === this.carrier) return;
    try {
      await super.onAfterTryTask?.(test, options);
    } catch (error) {
      this.thrown.set(test, asError(error));
      throw error;
    }
  }

  override async onAfterRunTask(test: Test): Promise<void> {
    const state = test.result?.state;
    if (test !== this.carrier && (state === "pass" || state === "fail")) {
      const error = state === "pass" ? null : (this.thrown.get(test) ?? test.result?.errors?.[0] ?? asError(undefined));
      await hooks.afterTest?.(idOf(test), error);
    }
    if (test === this.carrier) {
      // What vitest reports is then the result of that test.
      Object.assign(test, { result: (Object.getPrototypeOf(test) as Test).result });
      this.carrier = null;
    }
    await super.onAfterRunTask?.(test);
  }

  private async afterFile(file: Suite): Promise<void> {
    const ran = testsOf(file).flatMap((test) => {
      const state = test.result?.state;
      return test !== this.carrier && (state === "pass" || state === "fail") ? [{ test, id: idOf(test), state }] : [];
    });
    await hooks.afterFile?.({
      file: file.filepath ?? "",
      tests: ran.map(({ id, state }) => ({ id, state: state === "pass" ? "passed" : "failed" })),
      again: (wanted) => {
        const found = ran.find(({ id }) => id.name === wanted.name);
        return found === undefined ? Promise.resolve(new Error("no such test")) : this.again(found.test);
      },
    });
    await this.openOnly([]);
    if (this.carrier !== null) Object.assign(this.carrier, ownFields(file));
  }

  /** Runs a test again in place, with the hooks around each test; its error, null if it passes. */
  private async again(test: Test): Promise<unknown> {
    const { carrier } = this;
    if (carrier === null) return new Error("no file is open");
    const suites = suitesOf(test);
    const own = test.result as { state?: string } | undefined;
    const state = own?.state;
    const cleanups: (() => unknown)[] = [];
    let failure: unknown = null;
    const attempt = async (work: () => unknown): Promise<void> => {
      try {
        await work();
      } catch (error) {
        failure ??= asError(error);
      }
    };
    become(carrier, test);
    if (own !== undefined) own.state = "run";
    await attempt(async () => {
      await this.openOnly(suites.slice(1));
      await super.onBeforeTryTask?.(carrier, { retry: 0, repeats: 0 });
      for (const suite of suites) await callHooks(hooksOf(suite)?.beforeEach, [test.context, suite], cleanups);
      await functionOf(test)();
      await super.onAfterTryTask?.(carrier, { retry: 0, repeats: 0 });
      // `expect.soft` fails the test without throwing.
      for (const { result } of [carrier, test]) if (result?.state === "fail") throw result.errors?.at(-1);
    });
    await attempt(async () => {
      for (const suite of suites.toReversed())
        await callHooks(hooksOf(suite)?.afterEach.toReversed(), [test.context, suite], []);
      for (const cleanup of cleanups.toReversed()) await cleanup();
    });
    for (const task of [carrier, test]) {
      for (const hook of task.onFinished?.toReversed() ?? []) await attempt(() => hook(test.context));
      task.onFinished = undefined;
      task.onFailed = undefined;
    }
    if (own !== undefined && state !== undefined) own.state = state;
    if (test.fails !== true) return failure;
    return failure === null ? new Error("Expect test to fail") : null;
  }

  /** Runs `afterAll` of the suites that a test is not in, and `beforeAll` of those that it is in. */
  private async openOnly(suites: readonly Suite[]): Promise<void> {
    while (this.open.some(({ suite }) => !suites.includes(suite))) {
      const closed = this.open.pop();
      if (closed === undefined) return;
      await callHooks(hooksOf(closed.suite)?.afterAll.toReversed(), [closed.suite], []);
      for (const cleanup of closed.cleanups.toReversed()) await cleanup();
    }
    for (const suite of suites.slice(this.open.length)) {
      const cleanups: (() => unknown)[] = [];
      this.open.push({ suite, cleanups });
      await callHooks(hooksOf(suite)?.beforeAll, [suite], cleanups);
    }
  }
}

async function callHooks(list: readonly Hook[] = [], words: readonly unknown[], cleanups: (() => unknown)[]) {
  for (const hook of list) {
    const cleanup = await hook(...words);
    if (typeof cleanup === "function") cleanups.push(cleanup as () => unknown);
  }
}
