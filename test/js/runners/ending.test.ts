import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { digestOf, writeProject } from "./fixture.ts";

const source = (path: string) => JSON.stringify(fileURLToPath(new URL(`../../../src/${path}`, import.meta.url)));

const root = writeProject({
  "package.json": `{ "type": "module" }`,
  "endless.test.js": `import { it } from "vitest";
it("does not end", () => { for (;;); });`,
});

/** The processes that work in the project. */
function processes(): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === root;
    } catch (error) {
      // It has ended, or it belongs to somebody else.
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return false;
    }
  });
}

async function until(condition: () => boolean): Promise<boolean> {
  for (let i = 0; i < 200 && !condition(); i++) await wait(100);
  return condition();
}

describe.runIf(process.platform === "linux")("processes of a runner", () => {
  const before = digestOf(root);

  afterAll(() => rmSync(root, { recursive: true }));

  it.each(["SIGTERM", "SIGINT", "SIGKILL"] as const)(
    "end when Tracefold gets %s in the middle of a run",
    async (signal) => {
      const script = join(root, "..", `run-${process.pid}-${signal}.mts`);
      writeFileSync(
        script,
        `import { openSession } from ${source("js/runners/session.ts")};
import { neverCancelled } from ${source("base/cancellation.ts")};
const session = await openSession({
  runner: "vitest", root: ${JSON.stringify(root)}, words: [], cancellation: neverCancelled,
});
await session.run({});`,
      );
      const tsx = createRequire(import.meta.url).resolve("tsx");
      const child = spawn(process.execPath, ["--import", tsx, script], { stdio: "ignore" });
      // The driver, and its worker.
      expect(await until(() => processes().length >= 2)).toBe(true);
      await wait(300);
      child.kill(signal);
      await once(child, "exit");
      expect(await until(() => processes().length === 0)).toBe(true);
      expect(digestOf(root)).toBe(before);
      rmSync(script);
    },
  );
});
