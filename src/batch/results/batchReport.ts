import { assertNever } from "../../base/errors.ts";
import type { PoolLimits } from "../pool/pool.ts";
import type { StoredResult } from "../store.ts";
import type { BatchTask, BrokenTask, FailureCause, TaskDefinition } from "../task.ts";

/** `right`, `wrong`: the answer as expected or not; `answered`: nobody expects anything; `failed`: no answer. */
export type TaskCategory = "right" | "wrong" | "answered" | "unknown" | "failed";

/** A task with its result, as tables show it. */
export type ReportedTask = {
  readonly name: string;
  readonly command: string;
  readonly category: TaskCategory;
  /** The answer in one word; null if there is none. */
  readonly answer: string | null;
  readonly expected: string | null;
  readonly reason: string | null;
  readonly cause: FailureCause | null;
  readonly seconds: number;
  readonly processorSeconds: number | null;
  readonly megabytes: number | null;
  readonly attempts: number;
  /** Absent unless a task definition says what the task is. */
  readonly definition?: TaskDefinition;
  /** The key in the store; null if the task could not be read. */
  readonly key: string | null;
  /** The page of its explanation; absent without one. */
  readonly page?: string;
};

/** Failures with the same first suspect and the same kind. */
export type FailureGroup = FailureCause & { readonly tasks: readonly string[] };

/** The result of a batch: the data of all its formats. */
export type BatchReport = {
  readonly command: "batch";
  readonly tool: { readonly name: "tracefold"; readonly version: string };
  readonly tasks: readonly ReportedTask[];
  readonly groups: readonly FailureGroup[];
  readonly limits: PoolLimits;
  /** Tasks that were not done, because the batch was stopped. */
  readonly left: number;
  /** How many results come from the store. */
  readonly reused: number;
  readonly seconds: number;
};

export function reportedTask({ name, command, expected, definition }: BatchTask, result: StoredResult): ReportedTask {
  const { answer, reason, cause, seconds, processorSeconds, megabytes, attempts, key } = result;
  const category =
    answer === null
      ? "failed"
      : answer === "unknown"
        ? "unknown"
        : expected === null
          ? "answered"
          : answer === expected
            ? "right"
            : "wrong";
  const usage = { seconds, processorSeconds, megabytes, attempts };
  const from = definition === undefined ? {} : { definition };
  return { name, command, category, answer, expected, reason, cause, ...usage, ...from, key };
}

export function reportedBroken({ name, reason }: BrokenTask): ReportedTask {
  return {
    ...{ name, command: "", category: "failed", answer: null, expected: null, reason, cause: null },
    ...{ seconds: 0, processorSeconds: null, megabytes: null, attempts: 0, key: null },
  };
}

/** Same first suspect and same kind is one group; the largest group comes first. */
export function groupsOf(tasks: readonly ReportedTask[]): readonly FailureGroup[] {
  const groups = new Map<string, { readonly cause: FailureCause; readonly tasks: string[] }>();
  for (const { name, cause } of tasks) {
    if (cause === null) continue;
    const key = JSON.stringify([cause.kind, cause.file, cause.line]);
    const group = groups.get(key) ?? { cause, tasks: [] };
    groups.set(key, group);
    group.tasks.push(name);
  }
  return [...groups.values()]
    .map(({ cause, tasks: names }) => ({ ...cause, tasks: names }))
    .sort((a, b) => b.tasks.length - a.tasks.length);
}

/** True if the answer, which nobody expected, says that the program is wrong. */
export function isBad({ category, answer }: ReportedTask): boolean {
  return category === "answered" && ["explained", "fails", "unsafe", "broken"].includes(answer ?? "");
}

/** `right`, or the answer itself where nobody says what is right. */
export function statusText(task: ReportedTask): string {
  switch (task.category) {
    case "right":
    case "wrong":
      return `${task.category}: ${task.answer}`;
    case "answered":
      return task.answer ?? "";
    case "unknown":
    case "failed":
      return task.category;
    default:
      return assertNever(task.category, "category");
  }
}
