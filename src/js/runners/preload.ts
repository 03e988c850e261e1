import fs from "node:fs";
import { register, syncBuiltinESMExports } from "node:module";
import { entryPath } from "./entries.ts";
import { installJest } from "./jestHooks.ts";
import { importModules, installMocha } from "./mochaHooks.ts";
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
    if (!/node:internal\/modules/.test(new Error().stack ?? "")) return content;
    return transform({ code: content, file, isTest: testFiles.has(file) })?.code ?? content;
  };
  Reflect.set(fs, "readFileSync", read);
  syncBuiltinESMExports();
}

const settings = readWorkerSettings();
if (settings !== null) {
  const transform = await loadTransform(settings);
  const testFiles = new Set(settings.testFiles);
  if (settings.runner !== "jest") {
    if (transform !== null) transformRequired(transform, testFiles);
    if (settings.runner === "mocha") importModules();
    register(entryPath("loadSources"), { parentURL: import.meta.url, data: settings });
  }
  const hooks = await loadHooks(settings);
  const work = { settings, hooks, transform };
  if (settings.runner === "jest") installJest(work);
  else if (settings.runner === "mocha") installMocha(work);
  else if (settings.runner === "node:test") installNodeTest(work);
}
