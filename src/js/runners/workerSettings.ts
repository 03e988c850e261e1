import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { HooksMaker, RunnerName, SourceTransform, TestId, TransformMaker, WorkerHooks } from "./runner.ts";

/** Names the temporary folder in the environment of the workers. */
export const folderVariable = "TRACEFOLD_RUNNER";

/** What the workers of the present run need; it lies in the temporary folder. */
export type WorkerSettings = {
  readonly root: string;
  readonly runner: RunnerName;
  readonly transform: string | null;
  readonly hooks: string | null;
  readonly options: unknown;
  readonly tests: readonly string[] | null;
  /** The test files of the project. */
  readonly testFiles: readonly string[];
  /** Paths of modules of the project's runner, by what they are asked for. */
  readonly modules: Readonly<Record<string, string>>;
};

export const settingsName = "worker.json";

export function readWorkerSettings(): WorkerSettings | null {
  const folder = process.env[folderVariable];
  if (folder === undefined) return null;
  return JSON.parse(readFileSync(join(folder, settingsName), "utf8")) as WorkerSettings;
}

export async function loadHooks({ hooks, options }: WorkerSettings): Promise<WorkerHooks> {
  if (hooks === null) return {};
  const module = (await import(/* @vite-ignore */ pathToFileURL(hooks).href)) as { readonly default: HooksMaker };
  return module.default(options);
}

export async function loadTransform({
  transform,
  options,
  hooks,
}: Pick<WorkerSettings, "transform" | "options" | "hooks">): Promise<SourceTransform | null> {
  if (transform === null) return null;
  const module = (await import(pathToFileURL(transform).href)) as { readonly default: TransformMaker };
  const apply = module.default(options);
  return (source) => {
    try {
      // Some loaders read a source by way of another one.
      if (isChanged.test(source.code)) return null;
      const changed = apply(source);
      if (hooks === null || !isTypeScript.test(source.file)) return changed;
      // A compiler that checks types does not know what we have put in, nor the types of what depends on it.
      return { map: null, ...changed, code: `// @ts-nocheck\n${changed?.code ?? source.code}` };
    } catch (error) {
      // The tests must run as they do without us.
      console.error(`tracefold: ${source.file} is loaded as it is: ${error instanceof Error ? error.message : error}`);
      return null;
    }
  };
}

const isChanged = /\b__tracefold\.|\btf\$(?:file|in|at|step)\(/;
const isTypeScript = /\.[cm]?tsx?$/;

/** Our own modules: the bundles, or the sources. */
export const ownFolder = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../../" : ".", import.meta.url));

/** True for a file of the project that a transform may see: no dependency, no type declarations, none of ours. */
export function isProjectSource(file: string): boolean {
  return (
    /\.[cm]?[jt]sx?$/.test(file) &&
    !/\.d\.[cm]?ts$/.test(file) &&
    !/[\\/]node_modules[\\/]/.test(file) &&
    !file.startsWith(ownFolder) &&
    !/[\\/](vite|vitest|jest)\.(config|workspace)[^\\/]*$/.test(file)
  );
}

export function isSelected(tests: readonly string[] | null, { name }: Pick<TestId, "name">): boolean {
  return tests === null || tests.includes(name);
}
