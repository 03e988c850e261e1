import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { type TransferListItem, Worker } from "node:worker_threads";

/**
 * Starts a worker thread from a module beside `base` (an `import.meta.url`). The built product has `name.js`; straight
 * from the sources it is `name.ts`, which a development dependency compiles first.
 */
export function startThread(base: string, name: string, workerData: unknown, transferList: TransferListItem[]): Worker {
  const isSource = base.endsWith(".ts");
  const url = new URL(`${name}${isSource ? ".ts" : ".js"}`, base);
  const options = { workerData, transferList, execArgv: [], stderr: false, stdout: false };
  const worker = new Worker(isSource ? compiled(url) : url, options);
  worker.unref();
  // The one who waits for an answer notices that none comes; nobody else listens to a thread that failed.
  worker.on("error", () => {});
  return worker;
}

/** Compiled once for all threads: a thread that compiles its own module takes ten times as long to start. */
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
  const url = new URL(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`);
  compiledModules.set(source.href, url);
  return url;
}
