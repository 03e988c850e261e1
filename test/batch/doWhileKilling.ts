import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { ReportedTask } from "../../src/batch/results/batchReport.ts";
import { isAlive, linesIn, startRedis, startWorkers, until } from "./queueSupport.ts";
import { readJsonLines, runCli, startCli, writeMutants } from "./support.ts";

/**
 * Does mutants of our own programs through a queue, while its workers are killed at random times and Redis is restarted
 * once; compares each result with the one of a single command, for every `step`-th task.
 */
export async function doWhileKilling(folder: string, count: number, kills: number, step: number): Promise<void> {
  const tasks = await writeMutants(folder, count, [...Array<string>(9).fill("run"), "explain"]);
  const redis = await startRedis(folder);
  const workers = startWorkers(redis.url, folder);
  const random = randomFrom(26);
  try {
    for (let i = 0; i < 3; i++) workers.start();
    const words = ["batch", tasks, "--queue", redis.url, "--store", "queue", "--jsonl", "queue.jsonl"];
    const batch = startCli(words, folder);
    let isOver = false;
    void batch.ended.then(() => {
      isOver = true;
    });
    const stored = () => linesIn(join(folder, "queue/results.jsonl"));
    for (let i = 1; i <= kills; i++) {
      const wanted = Math.floor((count * (i - random())) / (kills + 1));
      await until(() => isOver || stored() >= wanted);
      const alive = workers.all.filter(({ child }) => isAlive(child));
      alive[Math.floor(random() * alive.length)]?.child.kill("SIGKILL");
      workers.start();
      if (i === Math.ceil(kills / 2)) await redis.restart();
    }
    const { stdout, stderr, status } = await batch.ended;
    expect(status, `${stdout}${stderr}`).toBe(1);
    expect(stderr).toContain("does not answer");
    // Bad luck may hit one task three times: it has failed, and the same command does it.
    const failed = readJsonLines(join(folder, "queue.jsonl")).filter(wentAway);
    if (failed.length > 0)
      expect((await runCli(words, folder)).stdout).toContain(`${count - failed.length} from the store`);
  } finally {
    await workers.end();
    await redis.stop();
  }
  const lines = readFileSync(join(folder, "queue/results.jsonl"), "utf8").trim().split("\n");
  expect(new Set(lines.map((line) => (JSON.parse(line) as { readonly key: string }).key)).size).toBe(lines.length);
  const results = readJsonLines(join(folder, "queue.jsonl"));
  expect(results).toHaveLength(count);
  // A mutant that is no longer C has failed for every command.
  expect(results.filter(({ category, reason }) => category === "failed" && !/TF1\d\d/.test(reason ?? ""))).toEqual([]);
  await compareWithSingleCommands(folder, tasks, step);
}

const wentAway = ({ reason }: ReportedTask) => reason?.includes("went away") === true;

async function compareWithSingleCommands(folder: string, tasks: string, step: number): Promise<void> {
  const results = new Map(readJsonLines(join(folder, "queue.jsonl")).map((each) => [each.name, each]));
  const given = readFileSync(tasks, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { name: string; command: string; files: string[]; options: string[] })
    .filter((_, i) => i % step === 0);
  let next = 0;
  const compare = async () => {
    for (let each = given[next++]; each !== undefined; each = given[next++]) {
      const { name, command, files, options } = each;
      const { status, stdout, stderr } = await runCli([command, ...files, ...options, "--format", "json"], folder);
      const result = results.get(name);
      if (status === 2) {
        expect(stderr).toContain(result?.reason);
        continue;
      }
      const single = JSON.parse(stdout);
      expect(result?.answer, name).toBe(
        command === "run"
          ? ["passes", "fails", "", "unknown"][status ?? 2]
          : ({ explained: "explained", doesNotFail: "passes" }[single.kind as string] ?? "unknown"),
      );
      const place = single.suspects?.[0]?.location ?? single.failure?.location ?? single.outcome.location;
      if (result?.cause != null) expect([result.cause.file, result.cause.line], name).toEqual([place.file, place.line]);
    }
  };
  await Promise.all([compare(), compare()]);
}

/** Numbers from 0 to 1 that are the same in every run (a linear congruential generator). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
