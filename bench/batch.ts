import { spawn, spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { nth } from "../src/base/checked.ts";
import { usageOf } from "../src/batch/pool/processUsage.ts";
import { linesIn, startRedis } from "../test/batch/queueSupport.ts";
import { temporaryFolder, writeMutants } from "../test/batch/support.ts";
import { builtCli } from "../test/support/builtCli.ts";
import { hasTool } from "../test/support/tools.ts";

/**
 * Tasks a second of `tracefold batch` on mutants of our programs: beside a shell loop of single commands on one core (aim
 * 3x), two workers beside one (1.8x), Redis beside the pool (0.9x), and the memory of its processes.
 */
export async function run(args: readonly string[]): Promise<void> {
  const given = (name: string, usual: string) =>
    args.includes(name) ? (args[args.indexOf(name) + 1] ?? usual) : usual;
  const count = Number(given("--count", "300"));
  const commands = given("--commands", "run").split(",");
  const folder = temporaryFolder();
  try {
    const tasks = await writeMutants(folder, count, commands);
    console.log(
      `${count} tasks of ${commands.join(", ")}; ${availableParallelism()} processors, load ${nth(loadavg(), 0)}`,
    );
    const pinned = spawnSync("taskset", ["--version"]).status === 0 ? "taskset -c 0 " : "";
    const loop = shellLoop(tasks, Math.min(count, 100));
    const single = rate("shell loop, one core", loop.count, timed(`${pinned}bash ${loop.path}`, folder));
    const batch = (name: string, words: string) =>
      `"${process.execPath}" "${builtCli()}" batch "${tasks}" --quiet --store ${name} ${words}`;
    const one = rate("batch, one core", count, timed(pinned + batch("a", "--workers 1"), folder));
    const free = rate("batch, one worker", count, timed(batch("b", "--workers 1"), folder));
    const two = rate("batch, two workers", count, timed(batch("c", "--workers 2"), folder));
    ratio("batch beside the shell loop, clock", one.rate / single.rate, 3);
    ratio("the same, processor time", single.processor / one.processor, 3);
    // A free worker uses more than one core: V8 compiles and collects garbage in threads of its own.
    ratio("two workers beside one on one core", two.rate / one.rate, 1.8);
    ratio("two workers beside one", two.rate / free.rate, 1.8);
    if (hasTool("redis-server")) {
      const redis = await startRedis(folder);
      const worker = spawn(process.execPath, [builtCli(), "worker", "--queue", redis.url, "--workers", "2"], {
        stdio: "ignore",
      });
      try {
        const others = () =>
          [worker.pid ?? 0, redis.id()].reduce((sum, id) => sum + (usageOf(id)?.processorSeconds ?? 0), 0);
        const before = others();
        const { seconds, processorSeconds } = timed(batch("d", `--queue ${redis.url}`), folder);
        const all = processorSeconds + others() - before;
        const queued = rate("queue, two workers", count, { seconds, processorSeconds: all });
        ratio("the queue beside the pool, clock", queued.rate / two.rate, 0.9);
        ratio("the same, processor time", two.processor / queued.processor, 0.9);
      } finally {
        worker.kill("SIGTERM");
        await redis.stop();
      }
    }
    await memory(batch("e", "--workers 2"), folder, count);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A script with the first tasks as single commands. */
function shellLoop(tasks: string, most: number) {
  const lines = readFileSync(tasks, "utf8").trim().split("\n");
  const step = Math.ceil(lines.length / most);
  const chosen = lines
    .filter((_, i) => i % step === 0)
    .map(
      (line) => JSON.parse(line) as { readonly command: string; readonly files: string[]; readonly options: string[] },
    );
  const path = join(tmpdir(), `tracefold-loop-${process.pid}.sh`);
  const words = chosen.map(({ command, files, options }) => [command, ...files, ...options].join(" "));
  const text = `while read -r words; do "${process.execPath}" "${builtCli()}" $words --format json > /dev/null 2>&1; done <<'END'\n${words.join("\n")}\nEND\nrm "$0"\n`;
  return { path: writeScript(path, text), count: chosen.length };
}

function writeScript(path: string, text: string): string {
  writeFileSync(path, text);
  return path;
}

type Measured = { readonly seconds: number; readonly processorSeconds: number };

/** The clock and the processor time of a command with all that it starts. */
function timed(command: string, cwd: string): Measured {
  const script = `TIMEFORMAT='%R %U %S'; time ${command} > /dev/null 2>&1`;
  const { stderr } = spawnSync("bash", ["-c", script], { cwd, encoding: "utf8" });
  const [real = 0, user = 0, system = 0] = (stderr.trim().split("\n").at(-1) ?? "").split(" ").map(Number);
  return { seconds: real, processorSeconds: user + system };
}

function rate(what: string, count: number, { seconds, processorSeconds }: Measured) {
  const processor = processorSeconds / count;
  console.log(
    `${what.padEnd(36)}${(count / seconds).toFixed(2).padStart(8)} tasks/s${(1000 * processor).toFixed(0).padStart(8)} ms of processor time each`,
  );
  return { rate: count / seconds, processor };
}

function ratio(what: string, value: number, aim: number) {
  console.log(`${what.padEnd(36)}${value.toFixed(2).padStart(8)}x (aim ${aim})`);
}

/** The memory of a batch with its processes, after each quarter of its tasks. */
async function memory(command: string, cwd: string, count: number): Promise<void> {
  const child = spawn("bash", ["-c", `exec ${command}`], { cwd, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const most = [0, 0, 0, 0];
  const timer = setInterval(() => {
    const quarter = Math.min(3, Math.floor((4 * linesIn(join(cwd, "e/results.jsonl"))) / count));
    most[quarter] = Math.max(nth(most, quarter), usageOf(child.pid ?? 0)?.megabytes ?? 0);
  }, 100);
  await ended;
  clearInterval(timer);
  console.log(`most memory in each quarter: ${most.map((megabytes) => `${Math.round(megabytes)} MB`).join(", ")}`);
}
