import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export type Finished = {
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  readonly status: number | null;
};

const pause = 100;
const ticksPerSecond = 100;

/** Runs a command; the processor time is that of all processes below it, also of those that are killed. */
export function runTimed(words: readonly string[], cwd: string, most: number): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const [name = "", ...rest] = words;
    const child = spawn(name, rest, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    const ticks = new Map<number, number>([[child.pid ?? 0, 0]]);
    const before = ticksOfEnded();
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (text: Buffer) => {
      output.stdout += text.toString();
    });
    child.stderr.on("data", (text: Buffer) => {
      output.stderr += text.toString();
    });
    const watch = setInterval(() => noteTicks(ticks), pause);
    const limit = setTimeout(() => child.kill("SIGTERM"), most);
    child.on("error", reject);
    child.on("close", (status) => {
      clearInterval(watch);
      clearTimeout(limit);
      const sum = [...ticks.values()].reduce((a, b) => a + b, 0);
      // Samples miss the last moments of a process; the system forgets processes that nobody waited for.
      resolve({ ...output, status, seconds: Math.max(sum, ticksOfEnded() - before) / ticksPerSecond });
    });
  });
}

/** The processor time of all processes that this one waited for, directly or through others. */
function ticksOfEnded(): number {
  const fields = statOf(process.pid);
  return Number(fields?.[13] ?? 0) + Number(fields?.[14] ?? 0);
}

/** Adds processes whose parents are known. A process that has lost its parent stays known. */
function noteTicks(ticks: Map<number, number>): void {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
  for (const id of processes) {
    const fields = statOf(id);
    if (fields === null) continue;
    const [parent, user, system] = [Number(fields[1]), Number(fields[11]), Number(fields[12])];
    if (ticks.has(id) || ticks.has(parent)) ticks.set(id, Math.max(ticks.get(id) ?? 0, user + system));
  }
}

/** What follows the name in parentheses; null if the process has ended. */
function statOf(id: number): readonly string[] | null {
  try {
    return readFileSync(`/proc/${id}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || (error as NodeJS.ErrnoException).code === "ESRCH")
      return null;
    throw error;
  }
}
