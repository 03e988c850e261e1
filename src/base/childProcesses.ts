/**
 * Child processes, as numbers in shared memory: a thread may be ended before it can end its process; whoever ends the
 * thread then does it. If the list is full, the process is left to its own limits. A negative number is a process
 * group.
 */
export function addProcess(list: Int32Array | null, id: number | undefined): void {
  if (list === null || id === undefined) return;
  for (let i = 0; i < list.length; i++) if (Atomics.compareExchange(list, i, 0, id) === 0) return;
}

/** Call it as soon as the process has ended: the system reuses its number. */
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

export function endProcess(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch (error) {
    // It has already ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
