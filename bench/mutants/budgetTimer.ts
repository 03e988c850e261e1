import { Worker } from "node:worker_threads";

const waiting = `
const { workerData } = require("node:worker_threads");
setTimeout(() => Atomics.store(workerData.flag, 0, 1), workerData.milliseconds);
`;

export type BudgetTimer = {
  /** 0 until the time is up. */
  readonly flag: Int32Array;
  readonly stop: () => void;
};

/** An explanation keeps its thread: another one looks at the clock. */
export function startBudgetTimer(milliseconds: number): BudgetTimer {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(waiting, { eval: true, workerData: { flag, milliseconds } });
  return { flag, stop: () => void worker.terminate() };
}
