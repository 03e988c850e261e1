import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packTask, unpackTask } from "../../src/batch/queue/packedTask.ts";
import { root } from "../support/builtCli.ts";
import { hasTool } from "../support/tools.ts";
import { doWhileKilling } from "./doWhileKilling.ts";
import { freePort, linesIn, startRedis, startWorkers, until } from "./queueSupport.ts";
import { readJsonLines, runCli, startCli, temporaryFolder } from "./support.ts";

const folder = temporaryFolder();
const endless = "int main(void) { volatile int x = 1; while (x) x = 1; return 0; }\n";

function writeTasks(name: string, tasks: readonly object[]): string {
  writeFileSync(join(folder, name), tasks.map((task) => `${JSON.stringify(task)}\n`).join(""));
  return name;
}

const quick = (name: string, inputs: string) => ({
  ...{ name, command: "run", files: ["gcd.c"] },
  options: ["--inputs", inputs],
});

beforeAll(() => {
  cpSync(join(root, "examples/gcd.c"), join(folder, "gcd.c"));
  writeFileSync(join(folder, "endless.c"), endless);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("a packed task", () => {
  const line = { command: "run", arguments: [], folder } as const;
  const limits = { seconds: 10, megabytes: 500 };

  it("has all its files, below the folders that its paths go through", async () => {
    const inner = join(folder, "programs/größe");
    cpSync(join(folder, "gcd.c"), join(inner, "ggt.c"));
    cpSync(join(folder, "gcd.c"), join(folder, "programs/numbers.txt"));
    const words = ["../größe/ggt.c", "--stdin", "../numbers.txt"];
    const { packed, key } = await packTask({ ...line, words, folder: inner }, limits);
    const { line: unpacked, remove } = await unpackTask(packed, `${key}-`);
    expect(readFileSync(join(unpacked.folder, "../größe/ggt.c"), "utf8")).toContain("int main");
    expect(readFileSync(join(unpacked.folder, "../numbers.txt"), "utf8")).toContain("int main");
    remove();
    expect(existsSync(unpacked.folder)).toBe(false);
  });

  it("is refused if it needs more of this machine than its files", async () => {
    const absolute = packTask({ ...line, words: [join(folder, "gcd.c")] }, limits);
    await expect(absolute).rejects.toThrow("gcd.c is a place on this machine");
    const project = packTask({ ...line, command: "explain", words: [], arguments: ["npm", "test"] }, limits);
    await expect(project).rejects.toThrow("what is installed beside them");
  });

  it("cannot write outside of its folder, read there, run a command, or be another task than its id says", async () => {
    const { packed, key } = await packTask({ ...line, words: ["gcd.c"] }, limits);
    const id = `${key}-`;
    const files = gzipSync(JSON.stringify([["../../escaped.c", ""]])).toString("base64");
    await expect(unpackTask({ ...packed, files }, id)).rejects.toThrow("outside of its folder");
    await expect(unpackTask({ ...packed, parents: ["..", "x"] }, id)).rejects.toThrow("broken folder");
    await expect(unpackTask({ ...packed, parents: ["a/../.."] }, id)).rejects.toThrow("broken folder");
    const command = { ...packed, words: [], arguments: ["touch", "x"] };
    await expect(unpackTask(command, id)).rejects.toThrow("what is installed");
    const words = ["gcd.c", "--stdin", join(folder, "gcd.c")];
    await expect(unpackTask({ ...packed, words }, id)).rejects.toThrow("is a place on this machine");
    await expect(unpackTask({ ...packed, words: ["gcd.c", "--inputs", "1"] }, id)).rejects.toThrow("what its id says");
  });
});

describe("a queue that is not there", () => {
  it("is named, without the password", async () => {
    const tasks = writeTasks("one.jsonl", [quick("a", "1,1")]);
    const url = `redis://user:secret@127.0.0.1:${await freePort()}`;
    for (const words of [
      ["batch", tasks, "--store", "none", "--queue", url],
      ["worker", "--queue", url],
    ]) {
      const { status, stderr } = await runCli(words, folder);
      expect(status).toBe(2);
      expect(stderr).toMatch(/^TF100: --queue: there is no Redis at redis:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)\n$/);
    }
    const { status, stderr } = await runCli(["worker", "--queue", "localhost"], folder);
    expect(status).toBe(2);
    expect(stderr).toContain("localhost is no address of Redis");
  });
});

describe.skipIf(!hasTool("redis-server"))("a queue", () => {
  it("gives each of 50 tasks one result while workers are killed and Redis is restarted", async () => {
    await doWhileKilling(join(folder, "."), 50, 4, 7);
  });

  it("tells that no worker is there; two batches share tasks; a task that cannot travel has failed", async () => {
    const redis = await startRedis(join(folder, "shared"));
    const workers = startWorkers(redis.url, folder);
    try {
      const far = { name: "far", command: "run", files: [join(folder, "gcd.c")] };
      const tasks = writeTasks("shared.jsonl", [quick("a", "12,18"), quick("b", "5,7"), far]);
      const start = (store: string) =>
        startCli(["batch", tasks, "--queue", redis.url, "--store", store, "--jsonl", `${store}.jsonl`], folder);
      const both = [start("shared-1"), start("shared-2")];
      let said = "";
      both[0]?.child.stderr.on("data", (text: string) => {
        said += text;
      });
      await until(() => said.includes("no worker is there: start tracefold worker --queue"));
      workers.start();
      for (const { status } of await Promise.all(both.map(({ ended }) => ended))) expect(status).toBe(2);
      for (const store of ["shared-1", "shared-2"]) {
        const results = readJsonLines(join(folder, `${store}.jsonl`));
        expect(results.map(({ answer }) => answer)).toEqual(["passes", "passes", null]);
        expect(results[2]?.reason).toContain("is a place on this machine");
        // Without a queue it can be done.
        expect(linesIn(join(folder, store, "results.jsonl"))).toBe(2);
      }
    } finally {
      await workers.end();
      await redis.stop();
    }
  });

  it("gives the task of a worker that was stopped to another one; a killed batch goes on", async () => {
    const redis = await startRedis(join(folder, "stopped"));
    const workers = startWorkers(redis.url, folder);
    try {
      const never = { name: "never", command: "run", files: ["endless.c"], options: ["--max-steps", "1e15"] };
      const tasks = writeTasks("stopped.jsonl", [never, quick("a", "12,18")]);
      const limits = ["--task-seconds", "3", "--task-megabytes", "500"];
      const words = [
        "batch",
        tasks,
        "--queue",
        redis.url,
        "--store",
        "stopped",
        "--jsonl",
        "stopped.jsonl.out",
        ...limits,
      ];
      const batch = startCli(words, folder);
      const first = workers.start();
      const own = () => readdirSync(tmpdir()).some((name) => name.includes(`-${first.child.pid}-`));
      await until(own);
      first.child.kill("SIGTERM");
      expect((await first.ended).status).toBe(143);
      expect(own()).toBe(false);
      batch.child.kill("SIGKILL");
      await batch.ended;
      workers.start();
      const second = await runCli(words, folder);
      expect(second.status).toBe(3);
      const results = readJsonLines(join(folder, "stopped.jsonl.out"));
      expect(results.map(({ answer }) => answer)).toEqual(["unknown", "passes"]);
      expect(results[0]).toMatchObject({ attempts: 1, reason: expect.stringMatching("it took more than") });
    } finally {
      await workers.end();
      await redis.stop();
    }
  });
});
