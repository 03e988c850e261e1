import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { nth } from "../../src/base/checked.ts";
import { readJsonLines, runCli, temporaryFolder, writeMutants } from "./support.ts";

const folder = temporaryFolder();

afterAll(() => rmSync(folder, { recursive: true }));

describe("tracefold batch, for long", () => {
  it("keeps its processes small over 1,000 tasks", async () => {
    const tasks = await writeMutants(folder, 1000, ["run"]);
    await runCli(["batch", tasks, "--store", "store", "--jsonl", "results.jsonl", "--workers", "1"], folder);
    const sizes = readJsonLines(join(folder, "results.jsonl")).map(({ megabytes }) => megabytes ?? 0);
    expect(sizes).toHaveLength(1000);
    const median = (part: readonly number[]) =>
      nth(
        part.toSorted((a, b) => a - b),
        part.length >> 1,
      );
    expect(median(sizes.slice(900))).toBeLessThan(median(sizes.slice(100, 200)) + 60);
  });
});
