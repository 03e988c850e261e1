/** The test runners that Tracefold drives. Each is the project's own installation. */
export const runnerNames = ["vitest", "jest", "mocha", "node:test"] as const;
export type RunnerName = (typeof runnerNames)[number];

/** A test by its file and by the names of its suites and its own, joined by " > "; "(2)" for a second one. */
export type TestId = {
  readonly file: string;
  readonly name: string;
  /** The name of the project inside of the runner's workspace; empty if there is one only. */
  readonly project: string;
};

export type TestError = {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** As the runner prints them; null if the error has none. */
  readonly expected: string | null;
  readonly actual: string | null;
  /** `toBe`, `strictEqual`; null if the runner does not tell. */
  readonly matcher: string | null;
};

export type TestOutcome = {
  readonly id: TestId;
  readonly state: "passed" | "failed" | "skipped";
  readonly milliseconds: number;
  /** Null unless it failed. */
  readonly error: TestError | null;
};

/** One run of some or all tests. */
export type TestRunRequest = {
  /** Absolute paths of test files; null for all that the command line selects. */
  readonly files: readonly string[] | null;
  /** Full names; null for all tests of the files. It needs `hooks`. */
  readonly tests: readonly string[] | null;
  /** A module whose default export is a `TransformMaker`; null to load the sources as they are. */
  readonly transform: string | null;
  /** A module whose default export is a `HooksMaker`; null to run the tests without us. */
  readonly hooks: string | null;
  /** Given to the makers of both modules; it must survive JSON. */
  readonly options: unknown;
  /** After so many milliseconds of work, or of waiting, the workers are ended; null: only if they wait for very long. */
  readonly limit: number | null;
};

export type TestRun = {
  readonly tests: readonly TestOutcome[];
  /** Errors outside of tests: a file that cannot be loaded, a rejection that nobody handled. */
  readonly problems: readonly { readonly file: string | null; readonly error: TestError }[];
};

/** A source file of the project as it is loaded: no dependency, and before the project's own transform. */
export type LoadedSource = {
  readonly code: string;
  readonly file: string;
  readonly isTest: boolean;
};

/** A changed source with its source map, or null to leave it as it is. */
export type SourceTransform = (source: LoadedSource) => { readonly code: string; readonly map: object | null } | null;
export type TransformMaker = (options: unknown) => SourceTransform;

/** What a worker module of ours sees; it is loaded before any test file. */
export type WorkerHooks = {
  /** Before the hooks of the test. */
  beforeTest?(test: TestId): void | Promise<void>;
  /** After its hooks; `error` is the thrown value itself, null if the test passed. */
  afterTest?(test: TestId, error: unknown): void | Promise<void>;
  /** After all tests of a file, before its `afterAll`. */
  afterFile?(file: WorkerFile): void | Promise<void>;
};
export type HooksMaker = (options: unknown) => WorkerHooks | Promise<WorkerHooks>;

/** The tests of a file after they have run. */
export type WorkerFile = {
  readonly file: string;
  readonly tests: readonly { readonly id: TestId; readonly state: "passed" | "failed" }[];
  /** Runs a test again in place with all hooks of its suites; its error, null if it passes. */
  again(test: TestId): Promise<unknown>;
  /** Loads the file and the sources of the project anew, in place; gives what runs its new tests. */
  reload?(): Promise<WorkerFile["again"]>;
};

/** A started runner. One at a time: a run begins when the one before has ended. */
export type RunnerAdapter = {
  run(request: TestRunRequest): Promise<TestRun>;
  close(): Promise<void>;
};

/** What the command says about the process of the runner. */
export type Launch = {
  /** `NODE_ENV=test` before the runner. */
  readonly env: Readonly<Record<string, string>>;
  /** `--import tsx`, `--experimental-vm-modules`. */
  readonly nodeFlags: readonly string[];
};

export const plainLaunch: Launch = { env: {}, nodeFlags: [] };

/** What an adapter needs to start. */
export type RunnerSetting = {
  readonly root: string;
  /** Words of the runner's command line after its name. */
  readonly words: readonly string[];
  readonly nodeFlags: readonly string[];
  /** Everything that is written goes here. */
  readonly folder: string;
};

/** Names of suites and test as one. */
export function joinNames(names: readonly string[]): string {
  return names.filter((name) => name !== "").join(" > ");
}

/** Tests of a file may have the same name: the second one gets "(2)". In the order of the file. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const given = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let number = 2; seen.has(own) || (own !== name && given.has(own)); number++) own = `${name} (${number})`;
    seen.add(own);
    return own;
  });
}

/** The results of a run with distinct names. */
export function withDistinctNames({ tests, problems }: TestRun): TestRun {
  const byFile = new Map<string, TestOutcome[]>();
  for (const test of tests) {
    const key = `${test.id.project}\n${test.id.file}`;
    const own = byFile.get(key) ?? [];
    byFile.set(key, own);
    own.push(test);
  }
  const named = new Map<TestOutcome, string>();
  for (const own of byFile.values()) {
    const names = distinctNames(own.map(({ id }) => id.name));
    for (const [i, test] of own.entries()) named.set(test, names[i] ?? test.id.name);
  }
  const renamed = tests.map((test) => ({ ...test, id: { ...test.id, name: named.get(test) ?? test.id.name } }));
  return { tests: renamed, problems };
}

/** The parts of an error that can leave its process. */
export function describeError(error: unknown): TestError {
  if (typeof error !== "object" || error === null) {
    return { name: "", message: String(error), stack: "", expected: null, actual: null, matcher: null };
  }
  const fields = error as Record<string, unknown>;
  const text = (key: string) => (typeof fields[key] === "string" ? fields[key] : null);
  const result = fields.matcherResult as Record<string, unknown> | undefined;
  const value = (key: string) => {
    const found = fields[key] ?? result?.[key];
    return found === undefined ? null : typeof found === "string" ? found : print(found);
  };
  const matcher = text("matcher") ?? (typeof result?.name === "string" ? result.name : text("operator"));
  return {
    name: text("name") ?? "",
    message: text("message") ?? "",
    stack: text("stack") ?? "",
    expected: value("expected"),
    actual: value("actual"),
    matcher,
  };
}

function print(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch (error) {
    // Cyclic, or a getter that throws.
    if (!(error instanceof Error)) throw error;
    return Object.prototype.toString.call(value);
  }
}
