import { checkText } from "../report/checkText.ts";
import { askEngine } from "./engine/askEngine.ts";
import { exitCodes } from "./exitCodes.ts";
import { type CheckFlags, checkRequest } from "./options/checkOptions.ts";
import { paintFor } from "./paintFor.ts";
import { writeResult } from "./writeResult.ts";

/** `tracefold check`: 0 the proof is accepted, 1 it is wrong, 3 not decided. */
export async function checkCommand(path: string, flags: CheckFlags): Promise<number> {
  const request = checkRequest(path, flags);
  const { timeoutSeconds } = request;
  return askEngine(request, { quiet: flags.quiet ?? false, debug: flags.debug ?? false, timeoutSeconds }, (answer) => {
    if (answer.kind !== "check") return exitCodes.fine;
    const { report } = answer;
    const isQuiet =
      flags.quiet === true && report.status === "ok" && flags.out === undefined && flags.format === "text";
    const text =
      flags.format === "json" ? `${JSON.stringify(report, null, 2)}\n` : checkText(report, paintFor(flags.out));
    if (!isQuiet) writeResult(flags.out, text);
    if (report.status === "ok") return exitCodes.fine;
    return report.status === "failed" ? exitCodes.programIsWrong : exitCodes.unknown;
  });
}
