import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { DataModelName } from "../../src/ir/type.ts";

const run = promisify(execFile);
const driver = join(dirname(fileURLToPath(import.meta.url)), "gccDriver.c");

/** A program for gcc, with its branches instrumented (`instrumentBranches.ts`). Programs with the same text share it. */
export type OracleProgram = {
  readonly text: string;
  readonly inputs: readonly bigint[];
  /** Names with file scope, `main` among them: they are renamed, so that programs can share a file. Null: it is alone. */
  readonly topLevel: readonly string[] | null;
  readonly stdin?: string;
};

export type Decision = { readonly site: number; readonly value: bigint };

export type OracleRun = {
  readonly end:
    | { readonly kind: "exit"; readonly code: number }
    | { readonly kind: "signal"; readonly signal: number }
    | { readonly kind: "undefined-behaviour"; readonly message: string }
    /** The condition of a `tf_check` was false. */
    | { readonly kind: "check"; readonly number: number }
    | { readonly kind: "assumption" | "error-location" | "assertion" | "inputs-exhausted" };
  /** Where it ended, as far as the sanitizers, `assert` and `tf_at` say. */
  readonly line: number | null;
  readonly stdout: Buffer;
  readonly decisions: readonly Decision[];
  readonly inputsRead: number;
};

export type OracleOptions = {
  readonly dataModel: DataModelName;
  /** With `-fsanitize=…`, which ends the run at the first undefined operation that it sees. */
  readonly sanitize: "undefined" | "address,undefined";
  /** Start over when the inputs are used up, rather than end the run. */
  readonly cycleInputs: boolean;
  readonly arguments?: readonly string[];
  /** Definitions for functions that the programs only declare; each calls `tf_next` for its result. */
  readonly stubs?: string;
  /** Functions that are still undefined do nothing, rather than being an error. */
  readonly ignoreUndefined?: boolean;
  /** Processor time for one program. */
  readonly seconds?: number;
};

const addressOptions = "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=256";

/** Builds the programs in one go and runs each in a process of its own. Throws what gcc says when it rejects one. */
export async function runWithGcc(programs: readonly OracleProgram[], options: OracleOptions): Promise<OracleRun[]> {
  const folder = await mkdtemp(join(tmpdir(), "tracefold-gcc-"));
  try {
    await build(folder, programs, options);
    for (const [k, program] of programs.entries()) {
      if (program.stdin !== undefined) await writeFile(join(folder, `${k}.in`), program.stdin);
    }
    const { stdout } = await run("./batch", [...(options.arguments ?? [])], {
      cwd: folder,
      timeout: 300_000,
      env: { ...process.env, TF_SECONDS: `${options.seconds ?? 10}`, ASAN_OPTIONS: addressOptions },
    });
    const lines = stdout.trimEnd().split("\n");
    return await Promise.all(lines.map((line) => readRun(folder, line)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function build(folder: string, programs: readonly OracleProgram[], options: OracleOptions): Promise<void> {
  await writeFile(join(folder, "batch.c"), batchText(programs, options.cycleInputs));
  const flags = ["-w", "-O0", "-std=gnu11", "-pipe"];
  if (programs.some(({ topLevel }) => topLevel === null)) flags.push("-DTF_OWN_MAIN");
  if (options.dataModel === "ILP32") flags.push("-m32", "-msse2", "-mfpmath=sse");
  const checks = [`-fsanitize=${options.sanitize}`, "-fno-sanitize-recover=all"];
  // The places of bad accesses are in what is written for debuggers.
  if (options.sanitize !== "undefined") checks.push("-g1");
  const compile = (stubs: string) => compileAll(folder, [...flags, ...checks], stubs);
  const stubs = `long long tf_next(void);\n${options.stubs ?? ""}`;
  try {
    await compile(stubs);
  } catch (error) {
    const missing = undefinedNames(error);
    if (!options.ignoreUndefined || missing.length === 0) throw error;
    await compile(`${stubs}${missing.map((name) => `void ${name}(void) {}\n`).join("")}`);
  }
}

async function compileAll(folder: string, flags: readonly string[], stubs: string): Promise<void> {
  await writeFile(join(folder, "stubs.c"), stubs);
  const sources = ["batch.c", driver, "stubs.c"];
  await run("gcc", [...flags, "-fno-builtin", ...sources, "-o", "batch", "-lm"], { cwd: folder, timeout: 600_000 });
}

function undefinedNames(error: unknown): string[] {
  const text = String((error as { stderr?: string }).stderr ?? "");
  const names = [...text.matchAll(/undefined reference to `(\w+)'/g)].map((match) => match[1]!);
  return [...new Set(names)];
}

function batchText(programs: readonly OracleProgram[], cycleInputs: boolean): string {
  const parts = [
    "int tf_branch(int, int);",
    "void tf_switch(int, long long);",
    "void tf_reached(void);",
    "void tf_at(int);",
    "void tf_check(int, int);",
    "#define tf_select(site, e) __extension__({ __typeof__(+(e)) tf_v = (e); tf_switch(site, (long long)tf_v); tf_v; })",
  ];
  const first = programs.map(({ text }) => programs.findIndex((other) => other.text === text));
  for (const [k, { text, topLevel: names, inputs }] of programs.entries()) {
    const topLevel = first[k] === k ? (names ?? []) : [];
    parts.push(...topLevel.map((name) => `#define ${name} p${k}_${name}`));
    if (first[k] === k) parts.push('#line 1 "program.c"', text);
    parts.push(...topLevel.map((name) => `#undef ${name}`));
    parts.push(`static const long long tf_inputs_${k}[] = {${[...inputs, 0n].map(inputText).join(", ")}};`);
  }
  const rows = programs.map(({ inputs, topLevel }, k) => {
    const main = topLevel === null ? "0" : `(int (*)(int, char **))p${first[k]}_main`;
    return `{${main}, tf_inputs_${k}, ${inputs.length}}`;
  });
  parts.push("struct tf_program { int (*main)(int, char **); const long long *inputs; int count; };");
  parts.push(`struct tf_program tf_programs[] = {${rows.join(", ")}};`);
  parts.push(`int tf_program_count = ${programs.length};`, `int tf_cycle_inputs = ${cycleInputs ? 1 : 0};`);
  return `${parts.join("\n")}\n`;
}

function inputText(value: bigint): string {
  return `(long long)${BigInt.asUintN(64, value)}ull`;
}

async function readRun(folder: string, line: string): Promise<OracleRun> {
  const [k, how, number, inputs] = line.split(" ");
  const [stdout, stderr, log] = await Promise.all(
    ["out", "err", "log"].map((extension) => readFile(join(folder, `${k}.${extension}`))),
  );
  const decisions: Decision[] = [];
  for (let at = 0; at < log!.length; at += 16) {
    decisions.push({ site: Number(log!.readBigInt64LE(at)), value: log!.readBigInt64LE(at + 8) });
  }
  const said = stderr!.toString("latin1");
  const error = /runtime error: (.*)/.exec(said) ?? /ERROR: AddressSanitizer: (.*)/.exec(said);
  const end = error
    ? ({ kind: "undefined-behaviour", message: error[1]! } as const)
    : ending(how!, Number(number), said);
  const place = /program\.c:(\d+)/.exec(said);
  return {
    end,
    line: place === null ? null : Number(place[1]),
    stdout: stdout!,
    decisions,
    inputsRead: Number(inputs),
  };
}

function ending(how: string, number: number, said: string): OracleRun["end"] {
  if (how === "killed") return { kind: "signal", signal: number };
  if (how === "exhausted") return { kind: "inputs-exhausted" };
  if (number === 201) return { kind: "assumption" };
  if (number === 202) return { kind: "error-location" };
  if (number === 203) return { kind: "assertion" };
  if (number === 204) return { kind: "check", number: Number(/check (\d+)/.exec(said)?.[1]) };
  return { kind: "exit", code: number };
}
