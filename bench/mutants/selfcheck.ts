import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { runTest, testsOf } from "./failingCases.ts";
import { type TestedProgram, testedPrograms } from "./programs.ts";

/** What is wrong with the programs: each passes as a whole and test by test, and compiled by gcc with its sanitizers. */
export async function selfcheck(): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-mutants-"));
  try {
    const problems: string[] = [];
    for (const program of testedPrograms()) {
      problems.push(...(await checkTests(program)), ...checkCompiled(program, join(folder, program.name)));
    }
    return problems;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function checkTests({ name, path, text }: TestedProgram): Promise<readonly string[]> {
  const program = await loadCText(path, text);
  return ["main", ...testsOf(program)].flatMap((test) => {
    const { outcome } = runTest(program, test, 10_000_000);
    return outcome.kind === "exit" && outcome.code === 0 ? [] : [`${name}: ${test} ends with ${outcome.kind}`];
  });
}

function checkCompiled({ name, path }: TestedProgram, binary: string): readonly string[] {
  const flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover"];
  const compiled = spawnSync("gcc", [...flags, path, "-lm", "-o", binary], { encoding: "utf8" });
  if (compiled.status !== 0) return [`${name}: gcc does not accept it: ${compiled.stderr.split("\n")[1] ?? ""}`];
  const run = spawnSync(binary, { encoding: "utf8" });
  return run.status === 0 ? [] : [`${name}: fails when compiled by gcc: ${run.stderr.split("\n")[0] ?? ""}`];
}
