import type { CompressReport } from "../jobs/compress/compressReport.ts";
import { compressText } from "../report/compressText.ts";
import { askEngine } from "./engine/askEngine.ts";
import { exitCodes } from "./exitCodes.ts";
import { type CompressFlags, compressRequest } from "./options/compressOptions.ts";
import { paintFor } from "./paintFor.ts";
import { writeResult } from "./writeResult.ts";

/** `tracefold compress`: folds the loops of a failing run. The exit code is 0 when the result is proved. */
export async function compressCommand(
  files: readonly string[],
  programArguments: readonly string[],
  flags: CompressFlags,
): Promise<number> {
  const request = compressRequest(files, programArguments, flags);
  const { timeoutSeconds } = request;
  return askEngine(request, { quiet: flags.quiet ?? false, debug: flags.debug ?? false, timeoutSeconds }, (answer) => {
    if (answer.kind !== "compress") return exitCodes.fine;
    const { report } = answer;
    if (!isQuiet(report, flags)) writeResult(flags.out, render(report, answer.sources, flags));
    return report.status === "ok" ? exitCodes.fine : exitCodes.unknown;
  });
}

function isQuiet(report: CompressReport, flags: CompressFlags): boolean {
  return flags.quiet === true && report.status === "ok" && flags.out === undefined && flags.format === "text";
}

function render(report: CompressReport, sources: ReadonlyMap<string, string>, flags: CompressFlags): string {
  if (flags.format === "json") return `${JSON.stringify(report, null, 2)}\n`;
  return compressText(report, {
    paint: paintFor(flags.out),
    source: (path) => sources.get(path) ?? null,
    ...(flags.full ? { full: true } : {}),
  });
}
