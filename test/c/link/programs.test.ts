import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { loadC } from "../../../src/c/cFrontEnd.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import { hasTool } from "../../support/tools.ts";

const folder = join(import.meta.dirname, "programs");
const stdin = "3 4 5 x";

/** What gcc's linked program prints, and its status. */
async function withGcc(sources: readonly string[]): Promise<{ stdout: string; code: number }> {
  const place = await mkdtemp(join(tmpdir(), "tracefold-link-"));
  try {
    const program = join(place, "program");
    await promisify(execFile)("gcc", ["-w", "-O0", ...sources, "-o", program]);
    const { stdout, status } = spawnSync(program, { input: stdin, encoding: "utf8" });
    return { stdout, code: status! };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

describe.skipIf(!hasTool("gcc"))("programs of several files run as gcc's linked program", async () => {
  for (const name of await readdir(folder)) {
    const files = (await readdir(join(folder, name))).filter((file) => file.endsWith(".c"));
    const sources = files.map((file) => join(folder, name, file));
    it(name, async () => {
      const expected = await withGcc(sources);
      // In whatever order the files are named.
      for (const order of [sources, sources.toReversed()]) {
        const program = await loadC(order, { preprocess: "builtin" });
        const { outcome, stdout } = runProgram(program, { stdin: new TextEncoder().encode(stdin) });
        expect(outcome).toMatchObject({ kind: "exit", code: expected.code });
        expect(Buffer.from(stdout).toString()).toBe(expected.stdout);
      }
      expect(expected.stdout).not.toBe("");
    });
  }
});
