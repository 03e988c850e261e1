import { fileURLToPath, pathToFileURL } from "node:url";
import { entryPath } from "./entries.ts";
import type { SourceTransform } from "./runner.ts";
import { isProjectSource, loadTransform, type WorkerSettings } from "./workerSettings.ts";

type Loaded = { readonly format: string; readonly source?: string | ArrayBuffer | Uint8Array | null };
type Resolved = { readonly url: string; readonly shortCircuit?: boolean };

let settings: WorkerSettings | null = null;
let transform: SourceTransform | null = null;

/** Runs in the thread that Node keeps for hooks. */
export async function initialize(data: WorkerSettings): Promise<void> {
  settings = data;
  transform = await loadTransform(data);
}

/** With hooks, `node:test` is a module of ours. */
export async function resolve(
  name: string,
  context: { readonly parentURL?: string },
  next: (name: string, context: object) => Promise<Resolved>,
): Promise<Resolved> {
  const isWanted = name === "node:test" && settings?.runner === "node:test" && settings.hooks !== null;
  const own = pathToFileURL(entryPath("nodeTestModule")).href;
  if (!isWanted || context.parentURL?.replace(/\?.*$/, "") === own) return next(name, context);
  return { url: own, shortCircuit: true };
}

export async function load(
  url: string,
  context: object,
  next: (url: string, context: object) => Promise<Loaded>,
): Promise<Loaded> {
  const loaded = await next(url, context);
  if (transform === null || !url.startsWith("file:") || loaded.source == null) return loaded;
  const file = fileURLToPath(url.replace(/[?#].*$/, ""));
  if (!isProjectSource(file)) return loaded;
  const { source } = loaded;
  const code = typeof source === "string" ? source : Buffer.from(source as Uint8Array).toString();
  const changed = transform({ code, file, isTest: settings?.testFiles.includes(file) === true });
  return changed === null ? loaded : { ...loaded, source: changed.code };
}
