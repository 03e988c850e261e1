import fs from "node:fs";
import Module, { register, syncBuiltinESMExports } from "node:module";
import { entryPath } from "./entries.ts";
import { installJest } from "./jestHooks.ts";
import { isScript, loadTestFiles } from "./mochaFiles.ts";
import { installMocha } from "./mochaHooks.ts";
import { installNodeTest } from "./nodeTestHooks.ts";
import type { SourceTransform } from "./runner.ts";
import { isProjectSource, loadHooks, loadTransform, readWorkerSettings } from "./workerSettings.ts";

/** `node --import`: runs before jest, mocha or node:test in a process that the driver has started. */

/** Sources that `require` loads. Compilers of TypeScript read the file in the same way, so they get the new text. */
function transformRequired(transform: SourceTransform, testFiles: ReadonlySet<string>): void {
  const original = fs.readFileSync as (...words: unknown[]) => string | Buffer;
  const read = (...words: unknown[]): string | Buffer => {
    const content = original(...words);
    const [file] = words;
    if (typeof content !== "string" || typeof file !== "string" || !isProjectSource(file)) return content;
    if (!isLoading()) return content;
    return transform({ code: content, file, isTest: testFiles.has(file) })?.code ?? content;
  };
  Reflect.set(fs, "readFileSync", read);
  syncBuiltinESMExports();
}

/** True if Node's loader is among the callers. */
function isLoading(): boolean {
  const limit = Error.stackTraceLimit;
  // A test may have made stacks short.
  Error.stackTraceLimit = 10;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = limit;
  return /node:internal\/modules/.test(stack);
}

/**
 * Node reads the first file itself, past our hooks, if it is no ES module. So we load it before Node does. A compiler
 * that is not there yet would not see it.
 */
function loadFirst(file: string): void {
  const loaders = process.execArgv.filter((word) =>
    /^(--import|--require|-r|--loader|--experimental-loader)\b/.test(word),
  );
  if (loaders.length > 1 || !isScript(file)) return;
  (Module as unknown as { _load(name: string, parent: null, isMain: boolean): unknown })._load(file, null, true);
}

const settings = readWorkerSettings();
if (settings !== null) {
  const transform = await loadTransform(settings);
  const testFiles = new Set(settings.testFiles);
  if (settings.runner !== "jest") {
    if (transform !== null) transformRequired(transform, testFiles);
    if (settings.runner === "mocha") loadTestFiles();
    register(entryPath("loadSources"), { parentURL: import.meta.url, data: settings });
  }
  const hooks = await loadHooks(settings);
  const work = { settings, hooks, transform };
  if (settings.runner === "jest") installJest(work);
  else if (settings.runner === "mocha") installMocha(work);
  else if (settings.runner === "node:test") {
    installNodeTest(work);
    if (settings.hooks !== null) loadFirst(process.argv[1] ?? "");
  }
}
