import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { entryPath } from "../runners/entries.ts";
import type { TestId, TestRun } from "../runners/runner.ts";
import type { RunnerSession } from "../runners/session.ts";
import type { SurveyedFile, SurveyOptions } from "./surveyWorker.ts";

/** Which functions the tests reach, by test file; files that are missing may reach any. */
export type Survey = {
  readonly run: TestRun;
  readonly files: readonly SurveyedFile[];
  /** Milliseconds of processor time of the runs, if it is known. */
  readonly work?: number;
};

/** Runs tests and notes the functions that each enters. `wanted` is a part of the name of the test to explain. */
export async function surveyTests(
  session: RunnerSession,
  files: readonly string[] | null,
  wanted: string | null = null,
): Promise<Survey> {
  const before = session.work();
  const survey = await surveyRuns(session, files, wanted);
  return { ...survey, work: session.work() - before };
}

async function surveyRuns(
  session: RunnerSession,
  files: readonly string[] | null,
  wanted: string | null,
): Promise<Survey> {
  if (session.runner !== "node:test") return surveyFiles(session, files);
  // With hooks each of its files needs a process and takes its turn: only files with failing tests are surveyed.
  const plain = await session.run({ files });
  const failed = plain.tests.filter(({ state }) => state === "failed").map(({ id }) => id);
  const isWanted = ({ name }: TestId) => wanted !== null && name.includes(wanted);
  const failing = new Set([...failed.filter(isWanted), ...failed].map(({ file }) => file));
  if (failing.size === 0) return { run: plain, files: [] };
  const survey = await surveyFiles(session, [...failing].slice(0, mostSurveyed));
  const known = new Set(survey.run.tests.map(({ id }) => id.file));
  const others = plain.tests.filter(({ id }) => !known.has(id.file));
  return { ...survey, run: { tests: [...survey.run.tests, ...others], problems: plain.problems } };
}

const mostSurveyed = 4;

async function surveyFiles(session: RunnerSession, files: readonly string[] | null): Promise<Survey> {
  const isSurvey = (name: string) => name.startsWith("survey-");
  const before = new Set(readdirSync(session.folder).filter(isSurvey));
  const options: SurveyOptions = { folder: session.folder };
  const run = await session.run({
    files,
    transform: entryPath("surveyTransform"),
    hooks: entryPath("surveyWorker"),
    options,
  });
  const written = readdirSync(session.folder).filter((name) => isSurvey(name) && !before.has(name));
  return { run, files: written.map((name) => JSON.parse(readFileSync(join(session.folder, name), "utf8"))) };
}
