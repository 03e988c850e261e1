/** The commands that a task may be about. */
export const taskCommands = ["explain", "verify", "explore", "run", "infer"] as const;
export type TaskCommand = (typeof taskCommands)[number];

/** One command line, as it would be given in a folder. */
export type BatchTask = CommandLine & {
  /** Unique in its batch. */
  readonly name: string;
  /** The right answer; null if nobody says. */
  readonly expected: TaskAnswer | null;
  /** Where it comes from; absent unless that is a task definition. */
  readonly definition?: TaskDefinition;
};

/** A task definition, and the one of its properties that the task is about; null if it has none. */
export type TaskDefinition = { readonly path: string; readonly property: string | null };

export type CommandLine = {
  readonly command: TaskCommand;
  /** Files and options. */
  readonly words: readonly string[];
  /** The words after `--`. */
  readonly arguments: readonly string[];
  readonly folder: string;
};

/** The answers of commands in one word each; `taskAnswers` says which command gives which. */
export type TaskAnswer =
  | "explained"
  | "passes"
  | "fails"
  | "safe"
  | "unsafe"
  | "inferred"
  | "kept"
  | "broken"
  | "unknown";

export const taskAnswers: Readonly<Record<TaskCommand, readonly TaskAnswer[]>> = {
  explain: ["explained", "passes"],
  verify: ["safe", "unsafe"],
  explore: ["passes", "fails"],
  run: ["passes", "fails"],
  infer: ["inferred", "kept", "broken"],
};

/** What cannot be a task, and why: a broken definition, a missing file. */
export type BrokenTask = { readonly name: string; readonly reason: string };

export type ReadTasks = { readonly tasks: readonly BatchTask[]; readonly broken: readonly BrokenTask[] };

/** The result of a task. It does not depend on where the task was done. */
export type TaskResult = TaskSummary & TaskUsage & { readonly key: string };

export type TaskSummary = {
  /** null if there is none: `reason` says why. */
  readonly answer: TaskAnswer | null;
  /** The exit status of the single command; null if it never ended. */
  readonly exit: number | null;
  /** Why the answer is unknown or missing. */
  readonly reason: string | null;
  /** The kind and the place of a failure, by which tasks are grouped. */
  readonly cause: FailureCause | null;
  /** The JSON of the command, compressed (gzip, base64); null without an answer. */
  readonly report: string | null;
};

export type FailureCause = {
  /** `wrong-output`, `out-of-bounds-write`. */
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  /** The statement of the first suspect; else the message of the failure. */
  readonly text: string;
};

export type TaskUsage = {
  readonly seconds: number;
  /** Of the task's process and its solvers; null where the system does not tell. */
  readonly processorSeconds: number | null;
  readonly megabytes: number | null;
  /** The number of times that it was begun. */
  readonly attempts: number;
};
