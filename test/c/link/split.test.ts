import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadC, loadCText } from "../../../src/c/cFrontEnd.ts";
import type { Program } from "../../../src/ir/program.ts";
import { generateProgram, programChoices } from "../../support/generateProgram.ts";
import { observeRun } from "../../support/observeRun.ts";
import { type SplitFile, type SplitProgram, splitProgram } from "../../support/splitProgram.ts";
import { hasTool } from "../../support/tools.ts";

/** Names to files, by chance; `main` is not always in the first. */
function placing(seed: number, count: number): (name: string) => number {
  return (name) => [...name].reduce((hash, c) => (hash * 31 + c.charCodeAt(0)) % 65_521, seed + 7) % count;
}

async function inFolder<T>(
  { files, header }: SplitProgram,
  use: (folder: string, sources: string[]) => T | Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-split-"));
  for (const { path, text } of [...files, header]) writeFileSync(join(folder, path), text);
  try {
    return await use(
      folder,
      files.map(({ path }) => join(folder, path)),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a run did, told by the lines and texts of the program as one file. */
function behaviour(program: Program, inputs: readonly bigint[], lineOf: (file: string, line: number) => number) {
  const source = ({ index }: { index: number }) => inputs[index % inputs.length]!;
  const { outcome, stdout, inputsRead, decisions } = observeRun(program, { inputs: source, maxSteps: 5_000_000 });
  const texts = new Map(program.files.map(({ path, text }) => [path, text.split("\n")]));
  return {
    outcome:
      outcome.kind === "exit"
        ? `exit ${outcome.code}`
        : `${outcome.kind} ${"message" in outcome ? outcome.message : ""}`,
    stdout: Buffer.from(stdout).toString("latin1"),
    inputsRead,
    decisions: decisions.map(({ range, operation }) => {
      const text = texts.get(range.file)![range.line - 1]!.slice(range.column - 1, range.endColumn - 1);
      const way = operation.kind === "assume" ? operation.negated : operation.kind;
      return `${lineOf(range.file, range.line)} ${range.line === range.endLine ? text : ""} ${way}`;
    }),
  };
}

async function split(seed: number) {
  const generated = generateProgram(fc.sample(programChoices, { seed, numRuns: 1 })[0]!);
  const count = 2 + (seed % 2);
  return { generated, parts: await splitProgram(generated.text, count, placing(seed, count)) };
}

describe("a program behaves the same as one file and as several", () => {
  it.each(Array.from({ length: 5 }, (_, i) => i * 10))("agrees on programs %i to + 9", async (first) => {
    let decisions = 0;
    for (let seed = first; seed < first + 10; seed++) {
      const { generated, parts } = await split(seed);
      const { text, inputs } = generated;
      const one = behaviour(await loadCText("program.c", text, { preprocess: "builtin" }), inputs, (_, line) => line);
      const byName = new Map<string, SplitFile>([...parts.files, parts.header].map((file) => [file.path, file]));
      const loaded = await inFolder(parts, (_, sources) => loadC(sources, { preprocess: "builtin" }));
      const lineOf = (file: string, line: number) => byName.get(file.replace(/^.*\//, ""))!.lines[line - 1]!;
      const several = behaviour(loaded, inputs, lineOf);
      expect(several, `${text}\n${parts.files.map((file) => `// ${file.path}\n${file.text}`).join("\n")}`).toEqual(one);
      decisions += one.decisions.length;
    }
    expect(decisions).toBeGreaterThan(20);
  });

  it.skipIf(!hasTool("gcc")).each([3, 14, 25])("is linked by gcc after splitting: program %i", async (seed) => {
    const { generated, parts } = await split(seed);
    const stubs = ["int", "short", "char", "long"].map(
      (type) => `${type} __VERIFIER_nondet_${type}(void) { return (${type})next(); }`,
    );
    const values = generated.inputs.map((value) => `${value}L`).join(", ");
    const driver = `static long v[] = {${values}}; static long next(void) { static int i; return v[i++ % ${generated.inputs.length}]; }`;
    await inFolder(parts, (folder, sources) => {
      writeFileSync(join(folder, "whole.c"), generated.text);
      writeFileSync(join(folder, "inputs.c"), [driver, ...stubs].join("\n"));
      const build = (name: string, files: readonly string[]) =>
        execFileSync("gcc", ["-w", "-O0", "-fno-builtin", "-o", name, ...files, "inputs.c"], { cwd: folder });
      build("whole", ["whole.c"]);
      build("parts", sources);
      const run = (name: string) => {
        const { stdout, status } = spawnSync(join(folder, name), { encoding: "latin1" });
        return { stdout, status };
      };
      expect(run("parts")).toEqual(run("whole"));
    });
  });
});
