import { type TransferListItem, Worker } from "node:worker_threads";

/**
 * Starts a worker thread from a module beside `base` (an `import.meta.url`). The built product has `name.js`; straight
 * from the sources it is `name.ts`, which the thread loads through the development dependency that compiles it.
 */
export function startThread(base: string, name: string, workerData: unknown, transferList: TransferListItem[]): Worker {
  const isSource = base.endsWith(".ts");
  const url = new URL(`${name}${isSource ? ".ts" : ".js"}`, base);
  const options = { workerData, transferList, execArgv: [], stderr: false, stdout: false };
  const worker = isSource ? new Worker(sourceLoader(url.href), { ...options, eval: true }) : new Worker(url, options);
  worker.unref();
  // The one who waits for an answer notices that none comes; nobody else listens to a thread that failed.
  worker.on("error", () => {});
  return worker;
}

function sourceLoader(url: string): string {
  return `import("tsx/esm/api").then((tsx) => { tsx.register(); return import(${JSON.stringify(url)}); });`;
}
