import { Worker } from "node:worker_threads";

const stuckMilliseconds = 3000;
/** A thread that waits for another process uses no time. */
const waitMilliseconds = 100;
const mostTicks = 100;
const mostMemory = 1.5e9;

type Watchdog = { tick(number: number): void; stop(): Promise<unknown> };

/** A thread that ends the process when a change makes it hang or eat memory; the change is noted. */
export function startWatchdog(output: string): Watchdog {
  const buffer = new SharedArrayBuffer(8);
  const shared = new Int32Array(buffer);
  const text = `
    const { workerData } = require("node:worker_threads");
    const { appendFileSync } = require("node:fs");
    const shared = new Int32Array(workerData.buffer);
    const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
    let [last, since, waits] = [-1, used(), 0];
    setInterval(() => {
      if (shared[1] !== last) [last, since, waits] = [shared[1], used(), 0];
      const isStuck = used() - since > ${stuckMilliseconds} || ++waits > ${mostTicks};
      if (!isStuck && process.memoryUsage.rss() < ${mostMemory}) return;
      appendFileSync(workerData.output, JSON.stringify({ kind: "stuck", number: shared[0] }) + "\\n");
      process.kill(process.pid, "SIGKILL");
    }, ${waitMilliseconds});`;
  const thread = new Worker(text, { eval: true, execArgv: [], workerData: { buffer, output } });
  thread.unref();
  return {
    tick(number) {
      shared[0] = number;
      shared[1] = (shared[1] ?? 0) + 1;
    },
    stop: () => thread.terminate(),
  };
}
