import { readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runPool } from "./corpus/pool.ts";
import { type RunVerdict, reasonOf, type Verdict } from "./corpus/verdict.ts";

/**
 * npm run corpus -- [--list] [--timeout S] [--jobs N] DIR…
 *   The front end over every .c and .i file below the folders; a table of what became of them.
 * npm run corpus -- --run [--seed N] DIR…
 *   Each program with seeded random inputs in our interpreter and in a gcc build: the behaviour must be the same.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "boolean", default: false },
    run: { type: "boolean", default: false },
    timeout: { type: "string", default: "30" },
    jobs: { type: "string", default: "2" },
    seed: { type: "string", default: "1" },
    "data-model": { type: "string", default: "LP64" },
  },
});

type Result = { readonly path: string; readonly folder: string; readonly verdict: Verdict | RunVerdict };

async function main(): Promise<void> {
  if (positionals.length === 0) {
    console.error("usage: npm run corpus -- [--run] [--list] [--timeout S] [--jobs N] [--seed N] DIR…");
    process.exitCode = 2;
    return;
  }
  const files = positionals.flatMap((folder) =>
    sourcesBelow(folder).map((path) => ({ folder: path === folder ? dirname(path) : folder, path })),
  );
  const results = await judgeAll(files);
  printTable(results);
  printReasons(results, "rejected");
  printReasons(results, "skipped");
  for (const kind of ["crashed", "timeout", "different"]) printEach(results, kind);
  if (results.some(({ verdict }) => verdict.kind === "crashed" || verdict.kind === "different")) process.exitCode = 1;
}

function sourcesBelow(folder: string): string[] {
  if (statSync(folder).isFile()) return [folder];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[ci]$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function judgeAll(files: readonly { readonly folder: string; readonly path: string }[]): Promise<Result[]> {
  const results: Result[] = [];
  const worker = values.run ? "./corpus/runWorker.ts" : "./corpus/lowerWorker.ts";
  const options = {
    worker: fileURLToPath(new URL(worker, import.meta.url)),
    size: Number(values.jobs),
    timeoutMs: 1000 * Number(values.timeout),
  };
  const jobs = files.map((file) => ({ ...file, seed: Number(values.seed), dataModel: values["data-model"] }));
  await runPool<(typeof jobs)[number], Verdict | RunVerdict>(jobs, options, ({ folder, path }, answer) => {
    const verdict = answer.kind === "answer" ? answer.value : { ms: options.timeoutMs, message: "", ...answer };
    results.push({ folder, path, verdict });
    if (values.list)
      console.log(`${verdict.kind.padEnd(9)} ${String(verdict.ms).padStart(6)} ms  ${path}  ${detail(verdict)}`);
    else if (process.stderr.isTTY) process.stderr.write(`\r${results.length}/${files.length}`);
  });
  if (process.stderr.isTTY) process.stderr.write("\r");
  return results.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function detail(verdict: Verdict | RunVerdict): string {
  switch (verdict.kind) {
    case "lowered":
      return `${verdict.functions} functions, ${verdict.edges} edges`;
    case "rejected":
      return `${verdict.place}: ${verdict.code}: ${verdict.message}`;
    case "same":
      return `${verdict.end}, ${verdict.decisions} decisions`;
    case "skipped":
      return verdict.reason;
    case "crashed":
    case "different":
      return verdict.message;
    case "timeout":
      return "";
  }
}

function printTable(results: readonly Result[]): void {
  const kinds = values.run
    ? ["same", "different", "skipped", "crashed", "timeout"]
    : ["lowered", "rejected", "crashed", "timeout"];
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const below = relative(result.folder, result.path).split("/");
    const name = below.length > 1 ? join(result.folder, below[0]!) : result.folder;
    groups.set(name, [...(groups.get(name) ?? []), result]);
  }
  const total: [string, readonly Result[]] = ["total", results];
  const rows = [...groups, total].map(([name, members]: [string, readonly Result[]]) => [
    name,
    `${members.length}`,
    ...kinds.map((kind) => `${members.filter(({ verdict }) => verdict.kind === kind).length}`),
    `${(members.reduce((sum, { verdict }) => sum + verdict.ms, 0) / 1000).toFixed(1)} s`,
  ]);
  const header = ["folder", "files", ...kinds, "time"];
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  for (const row of [header, ...rows]) {
    console.log(row.map((text, i) => (i === 0 ? text.padEnd(widths[i]!) : text.padStart(widths[i]!))).join("  "));
  }
}

function printReasons(results: readonly Result[], kind: "rejected" | "skipped"): void {
  const reasons = new Map<string, string[]>();
  for (const { path, verdict } of results) {
    if (verdict.kind !== kind) continue;
    const reason =
      verdict.kind === "rejected" ? `${verdict.code} ${reasonOf(verdict.message)}` : reasonOf(verdict.reason);
    reasons.set(reason, [...(reasons.get(reason) ?? []), verdict.kind === "rejected" ? verdict.place : path]);
  }
  if (reasons.size > 0) console.log(`\n${kind} because`);
  for (const [reason, places] of [...reasons].sort((a, b) => b[1].length - a[1].length)) {
    console.log(`${String(places.length).padStart(6)}  ${reason}  (${places[0]})`);
  }
}

function printEach(results: readonly Result[], kind: string): void {
  const members = results.filter(({ verdict }) => verdict.kind === kind);
  if (members.length > 0) console.log(`\n${kind}`);
  for (const { path, verdict } of members) console.log(`  ${path}  ${detail(verdict)}`);
}

await main();
