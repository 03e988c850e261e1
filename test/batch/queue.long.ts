import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { doWhileKilling } from "./doWhileKilling.ts";
import { isAlive, startRedis, startWorkers, until } from "./queueSupport.ts";
import { readJsonLines, startCli, temporaryFolder } from "./support.ts";

const folder = temporaryFolder();

afterAll(() => rmSync(folder, { recursive: true }));

describe("a queue, for long", () => {
  it("gives each of 1,000 tasks one result while workers are killed and Redis is restarted", async () => {
    await doWhileKilling(folder, 1000, 40, 1);
  });

  it("reports a task whose workers die three times as failed", async () => {
    const redis = await startRedis(join(folder, "dying"));
    const workers = startWorkers(redis.url, folder);
    try {
      const program = "int main(void) { volatile int x = 1; while (x) x = 1; return 0; }\n";
      writeFileSync(join(folder, "endless.c"), program);
      const task = { name: "never", command: "run", files: ["endless.c"], options: ["--max-steps", "1e15"] };
      writeFileSync(join(folder, "dying.jsonl"), JSON.stringify(task));
      const words = ["batch", "dying.jsonl", "--queue", redis.url, "--store", "dying", "--jsonl", "dying.out"];
      const batch = startCli(words, folder);
      while (isAlive(batch.child)) {
        const each = workers.start();
        let said = "";
        each.child.stderr.on("data", (text: string) => {
          said += text;
        });
        await until(() => said.includes("at a time"));
        // Longer than it takes to find what stalled.
        await new Promise((resolve) => setTimeout(resolve, 25_000));
        each.child.kill("SIGKILL");
      }
      expect((await batch.ended).status).toBe(2);
      expect(readJsonLines(join(folder, "dying.out"))[0]).toMatchObject({
        category: "failed",
        reason: "the workers that did it went away, 3 times",
      });
    } finally {
      await workers.end();
      await redis.stop();
    }
  });
});
