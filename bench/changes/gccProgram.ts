import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestFiles } from "./bugs.ts";

/** Milliseconds for one test. */
const timeout = 5_000;

/** `plain`: as on the judge's machine. `sanitized`: undefined behaviour that gcc finds ends the program. */
const flags = {
  plain: ["-w", "-O1", "-fwrapv"],
  sanitized: ["-w", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
} as const;

export type TestOutcome = { readonly passes: boolean; readonly message: string };

/** A program that gcc compiled. Outputs are compared by tokens; the tests say nothing about the exit status. */
export type GccProgram = { readonly run: (test: TestFiles) => TestOutcome };

/** Compiles a text, and lets `use` run it; null if the text does not compile. */
export function withGcc<T>(text: string, mode: keyof typeof flags, use: (program: GccProgram) => T): T | null {
  const folder = mkdtempSync(join(tmpdir(), "changes-"));
  try {
    const [source, program] = [join(folder, "program.c"), join(folder, "program")];
    // The programs were written for Windows, too, where `%I64d` is the format of `long long`.
    writeFileSync(source, text.replaceAll("%I64", "%ll"), "latin1");
    if (spawnSync("gcc", [...flags[mode], source, "-o", program, "-lm"]).status !== 0) return null;
    return use({ run: (test) => outcomeOf(program, mode, test) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function outcomeOf(program: string, mode: keyof typeof flags, { input, output }: TestFiles): TestOutcome {
  const { stdout, stderr, signal } = spawnSync(program, [], {
    input: readFileSync(input),
    timeout,
    maxBuffer: 2 ** 26,
    env: { ASAN_OPTIONS: "detect_leaks=0" },
  });
  if (signal !== null) return { passes: false, message: `ended by ${signal}` };
  const isSame = tokens(stdout) === tokens(readFileSync(output));
  if (mode === "plain") return { passes: isSame, message: "" };
  const error = /runtime error: .*|ERROR: .*/.exec(stderr.toString("latin1"))?.[0];
  if (error !== undefined) return { passes: false, message: error };
  return { passes: isSame, message: isSame ? "" : "other output" };
}

function tokens(bytes: Buffer): string {
  return bytes.toString("latin1").trim().split(/\s+/).join(" ");
}
