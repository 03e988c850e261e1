import { appendFileSync, readFileSync } from "node:fs";
import type { TransformMaker } from "../../runners/runner.ts";

/** Sources that are loaded in place of those on disk, by path. `was` is the text that they replace. */
export type ReplacedSources = Readonly<Record<string, { readonly was: string; readonly now: string }>>;

/** `sources`: a JSON file. `list`: a file that gets the paths of the sources that were replaced. */
export type ReplaceOptions = { readonly sources: string; readonly list?: string };

/** Loads other texts instead of some sources. A source that another plugin has changed stays as it is. */
const make: TransformMaker = (options) => {
  const { sources, list } = options as ReplaceOptions;
  const replaced = JSON.parse(readFileSync(sources, "utf8")) as ReplacedSources;
  const globals = globalThis as Record<string, unknown>;
  // The runner's own process may load them, too: a global setup.
  globals.tf$ ??= { on: 0 };
  globals.tf$at ??= () => false;
  globals.tf$step ??= () => {};
  return ({ code, file }) => {
    const found = replaced[file];
    if (found === undefined || found.was !== code) return null;
    if (list !== undefined) appendFileSync(list, `${file}\n`);
    return { code: found.now, map: null };
  };
};

export default make;
