/**
 * The processes that work on our behalf, as numbers in shared memory: the thread that started one may be ended before it
 * can end the process, and then whoever ends the thread does it. A full list leaves a process to its own limits.
 */
export function addProcess(list: Int32Array | null, id: number | undefined): void {
  if (list === null || id === undefined) return;
  for (let i = 0; i < list.length; i++) if (Atomics.compareExchange(list, i, 0, id) === 0) return;
}

/** To be called as soon as the process has ended: the system gives its number to another one. */
export function removeProcess(list: Int32Array | null, id: number | undefined): void {
  if (list === null || id === undefined) return;
  for (let i = 0; i < list.length; i++) if (Atomics.compareExchange(list, i, id, 0) === id) return;
}

export function endProcesses(list: Int32Array): void {
  for (let i = 0; i < list.length; i++) {
    const id = Atomics.exchange(list, i, 0);
    if (id !== 0) endProcess(id);
  }
}

function endProcess(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
