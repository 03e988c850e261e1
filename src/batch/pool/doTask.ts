import { gzipSync } from "node:zlib";
import { assertNever, formatError, TracefoldError } from "../../base/errors.ts";
import { commands } from "../../commands/all.ts";
import { type Command, givenTo } from "../../commands/command.ts";
import { exitCodes, paintOf } from "../../commands/output.ts";
import { type EngineError, rebuildError } from "../../engine/message.ts";
import { type Engine, type EngineThread, startEngine } from "../../engine/startEngine.ts";
import { parseTask } from "../contents.ts";
import type { CommandLine, TaskSummary } from "../task.ts";
import { summaryOf } from "./summary.ts";

/** Does a task in the thread. The answer, the exit status and the report are those of the single command. */
export async function doTask(
  line: CommandLine,
  thread: EngineThread,
  started: (engine: Engine<unknown>) => void,
): Promise<TaskSummary> {
  try {
    process.chdir(line.folder);
    const command = commands.find(({ name }) => name === line.command) as Command;
    const { words, raw } = parseTask(line);
    const given = givenTo(command, { words, programArguments: line.arguments, raw: { ...raw, format: "json" } });
    const request = command.request(given);
    const engine = startEngine(command, request, undefined, undefined, thread);
    started(engine);
    const { timeoutSeconds } = request;
    const timer = timeoutSeconds === null ? null : setTimeout(engine.stop, 1000 * timeoutSeconds, "timeout");
    try {
      const ending = await engine.ending;
      if (ending.kind === "error") return withoutAnswer(ending.error);
      const answer = ending.kind === "answer" ? ending.answer : ending.known;
      if (answer === null) return failed("TF342: the time is up", exitCodes.unknown);
      const exit = command.exitCode(answer);
      const text = await command.formats.json?.(answer, { flags: given.flags, request, paint: paintOf(false) });
      if (typeof text !== "string") return failed("the command has no JSON", exit);
      return {
        ...summaryOf(JSON.parse(text) as Parameters<typeof summaryOf>[0], exit),
        exit: ending.kind === "ended" ? exitCodes.unknown : exit,
        report: gzipSync(text).toString("base64"),
      };
    } finally {
      if (timer !== null) clearTimeout(timer);
    }
  } catch (error) {
    if (error instanceof TracefoldError) return failed(formatError(error), exitCodeOf(error));
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return failed(`${line.folder}: there is no such folder`, exitCodes.inputIsWrong);
    return failed(`internal defect: ${message}`, exitCodes.defect);
  }
}

function withoutAnswer(error: EngineError): TaskSummary {
  switch (error.kind) {
    case "tracefold": {
      const rebuilt = rebuildError(error) as TracefoldError;
      const isLimit = rebuilt.kind === "limit";
      return { ...failed(formatError(rebuilt), exitCodeOf(rebuilt)), ...(isLimit ? { answer: "unknown" } : {}) };
    }
    case "defect":
      return failed(`internal defect: ${error.message}`, exitCodes.defect);
    default:
      return assertNever(error, "error");
  }
}

function exitCodeOf({ kind }: TracefoldError): number {
  return kind === "limit" ? exitCodes.unknown : exitCodes.inputIsWrong;
}

export function failed(reason: string, exit: number | null): TaskSummary {
  return { answer: null, exit, reason, cause: null, report: null };
}
