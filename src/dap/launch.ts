import { TracefoldError } from "../base/errors.ts";
import { givenTo, optionsOf } from "../commands/command.ts";
import { explain } from "../commands/explain/command.ts";
import type { Explained } from "../commands/explain/result.ts";
import type { Option, Raw } from "../commands/options/option.ts";
import { rebuildError } from "../engine/message.ts";
import { type Engine, startEngine } from "../engine/startEngine.ts";
import { lastExecutionOn } from "../recording/navigate.ts";
import { openRecording } from "../recording/openRecording.ts";
import { createTimeline, type Timeline } from "./timeline.ts";

/** What a client gives to start: a C program, or a test of a project. */
export type LaunchSettings = {
  readonly cwd?: string;
  /** The C files of the program. */
  readonly program?: string | readonly string[];
  readonly args?: readonly string[];
  /** The command that runs the tests of a project. */
  readonly testCommand?: string | readonly string[];
  readonly test?: string;
  /** Further options of `tracefold explain`, without dashes: `{ "stdin": "in.txt", "expect-exit": "2" }`. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly stopOnEntry?: boolean;
};

/** A failing run that was recorded. */
export type RecordedFailure = {
  readonly explanation: Explained;
  readonly sources: ReadonlyMap<string, string>;
  readonly timeline: Timeline;
};

type Answer = Awaited<ReturnType<typeof explain.work>>;

export type RunningLaunch = {
  readonly run: Promise<RecordedFailure>;
  /** Ends the work at once. */
  end(): void;
};

/** Explains the failing run in the engine's thread, and keeps its recording. */
export function launchRun(settings: LaunchSettings, progress: (phase: string) => void): RunningLaunch {
  if (settings.cwd !== undefined) process.chdir(settings.cwd);
  const request = { ...explain.request(givenTo(explain, givenBy(settings))), withRecording: true };
  const engine = startEngine(explain, request, undefined, progress);
  return { run: failingRun(engine, request.timeoutSeconds), end: engine.end };
}

function givenBy({ program, args = [], testCommand, test, options = {} }: LaunchSettings) {
  if ((program === undefined) === (testCommand === undefined))
    throw launchError("give either a program (C files) or a testCommand, such as npx vitest run");
  const declared = Object.entries<Option>(optionsOf(explain));
  const raw: Record<string, Raw> = {};
  for (const [name, value] of Object.entries({ ...(test === undefined ? {} : { test }), ...options })) {
    const found = declared.find(([, { flags }]) => /--(no-)?([\w-]+)/.exec(flags)?.[2] === name.replace(/^no-/, ""));
    if (found === undefined) throw launchError(`options: tracefold explain has no --${name}`);
    raw[found[0]] = rawValue(name, value);
  }
  const words = program === undefined ? [] : [program].flat();
  const command = typeof testCommand === "string" ? testCommand.trim().split(/\s+/) : testCommand;
  return { words, programArguments: command ?? args, raw };
}

function rawValue(name: string, value: unknown): Raw {
  if (typeof value === "number") return `${value}`;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map((each) => `${each}`);
  throw launchError(`options: ${name} must be a text, a number, true, false or a list`);
}

function launchError(message: string): TracefoldError {
  return new TracefoldError({ code: "TF130", message, help: "docs/debugger.md describes the settings of a launch." });
}

async function failingRun(engine: Engine<Answer>, seconds: number | null): Promise<RecordedFailure> {
  const timer = seconds === null ? null : setTimeout(engine.stop, 1000 * seconds, "timeout");
  try {
    const ending = await engine.ending;
    if (ending.kind === "error") throw rebuildError(ending.error);
    const answer = ending.kind === "answer" ? ending.answer : ending.known;
    if (answer === null) throw new TracefoldError({ code: "TF342", message: "the time is up" });
    return recordedRun(answer);
  } finally {
    if (timer !== null) clearTimeout(timer);
    engine.end();
  }
}

function recordedRun({ explanation, sources, recording }: Answer): RecordedFailure {
  if (explanation.kind === "doesNotFail")
    throw new TracefoldError({
      code: "TF126",
      message: "the run does not fail: there is nothing to go back from",
      help: "Give the input, the arguments or the test with which it fails.",
    });
  if (explanation.kind !== "explained" || recording === null)
    throw new TracefoldError({ code: "TF342", message: "the run was not recorded before the time was up" });
  const open = openRecording(recording);
  // The assertion of a test is not the last thing that is recorded.
  const failing = lastExecutionOn(open, explanation.failure.location) ?? undefined;
  return { explanation, sources, timeline: createTimeline(open, failing) };
}
