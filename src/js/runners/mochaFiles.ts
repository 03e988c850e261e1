import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { isModule } from "../../base/files.ts";
import { isProjectSource } from "./workerSettings.ts";

type Load = (name: string, parent: { readonly filename?: string | null } | null, ...rest: unknown[]) => unknown;

/** The module of mocha that loads test files. */
const loaderFile = /[\\/]mocha[\\/]lib[\\/]nodejs[\\/]esm-utils\.c?js$/;

/**
 * Mocha 11.7 and later requires test files, ES modules too, and Node shows our hooks nothing of what these import. If
 * it cannot require a file, it imports it. Earlier versions import all files, and of one that is no ES module Node shows
 * our hooks nothing: it has to be required.
 */
export function loadTestFiles(): void {
  const module = Module as unknown as { _load: Load };
  const load = module._load;
  module._load = (name, parent, ...rest) => {
    const isLoader = loaderFile.test(parent?.filename ?? "");
    if (isLoader && isAbsolute(name) && /\.jsx?$/.test(name) && isProjectSource(name) && isModule(name))
      throw Object.assign(new Error(`${name} is an ES module`), { code: "ERR_REQUIRE_ESM" });
    const loaded = load(name, parent, ...rest);
    if (/esm-utils(\.c?js)?$/.test(name)) requireScripts(loaded as Loader);
    return loaded;
  };
}

type Import = (file: string | URL) => Promise<unknown>;
/** Up to mocha 9 one function loads all kinds of files; later, `doImport` gives the namespace of a module. */
type Loader = { doImport?: Import; requireOrImport?: Import };

const changed = new WeakSet<object>();

function requireScripts(loader: Loader): void {
  const key = loader.doImport === undefined ? "requireOrImport" : "doImport";
  const original = loader[key];
  if (original === undefined || changed.has(loader)) return;
  changed.add(loader);
  loader[key] = async (file) => {
    const path = typeof file === "string" ? file : fileURLToPath(file);
    if (!isAbsolute(path) || !isProjectSource(path) || !isScript(path)) return original(file);
    try {
      const loaded = createRequire(path)(path) as unknown;
      return key === "doImport" ? { default: loaded } : loaded;
    } catch (error) {
      // A loader of the project that cannot read what we have made of it: then it is not followed.
      if (error instanceof Error && error.name === "SyntaxError") return original(file);
      throw error;
    }
  };
}

/** True for a JavaScript file that is no ES module. */
export function isScript(file: string): boolean {
  if (!/\.c?js$/.test(file) || isModule(file)) return false;
  return !/^\s*(import\b(?!\s*\()|export\b)/m.test(readFileSync(file, "utf8"));
}
