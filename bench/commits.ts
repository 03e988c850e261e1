import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Explanation } from "../src/commands/explain/result.ts";
import { shownLines } from "./mutants/shownLines.ts";
import { runTimed } from "./tests/processorTime.ts";

/**
 * Bug-fix commits of C repositories: `cases.json` of a folder lists them, each with a folder of its name that has the
 * program before the fix and a test that fails. A line is faulty if the fix changes it, or adds code beside it.
 */
type Case = {
  readonly name: string;
  readonly commit: string;
  /** The words after `explain`. */
  readonly words: readonly string[];
  readonly truth: readonly { readonly file: string; readonly lines: readonly number[] }[];
};

const main = new URL("../dist/cli/main.js", import.meta.url).pathname;
const mostMs = 120_000;

export async function run([folder, ...names]: readonly string[]): Promise<void> {
  if (folder === undefined) throw new Error("usage: npm run bench -- commits FOLDER [NAME…]");
  const cases = JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) as readonly Case[];
  const chosen = cases.filter(({ name }) => names.length === 0 || names.includes(name));
  const results: { readonly isShown: boolean; readonly rank: number; readonly seconds: number }[] = [];
  for (const each of chosen) {
    const cwd = join(folder, each.name);
    const words = [process.execPath, main, "explain", "--format", "json", ...each.words];
    const { stdout, stderr, seconds } = await runTimed(words, cwd, mostMs);
    const { isShown, rank, outcome } = judge(each, cwd, stdout, stderr);
    results.push({ isShown, rank, seconds });
    const place = rank === 0 ? "-" : `${rank}.`;
    const cells = [each.name.padEnd(18), each.commit, isShown ? "shown" : "     ", place.padStart(4)];
    console.log(`${cells.join("  ")}  ${seconds.toFixed(1).padStart(5)} s  ${outcome}`);
  }
  const count = (is: (result: (typeof results)[number]) => boolean) => `${results.filter(is).length}`;
  const first = (most: number) => count(({ rank }) => rank > 0 && rank <= most);
  console.log(
    `of ${results.length}: on a row ${count(({ isShown }) => isShown)}, first ${first(1)}, first three ${first(3)}, ` +
      `first five ${first(5)}, more than 5 s ${count(({ seconds }) => seconds > 5)}`,
  );
}

function judge({ truth }: Case, cwd: string, stdout: string, stderr: string) {
  if (!stdout.startsWith("{")) return { isShown: false, rank: 0, outcome: stderr.trim().split("\n")[0] ?? "" };
  const explanation = JSON.parse(stdout) as Explanation;
  if (explanation.kind === "doesNotFail") return { isShown: false, rank: 0, outcome: "does not fail" };
  const isShown = truth.some(({ file, lines }) => {
    const shown = shownLines(explanation, readFileSync(join(cwd, file), "utf8"), file);
    return lines.some((line) => shown.includes(line));
  });
  const suspects = explanation.kind === "explained" ? explanation.suspects : [];
  const isFaulty = ({
    file,
    line,
    endLine,
  }: {
    readonly file: string;
    readonly line: number;
    readonly endLine: number;
  }) => truth.some((each) => each.file === file && each.lines.some((faulty) => faulty >= line && faulty <= endLine));
  const rank = 1 + suspects.findIndex(({ location }) => isFaulty(location));
  return { isShown, rank, outcome: explanation.failure?.message ?? explanation.kind };
}
