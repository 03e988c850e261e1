import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { PublishedOutcome } from "./measurePublished.ts";
import type { PaperRow } from "./paper.ts";
import { type Published, published } from "./publishedPrograms.ts";
import { compareRows, printHeader, printRow, rowSeconds } from "./row.ts";

/** The programs of the paper that are found below a folder; returns what was missed. */
export function benchPublished(folder: string, runs: number): string[] {
  if (!existsSync(folder)) return [`--programs: there is no ${folder}`];
  const files = filesBelow(folder);
  const missed: string[] = [];
  printHeader("The published programs, with inputs that were searched for");
  for (const [name, program] of Object.entries(published)) {
    const path = pathOf(files, program);
    if (path === undefined) {
      console.log(`${name}: not found`);
      missed.push(`${name}: not found`);
      continue;
    }
    for (const row of program.rows) {
      const title = program.rows.length > 1 ? `${name}, bound ${row.rounds}` : name;
      missed.push(...benchRun(title, measure(name, path, row.rounds, runs), row));
    }
    if (program.note !== undefined) console.log(`  (${program.note})`);
  }
  return missed;
}

/** In a process of its own, which can be ended whatever it does. */
function measure(name: string, path: string, rounds: number, runs: number): PublishedOutcome {
  const entry = new URL("./measurePublished.ts", import.meta.url).pathname;
  const args = [...process.execArgv, entry, name, path, `${rounds}`, `${runs}`];
  const child = spawnSync(process.execPath, args, {
    encoding: "utf8",
    timeout: rowSeconds * 1000,
    killSignal: "SIGKILL",
  });
  if (child.status === 0) return JSON.parse(child.stdout) as PublishedOutcome;
  const isLate = (child.error as NodeJS.ErrnoException | undefined)?.code === "ETIMEDOUT";
  return { problem: isLate ? `no row within ${rowSeconds} s` : `no row: ${child.stderr.trim().split("\n").at(-1)}` };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".c"))
    .sort()
    .map((path) => join(folder, path));
}

/** The version with an error; those for bit-vectors are other programs. */
function pathOf(files: readonly string[], { names }: Published): string | undefined {
  const wrong = files.filter((path) => !/[._](safe|true)[._-]|BV/.test(basename(path)));
  return names.map((name) => wrong.find((path) => name.test(basename(path)))).find((path) => path !== undefined);
}

function benchRun(title: string, outcome: PublishedOutcome, row: PaperRow): string[] {
  if ("problem" in outcome) {
    console.log(`${title.padEnd(34)} ${outcome.problem}`);
    return [`${title}: ${outcome.problem}`];
  }
  const { all, sliced: ours, rounds } = outcome;
  printRow(`${title}, ${rounds} rounds`, all, null);
  printRow("  sliced, as published", ours, row);
  const verdict = compareRows(ours, row);
  return [
    ...(ours.checked ? [] : [`${title}: the proof is not checked`]),
    ...(verdict === "worse" ? [`${title}: worse than published`] : []),
  ];
}
