import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What Coq says about a file. */
export function coqc(text: string): { readonly status: number | null; readonly output: string } {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-coq-"));
  try {
    writeFileSync(join(folder, "proof.v"), text);
    // A net for what hangs: a process that is waited for like this cannot be ended by the test runner.
    const options = { cwd: folder, encoding: "utf8", timeout: 900_000 } as const;
    const { status, stdout, stderr } = spawnSync("coqc", ["proof.v"], options);
    return { status, output: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
