import { isatty } from "node:tty";
import {
  count,
  flag,
  type Options,
  optionalChoice,
  optionalCount,
  text,
  textOr,
  usageError,
} from "../commands/options/option.ts";
import type { Service } from "../commands/service.ts";
import { workersAndLimits } from "./limits.ts";
import { taskCommands } from "./task.ts";

const options = {
  command: optionalChoice(
    "--command <name>",
    "what to do with programs (default: verify for task definitions, otherwise explain)",
    taskCommands,
  ),
  tests: text(
    "--tests <folder>",
    "tests of the programs of a folder: NAME.in with NAME.out, in a folder for each program or in one for all",
  ),
  workers: optionalCount("--workers <count>", "number of tasks at a time (default: one for each processor)"),
  seconds: count(
    "--task-seconds <count>",
    "processor seconds that a task may take, and four times as long by the clock",
    900,
  ),
  megabytes: optionalCount("--task-megabytes <count>", "memory that a task may take (default: 4000, or what there is)"),
  store: textOr(
    "--store <folder>",
    "where results are kept; a second batch takes them from there",
    "tracefold-results",
  ),
  resumes: flag("--no-resume", "do all tasks again; earlier results stay in the store under another name"),
  queue: text("--queue <url>", "give the tasks to workers on other machines, through Redis: redis://HOST"),
  jsonl: text("--jsonl <path>", "write the results as JSON lines"),
  xml: text("--xml <path>", "write the results in BenchExec's format, for table-generator"),
  junit: text("--junit <path>", "write the results as JUnit XML, for CI servers"),
  html: text("--html <path>", "write a table for a browser, with a page for each explanation beside it"),
  diff: text("--diff <old.jsonl>", "say what is new, gone, changed, faster and slower than in an earlier --jsonl"),
  quiet: flag("--quiet", "print nothing: the exit status is the answer"),
} satisfies Options;

/** `tracefold batch`: many tasks, each with one result that is kept. */
export const batch: Service<typeof options> = {
  name: "batch",
  summary: "do many tasks: programs, tests, benchmark sets; on this machine or on many",
  argument: {
    words: "<files...>",
    help: "task definitions (.yml), set files (.set), tasks as JSON lines (.jsonl), C files, folders; options of every task come after --",
  },
  teaching: `
  tracefold batch loops.set -- --timeout 60              decide a benchmark set, and compare with its verdicts
  tracefold batch students/ --tests tests/               explain every failing test of every program
  tracefold batch crashes.jsonl --html crashes.html      explain a corpus; each line is a task:
      {"command": "explain", "files": ["parse.c"], "options": ["--stdin", "crash-1"]}
  tracefold batch nightly.jsonl --jsonl new.jsonl --diff old.jsonl
  tracefold batch huge.set --queue redis://HOST          with tracefold worker --queue redis://HOST elsewhere

Results are kept in --store as they come: the same command goes on where it was stopped. The exit status is 0 if
nothing is wrong, 1 if an answer or a program is wrong, 2 if a task has no answer, 3 if one is unknown: docs/batch.md.`,
  options,
  async serve(flags, words, own) {
    if (own.length === 0) throw usageError("batch needs tasks: files or folders");
    const { jsonl, xml, junit, html, workers, megabytes, ...rest } = flags;
    const { runBatch } = await import("./runBatch.ts");
    const { NO_COLOR: refused } = process.env;
    return runBatch({
      ...rest,
      ...workersAndLimits({ workers, megabytes, seconds: rest.seconds, queue: rest.queue }),
      words: own,
      options: words,
      colours: isatty(1) && (refused === undefined || refused === ""),
      files: { jsonl, xml, junit, html },
    });
  },
};
