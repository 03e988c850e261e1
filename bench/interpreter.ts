import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadC } from "../src/c/cFrontEnd.ts";
import { runProgram } from "../src/interpreter/run.ts";
import { recordTrace } from "../src/interpreter/trace.ts";

/**
 * Steps a second of plain runs and of recordings, and both against the same program built by `gcc -O0` with the same
 * branches logged. The goals: at least 10 million steps a second on integer loops, recording at most twice the time, at
 * most 2.5 times the time of gcc. All times are processor time, so that other work on the machine matters little.
 */
const folder = fileURLToPath(new URL("./programs/interpreter/", import.meta.url));
const repetitions = 15;
const nativeRuns = 20;

export async function run(args: readonly string[]): Promise<void> {
  const files = readdirSync(folder).filter((file) => file.endsWith(".c"));
  const chosen = args.length === 0 ? files : files.filter((file) => args.includes(basename(file, ".c")));
  console.log("interpreter: steps a second, and time relative to gcc -O0 that logs the same branches");
  console.log("program        steps    plain/s   record/s   record/plain   plain/gcc   record/gcc   log bytes a step");
  for (const file of chosen) console.log(await measure(join(folder, file)));
  console.log(`peak resident memory: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
}

async function measure(path: string): Promise<string> {
  const program = await loadC(path);
  const options = { maxSteps: 1e12 };
  const plain = fastest(() => runProgram(program, options));
  const recording = fastest(() => recordTrace(program, options));
  const { steps, paths } = recording.result;
  const native = nativeSeconds(path, recording.result.stdout);
  const perSecond = (seconds: number) => `${(steps / seconds / 1e6).toFixed(0)} M`.padStart(9);
  const ratio = (a: number, b: number | null) => (b === null ? "-" : `${(a / b).toFixed(2)}x`);
  const bytes = paths.reduce((sum, chunk) => sum + chunk.byteLength, 0) / steps;
  return [
    basename(path, ".c").padEnd(10),
    `${(steps / 1e6).toFixed(1)} M`.padStart(9),
    perSecond(plain.seconds),
    perSecond(recording.seconds),
    ratio(recording.seconds, plain.seconds).padStart(14),
    ratio(plain.seconds, native).padStart(11),
    ratio(recording.seconds, native).padStart(12),
    bytes.toFixed(2).padStart(18),
  ].join(" ");
}

/** The least processor time of several runs, in seconds. */
function fastest<T>(work: () => T): { readonly seconds: number; readonly result: T } {
  let seconds = Number.POSITIVE_INFINITY;
  let result: T | undefined;
  for (let i = 0; i < repetitions; i++) {
    // The log of the last run must not be alive while the next one is measured.
    result = undefined;
    const start = process.cpuUsage();
    result = work();
    const { user, system } = process.cpuUsage(start);
    seconds = Math.min(seconds, (user + system) / 1e6);
  }
  return { seconds, result: result as T };
}

/** The mean processor time of some runs, as the shell measures it; null without gcc. */
function nativeSeconds(path: string, expected: Uint8Array): number | null {
  const temporary = mkdtempSync(join(tmpdir(), "tracefold-bench-"));
  try {
    const binary = join(temporary, "program");
    const compiled = spawnSync("gcc", ["-O0", "-w", "-DLOG_BRANCHES", path, "-o", binary]);
    if (compiled.status !== 0) return null;
    if (!Buffer.from(expected).equals(spawnSync(binary).stdout)) throw new Error(`${path}: the outputs differ`);
    const runs = `TIMEFORMAT='%3U %3S'; time for ((i = 0; i < ${nativeRuns}; i++)); do "${binary}" > /dev/null; done`;
    const { stderr } = spawnSync("bash", ["-c", runs], { encoding: "utf8" });
    const [user = 0, system = 0] = stderr.trim().split(" ").map(Number);
    return (user + system) / nativeRuns;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
