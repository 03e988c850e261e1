import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { withoutModuleCache } from "../recorder/vitest.ts";
import { entryPath } from "./entries.ts";
import {
  describeError,
  joinNames,
  type RunnerAdapter,
  type RunnerSetting,
  type SourceTransform,
  type TestId,
  type TestOutcome,
  type TestRun,
} from "./runner.ts";
import { isProjectSource, loadTransform, ownFolder, settingsName, type WorkerSettings } from "./workerSettings.ts";

type PluginContainer = {
  transform(code: string, id: string, options?: { inMap?: object | null }): Promise<unknown>;
};
type ModuleGraph = {
  readonly idToModuleMap: ReadonlyMap<string, { readonly file: string | null }>;
  invalidateModule(module: unknown): void;
};
type ViteSide = { readonly pluginContainer: PluginContainer; readonly moduleGraph: ModuleGraph };
type Project = {
  readonly name?: string;
  readonly config: { runner?: string | undefined; readonly root: string; readonly browser?: { enabled?: boolean } };
  /** Up to vitest 2 `server`, and one side instead of environments up to Vite 5. */
  readonly vite?: ViteServer;
  readonly server?: ViteServer;
  readonly vitenode?: {
    readonly fetchCache: Map<string, unknown>;
    readonly fetchCaches: Record<string, Map<string, unknown>>;
  };
};
type ViteServer = ViteSide & {
  readonly environments?: Readonly<Record<string, ViteSide>>;
  readonly config: { readonly server: { readonly fs: { readonly allow: string[] } } };
};

/** In vitest 2 it is a tuple, and its `project` is another object than the one in `projects`. */
type Specification = { readonly moduleId: string; readonly project: Project; readonly 0?: Project };
type Task = {
  readonly type: string;
  readonly name: string;
  readonly filepath?: string;
  readonly projectName?: string;
  readonly tasks?: readonly Task[];
  readonly mode: string;
  readonly result?: {
    readonly state?: string;
    readonly duration?: number;
    readonly errors?: readonly unknown[];
  };
};
/** The part of vitest 2 to 5 that we use. */
type Vitest = {
  readonly projects: readonly Project[];
  readonly state: { getFiles(paths?: string[]): readonly Task[]; getUnhandledErrors(): readonly unknown[] };
  globTestSpecifications?(filters: readonly string[]): Promise<readonly Specification[]>;
  globTestSpecs?(filters: readonly string[]): Promise<readonly Specification[]>;
  globTestFiles?(filters: readonly string[]): Promise<readonly Specification[]>;
  runFiles(specifications: readonly Specification[], all: boolean): Promise<unknown>;
  close(): Promise<void>;
};
type VitestNode = {
  parseCLI(words: readonly string[]): { readonly filter: string[]; readonly options: Record<string, unknown> };
  createVitest(mode: "test", options: object, vite: object): Promise<Vitest>;
};

/** Starts the project's own vitest. Its server stays for all runs, so that each costs a worker only. */
export async function startVitest({ root, words, folder }: RunnerSetting): Promise<RunnerAdapter> {
  const require = createRequire(join(root, "package.json"));
  const resolve = (name: string): Record<string, string> => {
    try {
      return { [name]: moduleFile(require, name) };
    } catch (error) {
      // Vitest 5 has no "vitest/runners".
      if (!(error instanceof Error)) throw error;
      return {};
    }
  };
  const modules = Object.assign({}, ...["vitest", "vitest/suite", "vitest/runners"].map(resolve));
  const { parseCLI, createVitest } = (await import(
    pathToFileURL(moduleFile(require, "vitest/node")).href
  )) as VitestNode;
  const { filter, options } = parseCLI(["vitest", ...words]);
  // What the command itself sets.
  process.env.TEST = "true";
  process.env.VITEST = "true";
  process.env.NODE_ENV ??= "test";
  const quiet = {
    ...options,
    root,
    ...{ watch: false, run: true, ui: false, open: false, api: false, standalone: false, update: false },
    ...{ coverage: { enabled: false }, typecheck: { enabled: false }, cache: false, pool: "forks", bail: 0 },
    ...{ reporters: [{}], passWithNoTests: true, attachmentsDir: join(folder, "attachments") },
    ...{ sequence: { shuffle: false } },
    ...withoutModuleCache(folder),
  };
  const vite = { cacheDir: join(folder, "vite"), clearScreen: false };
  const vitest = await withLoader((loader) => createVitest("test", { ...quiet, ...loader }, { ...vite, ...loader }));
  tolerateLostWorkers();
  const projects = vitest.projects.filter(({ config }) => config.browser?.enabled !== true);
  const runners = new Map(projects.map((project) => [project, project.config.runner]));
  const files = () => vitest.globTestSpecifications ?? vitest.globTestSpecs ?? vitest.globTestFiles;
  const all = ((await files()?.call(vitest, filter)) ?? []).filter((each) =>
    projects.includes(each[0] ?? each.project),
  );
  const testFiles = new Set(all.map(({ moduleId }) => moduleId));
  let transform: SourceTransform | null = null;
  for (const project of projects) {
    // A browser's environment loads files from the project only.
    (project.vite ?? project.server)?.config.server.fs.allow.push(ownFolder);
    for (const { pluginContainer } of sidesOf(project)) wrap(pluginContainer, () => transform, testFiles);
  }
  return {
    async run(request) {
      transform = await loadTransform({ ...request, hooks: null });
      for (const project of projects) {
        const own = runners.get(project);
        project.config.runner = request.hooks === null ? own : entryPath("vitestWorker");
        forget(project);
      }
      const own = [...runners.values()].find((path) => path !== undefined);
      const settings: WorkerSettings = {
        root,
        runner: "vitest",
        ...{ transform: null, hooks: request.hooks, options: request.options, tests: request.tests },
        testFiles: [...testFiles],
        modules: own === undefined ? modules : { ...modules, runner: own },
      };
      writeFileSync(join(folder, settingsName), JSON.stringify(settings));
      const wanted = all.filter(({ moduleId }) => request.files?.includes(moduleId) ?? true);
      await vitest.runFiles(wanted, false);
      return outcomes(vitest, wanted);
    },
    close: () => vitest.close(),
  };
}

/** A worker that hung was killed. Vitest would end this process when it cannot send anything to it. */
function tolerateLostWorkers(): void {
  for (const name of ["unhandledRejection", "uncaughtException"] as const) {
    const listeners = process.rawListeners(name);
    process.removeAllListeners(name);
    process.on(name, (error: unknown, ...rest: unknown[]) => {
      if (error instanceof Error && "code" in error && error.code === "ERR_IPC_CHANNEL_CLOSED") return;
      if (listeners.length === 0) throw error;
      for (const listener of listeners) Reflect.apply(listener, process, [error, ...rest]);
    });
  }
}

/** The file of a module of the project that `import` loads. */
function moduleFile(require: NodeJS.Require, name: string): string {
  const file = require.resolve(name);
  // Only `require` of the main module has a file of its own, and it throws.
  return name === "vitest" ? join(file, "..", file.endsWith("index.cjs") ? "dist/index.js" : "index.js") : file;
}

/** Vite writes a bundled configuration beside the original; its other loader, from Vite 6.1 on, does not. */
async function withLoader(start: (loader: object) => Promise<Vitest>): Promise<Vitest> {
  try {
    return await start({ configLoader: "runner" });
  } catch (error) {
    // A configuration that this loader cannot read. If it is wrong, this fails, too.
    if (!(error instanceof Error)) throw error;
    return start({});
  }
}

function sidesOf(project: Project): readonly ViteSide[] {
  const server = project.vite ?? project.server;
  if (server === undefined) return [];
  return server.environments === undefined ? [server] : Object.values(server.environments);
}

/** A transform before all plugins. A plugin would not reach the servers of `projects`. */
function wrap(container: PluginContainer, current: () => SourceTransform | null, testFiles: ReadonlySet<string>): void {
  const original = container.transform.bind(container);
  container.transform = (code, id, options) => {
    const transform = current();
    const file = id.replace(/\?.*$/, "");
    if (transform === null || id.includes("\0") || /\?(?!v=|t=)/.test(id) || !isProjectSource(file))
      return original(code, id, options);
    const changed = transform({ code, file, isTest: testFiles.has(file) });
    if (changed === null) return original(code, id, options);
    return original(changed.code, id, changed.map === null ? options : { ...options, inMap: changed.map });
  };
}

/** The next run loads the sources of the project anew. */
function forget(project: Project): void {
  for (const { moduleGraph } of sidesOf(project)) {
    for (const module of moduleGraph.idToModuleMap.values())
      if (module.file !== null && isProjectSource(module.file)) moduleGraph.invalidateModule(module);
  }
  const caches = project.vitenode;
  for (const cache of caches === undefined ? [] : [caches.fetchCache, ...Object.values(caches.fetchCaches)])
    for (const path of cache.keys()) if (isProjectSource(path)) cache.delete(path);
}

function outcomes(vitest: Vitest, specifications: readonly Specification[]): TestRun {
  const wanted = new Set(specifications.map(({ moduleId }) => moduleId));
  const files = vitest.state.getFiles().filter(({ filepath }) => wanted.has(filepath ?? ""));
  const tests = files.flatMap((file) =>
    testsOf(file, []).map(({ task, names }): TestOutcome => {
      const id: TestId = { file: file.filepath ?? "", name: joinNames(names), project: file.projectName ?? "" };
      const state = task.result?.state === "pass" ? "passed" : task.result?.state === "fail" ? "failed" : "skipped";
      const error = state === "failed" ? describeError(task.result?.errors?.[0]) : null;
      return { id, state, milliseconds: task.result?.duration ?? 0, error };
    }),
  );
  const broken = files.flatMap(({ filepath, result, tasks }) =>
    result?.state === "fail" && (tasks ?? []).length === 0
      ? [{ file: filepath ?? null, error: describeError(result.errors?.[0]) }]
      : [],
  );
  const unhandled = vitest.state.getUnhandledErrors().map((error) => ({ file: null, error: describeError(error) }));
  return { tests, problems: [...broken, ...unhandled] };
}

function testsOf(suite: Task, names: readonly string[]): readonly { task: Task; names: readonly string[] }[] {
  return (suite.tasks ?? []).flatMap((task) => {
    const inner = [...names, task.name];
    return task.type === "suite" ? testsOf(task, inner) : [{ task, names: inner }];
  });
}
