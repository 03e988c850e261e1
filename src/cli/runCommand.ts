import { writeFileSync } from "node:fs";
import { TracefoldError } from "../base/errors.ts";
import type { RunReport } from "../formats/runReport.ts";
import { runText } from "../report/runText.ts";
import type { EngineMessage } from "./engine/engineMessage.ts";
import { startEngine } from "./engine/startEngine.ts";
import { exitCodes } from "./exitCodes.ts";
import { type RunFlags, runRequest } from "./options/runOptions.ts";
import { openOutput } from "./output.ts";
import { paintFor } from "./paintFor.ts";
import { showProgress } from "./progress.ts";
import { reportDefect } from "./reportFailure.ts";

/** `tracefold run`: the engine runs the program in its own thread; this thread waits, and prints what comes back. */
export async function runCommand(file: string, programArguments: readonly string[], flags: RunFlags): Promise<number> {
  const request = runRequest(file, programArguments, flags);
  const engine = startEngine(request);
  const hideProgress = showProgress(engine.control, flags.quiet ?? false);
  let interrupted = false;
  const interrupt = () => {
    if (interrupted) process.exit(exitCodes.interrupted);
    interrupted = true;
    engine.stop("interrupt");
  };
  process.on("SIGINT", interrupt);
  const timer =
    request.timeoutSeconds === null ? null : setTimeout(engine.stop, 1000 * request.timeoutSeconds, "timeout");
  try {
    const answer = await engine.answer;
    hideProgress();
    if (answer.kind === "ended") return reportEnded(answer.reason);
    const code = finish(answer, flags);
    return interrupted && code === exitCodes.unknown ? exitCodes.interrupted : code;
  } finally {
    hideProgress();
    if (timer !== null) clearTimeout(timer);
    process.off("SIGINT", interrupt);
  }
}

function finish(answer: EngineMessage, flags: RunFlags): number {
  switch (answer.kind) {
    case "printed":
      return exitCodes.fine;
    case "run":
      print(answer.report, answer.sources, flags);
      return exitCodeOf(answer.report);
    case "error":
      if (answer.error.kind === "defect")
        return reportDefect(answer.error.message, answer.error.stack, flags.debug ?? false);
      openOutput(2).write(`${answer.error.text}\n`);
      return answer.error.limit ? exitCodes.unknown : exitCodes.inputIsWrong;
  }
}

function print(report: RunReport, sources: ReadonlyMap<string, string>, flags: RunFlags): void {
  if (flags.quiet && report.status === "ok" && flags.out === undefined && flags.format === "text") return;
  const text =
    flags.format === "json"
      ? `${JSON.stringify(report, null, 2)}\n`
      : runText(report, { paint: paintFor(flags.out), source: (path) => sources.get(path) ?? null });
  if (flags.out === undefined) openOutput(1).write(text);
  else writeResult(flags.out, text);
}

function writeResult(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new TracefoldError({ code: "TF133", message: `--out: cannot write ${path} (${code})` });
  }
}

function exitCodeOf({ status }: RunReport): number {
  if (status === "ok") return exitCodes.fine;
  return status === "failed" ? exitCodes.programIsWrong : exitCodes.unknown;
}

/** The engine did not come to a place where it looks whether it should stop. */
function reportEnded(reason: "interrupt" | "timeout"): number {
  openOutput(2).write(reason === "timeout" ? "tracefold: TF342: the time is up\n" : "tracefold: interrupted\n");
  return reason === "timeout" ? exitCodes.unknown : exitCodes.interrupted;
}
