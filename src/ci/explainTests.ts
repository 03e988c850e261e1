import { appendFileSync, mkdirSync } from "node:fs";
import { relative, resolve } from "node:path";
import { TracefoldError } from "../base/errors.ts";
import { readIfPresent, writeWhole } from "../base/files.ts";
import { openTemporaryFolder, type TemporaryFolder } from "../base/temporaryFolder.ts";
import { givenTo } from "../commands/command.ts";
import { atRevision } from "../commands/infer/baseRevision.ts";
import { infer } from "../commands/infer/command.ts";
import { exitCodes, openOutput } from "../commands/output.ts";
import { rebuildError } from "../engine/message.ts";
import { startEngine } from "../engine/startEngine.ts";
import { inferDiffText } from "../render/inferText.ts";
import { plain } from "../render/layout.ts";
import { explainTest, type TestWithExplanation } from "./explainTest.ts";
import { type FailingTest, type FoundTests, failingTests, problemOf, type TestSubject } from "./failingTests.ts";
import { endingOf, exitCodeOf, type Interruption, listenForSignals, runInGroup } from "./interruption.ts";
import {
  annotationsOf,
  headline,
  markdown,
  nameOf,
  onOneLine,
  plainText,
  type RunOfTests,
  sarifOf,
  summaryOf,
} from "./report.ts";

export type CiSettings = {
  readonly testCommand: readonly string[];
  readonly programs: readonly (readonly string[])[];
  readonly most: number;
  readonly base: string | null;
  readonly contracts: boolean;
  readonly summary: string | null;
  readonly sarif: string | null;
  readonly pages: string | null;
  readonly annotations: boolean;
  /** The file for the outputs of a step. */
  readonly output: string | null;
  readonly seconds: number;
};

/**
 * Runs the tests, explains up to `most` of those that fail, and writes what was asked for. Returns the exit code. A signal
 * ends the work; what is known by then is written, too.
 */
export async function explainTests(settings: CiSettings): Promise<number> {
  let temporary: TemporaryFolder | null = null;
  const interruption = listenForSignals(() => temporary?.remove());
  try {
    const fails = settings.testCommand.length > 0 && (await runVisibly(settings.testCommand, interruption)) !== 0;
    // After the command, which runs as it would without us.
    temporary = openTemporaryFolder("tracefold-ci-");
    return await explainFailing(settings, fails, interruption);
  } finally {
    temporary?.remove();
    interruption.close();
  }
}

async function explainFailing(settings: CiSettings, commandFails: boolean, interruption: Interruption) {
  const subjects = subjectsOf(settings);
  const found = await eachSubject(subjects, interruption, (subject) =>
    // The command itself says whether anything fails.
    subject.kind === "project" && !commandFails ? nothingFails : failingTests(subject, process.cwd(), interruption),
  );
  const failing = found.flatMap((each) => each.failing);
  const fresh = await newAgainst(settings.base, failing, subjects, interruption);
  const explained: TestWithExplanation[] = [];
  for (const test of (fresh?.tests ?? failing).slice(0, settings.most)) {
    if (interruption.signal() !== null) break;
    say(`explaining ${onOneLine(nameOf(test))}`);
    const page = pagePath(settings.pages, test, explained.length);
    explained.push(await explainTest(test, settings.seconds, page, interruption));
  }
  const compared =
    settings.contracts && settings.base !== null && interruption.signal() === null
      ? await compareContracts(settings.testCommand, settings.base, interruption)
      : null;
  const signal = interruption.signal();
  const run: RunOfTests = {
    ran: found.reduce((sum, { ran }) => sum + ran, 0),
    unit: found.some(({ unit }) => unit === "test") ? "test" : "program",
    failing,
    fresh: fresh?.tests ?? null,
    base: settings.base,
    explained,
    passed: settings.testCommand.length > 0 && !commandFails,
    notRun: found.some(({ problem }) => problem !== null),
    problems: [
      ...found.flatMap(({ problem }) => problem ?? []),
      ...(fresh?.problems ?? []),
      ...(compared?.problems ?? []),
    ],
    contracts: compared?.text ?? null,
    signal,
  };
  write(settings, run);
  if (settings.summary !== null) say(headline(run).replace("Tracefold: ", ""));
  if (signal !== null) return exitCodeOf(signal);
  // A file that cannot be loaded or a coverage limit fails, too.
  const failsOtherwise = commandFails && failing.length === 0;
  const isWrong = failsOtherwise || run.notRun || compared?.isBroken === true;
  return isWrong || (run.fresh ?? failing).length > 0 ? exitCodes.programIsWrong : exitCodes.fine;
}

function say(text: string): void {
  openOutput(2).write(`tracefold: ${text}\n`);
}

const nothingFails: FoundTests = { failing: [], ran: 0, unit: "test", problem: null };

function subjectsOf({ testCommand, programs }: CiSettings): readonly TestSubject[] {
  const project: readonly TestSubject[] = testCommand.length === 0 ? [] : [{ kind: "project", command: testCommand }];
  return [...project, ...programs.map((words) => ({ kind: "program", words }) as const)];
}

async function eachSubject(
  subjects: readonly TestSubject[],
  { signal }: Interruption,
  find: (subject: TestSubject) => FoundTests | Promise<FoundTests>,
): Promise<readonly FoundTests[]> {
  const found: FoundTests[] = [];
  for (const subject of subjects) {
    if (signal() !== null) break;
    const tests = await find(subject);
    // What a signal cut off is not known.
    if (signal() === null) found.push(tests);
  }
  return found;
}

/** Runs the command as it would run without us; its exit status says whether anything fails. */
async function runVisibly(command: readonly string[], interruption: Interruption): Promise<number> {
  try {
    return (await runInGroup(command, { stdio: ["ignore", "inherit", "inherit"] }, interruption)) ?? 1;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new TracefoldError({
      code: "TF124",
      message: `${command[0]} cannot be started: ${message}`,
      help: "Give the command that runs the tests after --, for example: tracefold ci -- npm test",
    });
  }
}

/** The failing tests that do not fail in the base; null if that is not asked for, or not known when a signal comes. */
async function newAgainst(
  base: string | null,
  failing: readonly FailingTest[],
  subjects: readonly TestSubject[],
  interruption: Interruption,
): Promise<{ readonly tests: readonly FailingTest[]; readonly problems: readonly string[] } | null> {
  if (base === null || interruption.signal() !== null) return null;
  if (failing.length === 0) return { tests: [], problems: [] };
  say(`running the tests of ${base}`);
  const before = await atRevision(base, process.cwd(), (copy) =>
    eachSubject(subjects, interruption, (subject) => failingTests(subject, copy, interruption)),
  );
  if (interruption.signal() !== null) return null;
  const key = (test: FailingTest) => `${subjects.indexOf(test.subject)} ${test.name}`;
  const known = new Set(before.flatMap((each) => each.failing).map(key));
  return {
    tests: failing.filter((test) => !known.has(key(test))),
    problems: before.flatMap(({ problem }) => (problem === null ? [] : [`in ${base}: ${problem}`])),
  };
}

function pagePath(folder: string | null, test: FailingTest, index: number): string | null {
  if (folder === null) return null;
  mkdirSync(folder, { recursive: true });
  const name = nameOf(test)
    .replaceAll(/[^\w.-]+/g, "-")
    .slice(0, 60);
  return resolve(folder, `${index + 1}-${name}.html`);
}

async function compareContracts(command: readonly string[], base: string, interruption: Interruption) {
  const request = infer.request(givenTo(infer, { words: [], programArguments: command, raw: { base } }));
  const engine = startEngine(infer, { ...request, output: null });
  try {
    const ending = await endingOf(engine, interruption);
    // Tests that did not end show less than all.
    if (interruption.signal() !== null) return null;
    if (ending.kind === "error")
      return { text: null, isBroken: false, problems: [`contracts: ${problemOf(rebuildError(ending.error))}`] };
    const diff = ending.kind === "answer" ? ending.answer.report.diff : null;
    if (diff === null) return { text: null, isBroken: false, problems: ["contracts: there is nothing to compare"] };
    return { text: inferDiffText(diff, plain).trimEnd(), isBroken: diff.gone.length > 0, problems: [] };
  } finally {
    engine.end();
  }
}

/** True if what another step or a test runner wrote before cannot run into what follows. */
function endsParagraph(path: string): boolean {
  const text = readIfPresent(path) ?? "";
  return text === "" || text.endsWith("\n\n");
}

function write({ summary, sarif, output, pages, annotations }: CiSettings, run: RunOfTests): void {
  const workspace = process.env.GITHUB_WORKSPACE ?? process.cwd();
  if (annotations) openOutput(1).write(annotationsOf(run.explained, (path) => relative(workspace, resolve(path))));
  const log = sarif === null ? null : sarifOf(run.explained);
  try {
    if (summary === null) openOutput(1).write(summaryOf(run, plainText));
    else appendFileSync(summary, `${endsParagraph(summary) ? "" : "\n"}${summaryOf(run, markdown)}`);
    if (sarif !== null && log !== null) writeWhole(sarif, `${JSON.stringify(log, null, 2)}\n`);
    if (output !== null) {
      const values = {
        failing: run.failing.length,
        new: run.fresh?.length ?? run.failing.length,
        explained: run.explained.filter(({ explanation }) => explanation?.kind === "explained").length,
        sarif: sarif !== null && log !== null ? sarif : "",
        pages: pages !== null && run.explained.some(({ page }) => page !== null) ? pages : "",
      };
      appendFileSync(
        output,
        Object.entries(values)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(""),
      );
    }
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new TracefoldError({ code: "TF133", message: `cannot write ${path ?? "the results"} (${code})` });
  }
}
