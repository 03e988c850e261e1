import type { RunReport } from "../jobs/run/runReport.ts";
import { runText } from "../report/runText.ts";
import { askEngine } from "./engine/askEngine.ts";
import { exitCodes } from "./exitCodes.ts";
import { type RunFlags, runRequest } from "./options/runOptions.ts";
import { paintFor } from "./paintFor.ts";
import { writeResult } from "./writeResult.ts";

/** `tracefold run`: the engine runs the program in its own thread; this thread waits, and prints what comes back. */
export async function runCommand(
  files: readonly string[],
  programArguments: readonly string[],
  flags: RunFlags,
): Promise<number> {
  const request = runRequest(files, programArguments, flags);
  const { timeoutSeconds } = request;
  return askEngine(request, { quiet: flags.quiet ?? false, debug: flags.debug ?? false, timeoutSeconds }, (answer) => {
    if (answer.kind !== "run") return exitCodes.fine;
    print(answer.report, answer.sources, flags);
    return exitCodeOf(answer.report);
  });
}

function print(report: RunReport, sources: ReadonlyMap<string, string>, flags: RunFlags): void {
  if (flags.quiet && report.status === "ok" && flags.out === undefined && flags.format === "text") return;
  const text =
    flags.format === "json"
      ? `${JSON.stringify(report, null, 2)}\n`
      : runText(report, { paint: paintFor(flags.out), source: (path) => sources.get(path) ?? null });
  writeResult(flags.out, text);
}

function exitCodeOf({ status }: RunReport): number {
  if (status === "ok") return exitCodes.fine;
  return status === "failed" ? exitCodes.programIsWrong : exitCodes.unknown;
}
