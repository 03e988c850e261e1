import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Explanation } from "../../src/commands/explain/result.ts";
import { runTimed } from "../tests/processorTime.ts";
import type { Bug } from "./bugs.ts";

/** What a user sees who explains a wrong program with a folder of tests. */
export type ScreenResult = {
  readonly name: string;
  readonly status: number | null;
  /** Why there is no explanation; null if there is one. */
  readonly error: string | null;
  readonly isOnScreen: boolean;
  /** On a row, or the failing statement itself. */
  readonly isOnRow: boolean;
  readonly isFirst: boolean;
  /** The place of the faulty line among the suspects, from 1; 0 if it is none. */
  readonly rank: number;
  readonly lines: number;
  /** Processor time. */
  readonly seconds: number;
  readonly text: string;
};

export const builtCommand = join(import.meta.dirname, "../../dist/cli/main.js");
/** Wall time in milliseconds; a busy machine is slow. */
const longest = 120_000;

/** Runs the built command, as a user does. */
export async function screenOfBug(bug: Bug, command: string): Promise<ScreenResult> {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-screen-"));
  try {
    for (const { input, output } of bug.given)
      for (const path of [input, output]) copyFileSync(path, join(folder, basename(path)));
    const program = join(folder, "program.c");
    copyFileSync(bug.path, program);
    const words = [process.execPath, command, "explain", "program.c", "--tests", "."];
    const dump = join(folder, "stages");
    const { stdout, stderr, seconds, status } = await runTimed(
      [...words, "--dump", "explanation", dump],
      folder,
      longest,
    );
    const explanation = readExplanation(dump);
    const shown = linesOfScreen(stdout);
    const has = (lines: readonly number[]) => bug.lines.some((line) => lines.includes(line));
    const suspects = explanation?.kind === "explained" ? explanation.suspects : [];
    const rank = suspects.findIndex(({ location }) => has([location.line])) + 1;
    return {
      name: bug.name,
      status,
      error: explanation?.kind === "explained" ? null : (stderr || stdout).split("\n")[0]!.slice(0, 100),
      isOnScreen: has([...shown.head, ...shown.rows, ...shown.named]),
      isOnRow: has([...shown.head, ...shown.rows]),
      isFirst: rank === 1,
      rank,
      lines: stdout.trimEnd().split("\n").length,
      seconds,
      text: stdout,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readExplanation(folder: string): Explanation | null {
  try {
    return JSON.parse(readFileSync(join(folder, "10-explanation.json"), "utf8")) as Explanation;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Read from the text: rows begin with a place, `main:12` or `12`, the head with `12 |`; other lines name places. */
export function linesOfScreen(text: string) {
  const head: number[] = [];
  const rows: number[] = [];
  const named: number[] = [];
  for (const line of text.split("\n")) {
    const [, atHead] = /^ *(\d+) \|/.exec(line) ?? [];
    const [, onRow] = /^ {3}(?:[\w.]+:)?(\d+) {2}/.exec(line) ?? [];
    if (atHead !== undefined) head.push(Number(atHead));
    else if (onRow !== undefined) rows.push(Number(onRow));
    else if (/^( {2}-->|what if:|also:| {8})/.test(line))
      for (const [, number] of line.matchAll(/(?:\b\w+:|\| {2})(\d+)\b/g)) named.push(Number(number));
  }
  return { head, rows, named };
}

export function screensTable(results: readonly ScreenResult[]): string {
  const count = (matches: (result: ScreenResult) => boolean) =>
    `${results.filter(matches).length} of ${results.length}`;
  const at = (values: readonly number[], part: number) =>
    values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))];
  const lines = results.map((result) => result.lines);
  const seconds = results.map((result) => result.seconds);
  return [
    `answered                              ${count(({ error }) => error === null)}`,
    `exit 70                               ${count(({ status }) => status === 70)}`,
    `faulty line on the screen             ${count(({ isOnScreen }) => isOnScreen)}`,
    `faulty line on a row or failing       ${count(({ isOnRow }) => isOnRow)}`,
    `faulty line is the first suspect      ${count(({ isFirst }) => isFirst)}`,
    `among the first three                 ${count(({ rank }) => rank > 0 && rank <= 3)}`,
    `among the first five                  ${count(({ rank }) => rank > 0 && rank <= 5)}`,
    `lines, median / 90 % / most           ${[0.5, 0.9, 1].map((part) => at(lines, part)).join(" / ")}`,
    `processor time, median / 90 % / most  ${[0.5, 0.9, 1].map((part) => at(seconds, part)?.toFixed(1)).join(" / ")} s`,
  ].join("\n");
}
