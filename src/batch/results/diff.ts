import { TracefoldError } from "../../base/errors.ts";
import { readGiven } from "../../base/files.ts";
import { type ReportedTask, statusText } from "./batchReport.ts";

/** What is different from an earlier batch, by the names of tasks. */
export type BatchDifference = {
  readonly added: readonly string[];
  readonly gone: readonly string[];
  readonly changed: readonly { readonly name: string; readonly before: string; readonly after: string }[];
  readonly faster: readonly TimeDifference[];
  readonly slower: readonly TimeDifference[];
};

type TimeDifference = { readonly name: string; readonly before: number; readonly after: number };

/** Smaller differences in time are those of the machine. */
const leastFactor = 1.5;
const leastSeconds = 0.5;

/** Compares with the tasks that `--jsonl` wrote earlier. */
export function compareBatches(before: readonly ReportedTask[], after: readonly ReportedTask[]): BatchDifference {
  const old = new Map(before.map((task) => [task.name, task]));
  const now = new Set(after.map(({ name }) => name));
  const both = after.flatMap((task) => {
    const other = old.get(task.name);
    return other === undefined ? [] : [{ before: other, after: task }];
  });
  const times = both.map(({ before: one, after: other }) => ({
    name: other.name,
    before: workOf(one),
    after: workOf(other),
  }));
  const isMore = (a: number, b: number) => a > b * leastFactor && a - b > leastSeconds;
  return {
    added: after.filter(({ name }) => !old.has(name)).map(({ name }) => name),
    gone: before.filter(({ name }) => !now.has(name)).map(({ name }) => name),
    changed: both
      .map(({ before: one, after: other }) => ({ name: other.name, before: wordsOf(one), after: wordsOf(other) }))
      .filter((each) => each.before !== each.after),
    faster: times.filter((each) => isMore(each.before, each.after)),
    slower: times.filter((each) => isMore(each.after, each.before)),
  };
}

function workOf({ processorSeconds, seconds }: ReportedTask): number {
  return processorSeconds ?? seconds;
}

function wordsOf(task: ReportedTask): string {
  const { cause } = task;
  return cause === null ? statusText(task) : `${statusText(task)} (${cause.kind} ${cause.file}:${cause.line})`;
}

export function jsonLines(tasks: readonly ReportedTask[]): string {
  return tasks.map((task) => `${JSON.stringify(task)}\n`).join("");
}

/** Reads what `jsonLines` wrote. */
export function readBatch(path: string): readonly ReportedTask[] {
  return readGiven("--diff", path)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, i) => {
      try {
        const task = JSON.parse(line) as ReportedTask;
        if (typeof task.name === "string" && typeof task.category === "string") return task;
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
      }
      throw new TracefoldError({
        code: "TF100",
        message: `--diff: ${path}:${i + 1} is no task of an earlier batch`,
        help: "It is what tracefold batch --jsonl FILE writes.",
      });
    });
}
