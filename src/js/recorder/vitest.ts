import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isRecorded, transform } from "./instrument.ts";
import { directoryVariable, type RecorderSettings, settingsFile } from "./logFormat.ts";
import { readSettings } from "./runtime.ts";

export type VitestRecorderOptions = {
  /** The folder of the recording; by default the one that `tracefold infer` made. */
  readonly directory?: string;
  readonly settings?: Partial<RecorderSettings>;
};

/** The part of Vite's plugin interface that we use. */
type VitePlugin = {
  readonly name: string;
  readonly enforce: "pre";
  config(user: UserConfig): object;
  resolveId(
    this: { resolve(source: string, importer: string): Promise<unknown> },
    source: string,
    importer?: string,
  ): Promise<unknown>;
  transform(code: string, id: string): { code: string; map: object } | null;
};

type UserConfig = { readonly test?: { readonly testTimeout?: number; readonly hookTimeout?: number } };

/** Recorded code is slower: limits that the tests just met must not decide. */
const patience = 5;

export const defaultSettings = (root: string): RecorderSettings => ({ quota: 6, maxBytes: 256 * 1024 * 1024, root });

/** Makes the folder of a recording. */
export function startRecording(directory: string, settings: RecorderSettings): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, settingsFile), JSON.stringify(settings));
}

/**
 * A Vite plugin that records what the tests run: `plugins: [recorder({ directory: ".tracefold" })]`. It sees each file
 * before any other plugin and hands out a source map, so failures keep their positions.
 */
export default function recorder(options: VitestRecorderOptions = {}): VitePlugin {
  const directory = options.directory ?? process.env[directoryVariable];
  const settings = directory === undefined ? null : prepare(directory, options.settings ?? {});
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const setup = fileURLToPath(new URL(`./vitestSetup.${extension}`, import.meta.url));
  if (directory !== undefined) process.env[directoryVariable] = directory;
  // Files that the main process itself loads through Vite call the wrappers too.
  definePassThrough();
  return {
    name: "tracefold:recorder",
    enforce: "pre",
    config(user) {
      if (settings === null) return {};
      const test = {
        setupFiles: [setup],
        env: { [directoryVariable]: directory },
        testTimeout: (user.test?.testTimeout ?? 5000) * patience,
        hookTimeout: (user.test?.hookTimeout ?? 10_000) * patience,
        ...withoutModuleCache(directory ?? ""),
      };
      return { test };
    },
    // The project's own vitest, not one that lies beside us.
    async resolveId(source, importer) {
      if (settings === null || source !== "vitest" || importer?.replace(/\?.*$/, "") !== setup) return null;
      return await this.resolve(source, join(settings.root, "package.json"));
    },
    transform(code, id) {
      const path = id.replace(/\?.*$/, "");
      if (directory === undefined || settings === null || id.startsWith("\0") || /\?(raw|url|inline|worker)/.test(id))
        return null;
      if (path === setup || !isRecorded(path, settings.root)) return null;
      const text = transform(directory, path, code, "module");
      return text === null ? null : { code: text.toString(), map: text.generateMap({ hires: true, source: path }) };
    },
  };
}

/** Vitest keeps transformed modules between runs, from version 5 on by default: the user's next run would find ours. */
export function withoutModuleCache(directory: string): object {
  const setting = { fsModuleCache: false, fsModuleCachePath: join(directory, "modules") };
  return { ...setting, experimental: setting };
}

function prepare(directory: string, settings: Partial<RecorderSettings>): RecorderSettings {
  const known = readSettings(directory) ?? defaultSettings(process.cwd());
  const merged = { ...known, ...settings };
  startRecording(directory, merged);
  return merged;
}

/** The wrappers without their effect. */
function definePassThrough(): void {
  if ("tf$L" in globalThis) return;
  const second = (_site: unknown, value: unknown): unknown => value;
  const first = (value: unknown): unknown => value;
  const third = (_site: unknown, _frame: unknown, value: unknown): unknown => value;
  const nothing = (): number => 0;
  const table = {
    ...{
      tf$L: second,
      tf$A: second,
      tf$V: second,
      tf$B: second,
      tf$G: second,
      tf$T: second,
      tf$P: second,
      tf$H: first,
    },
    ...{ tf$R: third, tf$E: nothing, tf$X: nothing, tf$O: nothing, tf$I: nothing, tf$C: nothing, tf$K: nothing },
  };
  for (const [name, value] of Object.entries(table))
    Object.defineProperty(globalThis, name, { value, configurable: true });
}
