import type { ExplainReport } from "../formats/explainReport.ts";
import { toSarif } from "../formats/sarif.ts";
import { toInvariantWitness } from "../formats/witness/invariantWitness.ts";
import { toViolationWitness } from "../formats/witness/violationWitness.ts";
import { explainText } from "../report/explainText.ts";
import { askEngine } from "./engine/askEngine.ts";
import { exitCodes } from "./exitCodes.ts";
import { type ExplainFlags, explainRequest } from "./options/explainOptions.ts";
import { openOutput } from "./output.ts";
import { paintFor } from "./paintFor.ts";
import { writeResult } from "./writeResult.ts";

/** `tracefold explain`: 0 where the failing run was explained or does not fail, 3 where something stayed unknown. */
export async function explainCommand(
  file: string,
  programArguments: readonly string[],
  flags: ExplainFlags,
): Promise<number> {
  const request = explainRequest(file, programArguments, flags);
  const { timeoutSeconds } = request;
  return askEngine(request, { quiet: flags.quiet ?? false, debug: flags.debug ?? false, timeoutSeconds }, (answer) => {
    if (answer.kind !== "explain") return exitCodes.fine;
    const { report, sources } = answer;
    const text = render(report, (path) => sources.get(path) ?? null, flags);
    if (text === null) {
      openOutput(2).write(`tracefold: there is nothing to write as ${flags.format}: ${nothing(report)}\n`);
      return exitCodes.unknown;
    }
    writeResult(flags.out, text);
    return report.status === "ok" ? exitCodes.fine : exitCodes.unknown;
  });
}

function nothing(report: ExplainReport): string {
  return report.steps.length === 0 ? "this run does not fail" : "no loop was folded into something that C can say";
}

/** null where the format has no way to say what was found. */
function render(report: ExplainReport, source: (path: string) => string | null, flags: ExplainFlags): string | null {
  switch (flags.format) {
    case "json":
      return `${JSON.stringify(report, null, 2)}\n`;
    case "sarif":
      return `${JSON.stringify(toSarif(report), null, 2)}\n`;
    case "witness":
      return toViolationWitness(report, { source });
    case "invariants":
      return toInvariantWitness(report, { source });
    default:
      return explainText(report, { paint: paintFor(flags.out), source });
  }
}
