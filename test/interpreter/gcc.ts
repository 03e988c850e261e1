import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type NativeRun = { readonly stdout: Uint8Array; readonly stderr: Uint8Array; readonly status: number | null };

/** Compiles a C program without optimisation and runs it. */
export function runWithGcc(
  source: string,
  input: Uint8Array = new Uint8Array(0),
  args: readonly string[] = [],
  flags: readonly string[] = [],
): NativeRun {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-trace-"));
  try {
    writeFileSync(join(folder, "p.c"), source);
    // No built-ins: the library's own functions are to be compared, not gcc's folding of them.
    const options = ["-w", "-O0", "-fno-builtin", "-std=gnu11", "p.c", "-o", "p", "-lm", ...flags];
    const compiled = spawnSync("gcc", options, { cwd: folder });
    if (compiled.status !== 0) throw new Error(compiled.stderr.toString());
    const { stdout, stderr, status } = spawnSync("./p", [...args], { cwd: folder, input, maxBuffer: 1e8 });
    return { stdout, stderr, status };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
