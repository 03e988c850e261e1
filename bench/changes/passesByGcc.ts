import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestFiles } from "./bugs.ts";

/** Milliseconds for one test. */
const timeout = 5_000;

/** Compiles a program and compares its outputs with the expected ones, by tokens. */
export function passesByGcc(text: string, tests: readonly TestFiles[]): boolean {
  const folder = mkdtempSync(join(tmpdir(), "changes-"));
  try {
    const [source, program] = [join(folder, "program.c"), join(folder, "program")];
    writeFileSync(source, text, "latin1");
    if (spawnSync("gcc", ["-w", "-O1", "-fwrapv", source, "-o", program, "-lm"]).status !== 0) return false;
    return tests.every(({ input, output }) => {
      const { stdout, signal } = spawnSync(program, [], { input: readFileSync(input), timeout, maxBuffer: 2 ** 26 });
      return signal === null && tokens(stdout) === tokens(readFileSync(output));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tokens(bytes: Buffer): string {
  return bytes.toString("latin1").trim().split(/\s+/).join(" ");
}
