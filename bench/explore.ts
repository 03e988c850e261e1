import { basename } from "node:path";
import { benchCoverage } from "./explore/coverage.ts";
import { loopPrograms } from "./explore/loopPrograms.ts";
import { decideTask, isWrongLabel, type TaskResult, tasksIn } from "./explore/publicPrograms.ts";
import { benchSpeed } from "./explore/speed.ts";
import { type Result, tableRow } from "./explore/tableOne.ts";

/** `npm run bench -- explore [--programs DIR [--cover]] [--limit SECONDS] [--only NAME]`. */
export async function run(args: readonly string[]): Promise<void> {
  const option = (name: string) => {
    const at = args.indexOf(name);
    return at < 0 ? null : (args[at + 1] ?? null);
  };
  const folder = option("--programs");
  const limit = Number(option("--limit") ?? (folder === null ? 20 : 60));
  if (folder !== null && args.includes("--cover")) return benchCoverage(folder, Number(option("--limit") ?? 10));
  if (folder !== null) return publicPrograms(folder, limit, option("--only"));
  await tableOne(limit);
  const missed = await benchSpeed(limit);
  if (missed.length > 0) {
    console.log(`missed: ${missed.join("; ")}`);
    process.exitCode = 1;
  }
}

/** The paper's Table 1, with programs of the same kind: states visited side by side, the published ones in brackets. */
async function tableOne(limit: number): Promise<void> {
  let decided = 0;
  for (const program of loopPrograms) {
    const { compact, classic } = await tableRow(program, limit, 20_000);
    const isRight = compact.status === program.expected;
    if (isRight) decided++;
    else if (compact.status !== "unknown") process.exitCode = 1;
    const cell = ({ states, status, ms }: Result, published: number) =>
      `${`${states}`.padStart(7)} (${published}) ${status.padEnd(11)} ${(ms / 1000).toFixed(1).padStart(5)} s`;
    console.log(
      `${program.name.padEnd(22)} compact ${cell(compact, program.published.compact)}  classic ${cell(classic, program.published.classic)}`,
    );
  }
  console.log(`compact decides ${decided} of ${loopPrograms.length} (the paper's tool: 10 of 13)`);
}

async function publicPrograms(folder: string, limit: number, only: string | null): Promise<void> {
  const tasks = tasksIn(folder).filter(({ path }) => only === null || new RegExp(only).test(path));
  const results: TaskResult[] = [];
  for (const task of tasks) {
    const result = await decideTask(task, limit);
    results.push(result);
    const { path, label, verdict, mode, states, applied, ms, reason } = result;
    const mark = result.isTrivial
      ? "none"
      : verdict === "unknown"
        ? "?"
        : verdict === label
          ? "ok"
          : isWrongLabel(task)
            ? "label"
            : "WRONG";
    const cells = [basename(path).padEnd(52), label.padEnd(6), verdict.padEnd(7), mark.padEnd(5), mode.padEnd(8)];
    console.log(`${cells.join(" ")} ${states} states, ${applied} templates, ${(ms / 1000).toFixed(1)} s ${reason}`);
  }
  for (const set of new Set(results.map((result) => result.set))) {
    // Without a reachable error location there is nothing to decide.
    const of = results.filter((result) => result.set === set && !result.isTrivial);
    const right = (label: "safe" | "unsafe") => {
      const all = of.filter((result) => result.label === label);
      return `${all.filter(({ verdict }) => verdict === label).length} of ${all.length} ${label}`;
    };
    const wrong = of.filter((each) => each.verdict !== "unknown" && each.verdict !== each.label && !isWrongLabel(each));
    console.log(`${set} at ${limit} s: ${right("unsafe")}, ${right("safe")}, ${wrong.length} wrong`);
    if (wrong.length > 0) process.exitCode = 1;
  }
  console.log("published (Compact Symbolic Execution, Table 2, 300 s): loops 25 of 36 unsafe, 21 of 43 safe, 0 wrong");
}
