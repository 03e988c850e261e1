import { formatError, TracefoldError } from "../base/errors.ts";
import type { Explanation } from "../commands/explain/result.ts";
import { detectRunner } from "../js/runners/detectRunner.ts";
import { openSession } from "../js/runners/session.ts";
import { type Interruption, runInGroup } from "./interruption.ts";

/** A test that fails. The name is unique within its subject. */
export type FailingTest = {
  readonly subject: TestSubject;
  /** null: the program itself fails, without tests of its own. */
  readonly name: string | null;
};

/** What was tested: the project, or C files with the options of `tracefold explain`. */
export type TestSubject =
  | { readonly kind: "project"; readonly command: readonly string[] }
  | { readonly kind: "program"; readonly words: readonly string[] };

/** All tests of a subject that fail in a folder; `problem` says why they could not be found. */
export type FoundTests = {
  readonly failing: readonly FailingTest[];
  readonly ran: number;
  /** What was counted: a C program without tests that are known counts as one. */
  readonly unit: "test" | "program";
  readonly problem: string | null;
};

export async function failingTests(
  subject: TestSubject,
  folder: string,
  interruption: Interruption,
): Promise<FoundTests> {
  try {
    return subject.kind === "project"
      ? await ofProject(subject, folder, interruption)
      : await ofProgram(subject, folder, interruption);
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    return { failing: [], ran: 0, unit: "test", problem: formatError(error) };
  }
}

async function ofProject(
  subject: TestSubject & { readonly kind: "project" },
  folder: string,
  { cancellation }: Interruption,
): Promise<FoundTests> {
  const { runner, words, launch } = detectRunner(subject.command, folder);
  const session = await openSession({ runner, root: folder, words, launch, cancellation });
  try {
    const { tests, problems } = await session.run({});
    const failed = tests.filter(({ state }) => state === "failed");
    const [problem] = problems;
    return {
      failing: failed.map(({ id: { name } }) => ({ subject, name })),
      ran: tests.filter(({ state }) => state !== "skipped").length,
      unit: "test",
      problem: problem === undefined || failed.length > 0 ? null : problem.error.message,
    };
  } finally {
    session.close();
  }
}

/** Asks `tracefold explain`, in a process of its own because its files are named from the folder. */
async function ofProgram(
  subject: TestSubject & { readonly kind: "program" },
  folder: string,
  interruption: Interruption,
): Promise<FoundTests> {
  const words = ["explain", ...subject.words.slice(0, endOf(subject.words)), "--format", "json"];
  const quick = ["--no-proof", "--no-shrink"];
  const { stdout, stderr } = await ownCommand(
    [...words, ...quick, ...subject.words.slice(endOf(subject.words))],
    folder,
    interruption,
  );
  if (!stdout.startsWith("{"))
    return { failing: [], ran: 0, unit: "program", problem: stderr.trim() || "the program cannot be run" };
  const { kind, tests } = JSON.parse(stdout) as Explanation;
  if (tests === undefined) {
    const failing = kind === "doesNotFail" ? [] : [{ subject, name: null }];
    return { failing, ran: 1, unit: "program", problem: null };
  }
  const failing = tests.list.filter(({ passes }) => !passes).map(({ name }) => ({ subject, name }));
  return { failing, ran: tests.list.length, unit: "test", problem: null };
}

/** Where the words for the program begin. */
export function endOf(words: readonly string[]): number {
  const end = words.indexOf("--");
  return end === -1 ? words.length : end;
}

/** The file that runs now is the command. */
async function ownCommand(words: readonly string[], cwd: string, interruption: Interruption) {
  const [script = ""] = process.argv.slice(1);
  const env = { ...process.env, GITHUB_ACTIONS: "" };
  const printed = { stdout: "", stderr: "" };
  await runInGroup(
    [process.execPath, ...process.execArgv, script, ...words],
    { cwd, stdio: ["ignore", "pipe", "pipe"], env },
    interruption,
    (child) => {
      for (const name of ["stdout", "stderr"] as const)
        child[name]?.setEncoding("utf8").on("data", (text: string) => {
          printed[name] += text;
        });
    },
  );
  return printed;
}

/** An error of the engine in one text. */
export function problemOf(error: Error): string {
  return error instanceof TracefoldError ? formatError(error) : `internal defect: ${error.message}`;
}
