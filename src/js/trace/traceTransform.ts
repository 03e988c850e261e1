import { threadId } from "node:worker_threads";
import { sourceKindOf } from "../recorder/syntax.ts";
import type { TransformMaker } from "../runners/runner.ts";
import { instrumentForTrace } from "./instrument/instrument.ts";
import { sitesPerFile, type TraceOptions, writeTracedFile } from "./run.ts";
import { TraceRuntime } from "./runtime.ts";
import { runtimeName } from "./runtimeName.ts";

/** Rewrites each loaded source for the recorder, and writes its sites into the temporary folder. */
const make: TransformMaker = (options) => {
  const { folder } = options as TraceOptions;
  // Files that this process itself loads call the runtime, too.
  if (!(runtimeName in globalThis))
    Object.defineProperty(globalThis, runtimeName, { value: new TraceRuntime(), configurable: true });
  // Several processes and threads may load sources.
  let number = ((process.pid * 16 + threadId) % 4096) * 4096;
  const known = new Map<string, { readonly code: string; readonly map: null } | null>();
  return ({ code, file, isTest }) => {
    const key = `${file}\n${code}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const first = ++number * sitesPerFile;
    const result = instrumentForTrace(file, code, sourceKindOf(file, code), first);
    const isFollowed = result.kind === "instrumented";
    const sites = isFollowed ? result.sites : [];
    writeTracedFile(folder, { path: file, isTest, first, sites, unfollowed: isFollowed ? null : result.reason });
    const changed = isFollowed ? { code: result.code, map: null } : null;
    known.set(key, changed);
    return changed;
  };
};

export default make;
