import { accessSync, constants, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type TransferListItem, Worker } from "node:worker_threads";
import type { Cancellation } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import { assertNever, TracefoldError } from "../../base/errors.ts";
import { isSystemError } from "../../base/files.ts";
import type { Limits } from "../solver.ts";
import type { Backend, BackendName, SolverConnection } from "./backend.ts";
import { connectWorker, createWorkerCaller } from "./workerConnection.ts";

/** A solver process that needs more gives up with an error. */
const processMegabytes = 3000;

const common =
  "(set-option :print-success false)(set-option :produce-models true)(set-option :produce-unsat-assumptions true)";

/** Z3 as a process. It gets the time limit too, so that it ends even if its owner died. */
export function z3Backend(executable: string, megabytes: number = processMegabytes): Backend {
  return {
    name: "z3",
    options: common,
    identity: "Z3",
    limitCommands: ({ resources, milliseconds }) =>
      `(set-option :rlimit ${resources})(set-option :timeout ${milliseconds > 0 ? milliseconds : 4294967295})`,
    open: (_, cancellation) => openProcess(executable, ["-in", `-memory:${megabytes}`], cancellation),
  };
}

/** cvc5 as a process. Its limits can only be set at the start, the memory limit only by the shell. */
export function cvc5Backend(executable: string, megabytes: number = processMegabytes): Backend {
  return {
    name: "cvc5",
    options: `${common}(set-logic ALL)`,
    identity: "cvc5",
    limitCommands: null,
    open: (limits, cancellation) => {
      const args = ["--lang=smt2", "--incremental", ...cvc5Limits(limits)];
      if (process.platform === "win32") return openProcess(executable, args, cancellation);
      return openProcess("/bin/sh", ["-c", limitedMemory(megabytes), executable, ...args], cancellation);
    },
  };
}

/** A shell prefix that limits the memory of the command after it, if the system supports that. */
function limitedMemory(megabytes: number): string {
  const limit = `ulimit -v ${megabytes * 1024}`;
  return `(${limit}) 2>/dev/null && ${limit}; exec "$0" "$@"`;
}

function cvc5Limits({ resources, milliseconds }: Limits): string[] {
  const result: string[] = [];
  if (resources > 0) result.push(`--rlimit-per=${resources}`);
  if (milliseconds > 0) result.push(`--tlimit-per=${milliseconds}`);
  return result;
}

function openProcess(executable: string, args: readonly string[], cancellation: Cancellation): SolverConnection {
  const caller = createWorkerCaller(
    (setup, transferList) =>
      startThread(
        import.meta.url,
        "processWorker",
        { ...setup, executable, arguments: args, processes: cancellation.processes },
        transferList,
      ),
    cancellation,
  );
  return connectWorker(caller, 1000);
}

/** The module's memory is fixed at 2 GB; a lower limit gives an error instead of an abort. */
const wasmMegabytes = 1700;

/** Z3 as WebAssembly, in a thread. It has no timers, so the caller enforces the time limit by ending the thread. */
export function wasmBackend(megabytes: number = wasmMegabytes): Backend {
  return {
    name: "wasm",
    options: "(set-option :produce-models true)(set-option :produce-unsat-assumptions true)",
    identity: "Z3",
    limitCommands: ({ resources }) => `(set-option :rlimit ${resources})`,
    open: (_, cancellation) =>
      connectWorker(
        createWorkerCaller(
          (setup, transferList) => startThread(import.meta.url, "wasmWorker", { ...setup, megabytes }, transferList),
          cancellation,
        ),
        0,
      ),
  };
}

/** The first executable of that name on a search path, or null. A name with a separator is a path. */
export function findExecutable(name: string, searchPath: string = process.env.PATH ?? ""): string | null {
  const candidates =
    isAbsolute(name) || name.includes("/")
      ? [resolve(name)]
      : searchPath
          .split(delimiter)
          .flatMap((folder) => (folder === "" ? [] : suffixes.map((s) => join(folder, name + s))));
  return candidates.find(isExecutable) ?? null;
}

const suffixes = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return false;
  }
}

/**
 * Starts a worker thread from a module beside `base` (an `import.meta.url`): `name.js` in the built product, or
 * `name.ts` in the sources, which a development dependency compiles first.
 */
export function startThread(base: string, name: string, workerData: unknown, transferList: TransferListItem[]): Worker {
  const isSource = base.endsWith(".ts");
  const url = new URL(`${name}${isSource ? ".ts" : ".js"}`, base);
  const options = { workerData, transferList, execArgv: [], stderr: false, stdout: false };
  const worker = new Worker(isSource ? compiled(url) : url, options);
  worker.unref();
  // The caller notices that no answer comes; nobody else listens.
  worker.on("error", () => {});
  return worker;
}

/** Compiled once for all threads: compiling in each would make its start ten times slower. */
const compiledModules = new Map<string, URL>();

function compiled(source: URL): URL {
  const known = compiledModules.get(source.href);
  if (known !== undefined) return known;
  const { buildSync } = createRequire(import.meta.url)("esbuild") as typeof import("esbuild");
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(source)],
    ...{ bundle: true, packages: "external", platform: "node", format: "esm", write: false },
    define: { "import.meta.url": JSON.stringify(source.href) },
  });
  const url = new URL(`data:text/javascript,${encodeURIComponent(nth(outputFiles, 0).text)}`);
  compiledModules.set(source.href, url);
  return url;
}

/** `auto`: a native z3 if installed, else the embedded solver. */
export type BackendChoice = "auto" | BackendName;

/**
 * The back ends to try in order: the first that identifies itself correctly is used. Naming one that is not installed
 * is an input error. `searchPath` is for executables; `megabytes` limits a solver's memory.
 */
export function findBackends(
  choice: BackendChoice,
  { searchPath, megabytes }: { readonly searchPath?: string | undefined; readonly megabytes?: number | undefined } = {},
): readonly [Backend, ...Backend[]] {
  switch (choice) {
    case "wasm":
      return [wasmBackend(megabytes)];
    case "auto": {
      const path = findExecutable("z3", searchPath);
      return path === null ? [wasmBackend(megabytes)] : [z3Backend(path, megabytes), wasmBackend(megabytes)];
    }
    case "z3":
      return [z3Backend(require("z3"), megabytes)];
    case "cvc5":
      return [cvc5Backend(require("cvc5"), megabytes)];
    default:
      return assertNever(choice);
  }

  function require(name: string): string {
    const path = findExecutable(name, searchPath);
    if (path !== null) return path;
    throw new TracefoldError({
      code: "TF192",
      message: `no executable ${name} on the search path`,
      help: "Install it, or use --solver wasm, which needs no installation.",
    });
  }
}
