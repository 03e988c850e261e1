import type { ExplainReport } from "../explain/explainReport.ts";
import type { Explanation } from "../explain/explanation.ts";
import { toSarif } from "../formats/sarif.ts";
import { toInvariantWitness } from "../formats/witness/invariantWitness.ts";
import { toViolationWitness } from "../formats/witness/violationWitness.ts";
import type { SourceOutline } from "../frontend/c/outline/sourceOutline.ts";
import { explainText } from "../report/explainText.ts";
import { explanationText, failureHeading } from "../report/explanationText.ts";
import { askEngine } from "./engine/askEngine.ts";
import type { EngineNews } from "./engine/engineMessage.ts";
import { requestedProject } from "./engine/loadRequested.ts";
import { exitCodes } from "./exitCodes.ts";
import { type ExplainFlags, type ExplainRequest, explainRequest } from "./options/explainOptions.ts";
import { openOutput } from "./output.ts";
import { paintFor } from "./paintFor.ts";
import { writeResult } from "./writeResult.ts";

/** `tracefold explain`: 0 where the failing run was explained or does not fail, 3 where something stayed unknown. */
export async function explainCommand(
  files: readonly string[],
  programArguments: readonly string[],
  flags: ExplainFlags,
): Promise<number> {
  const request = explainRequest(files, programArguments, flags);
  const outlines = await outlinesFor(request, flags.format);
  let headed = false;
  const settings = {
    quiet: flags.quiet ?? false,
    debug: flags.debug ?? false,
    timeoutSeconds: request.timeoutSeconds,
    hear: ({ outcome }: EngineNews) => {
      if (flags.format !== "text" || flags.out !== undefined) return;
      headed = true;
      openOutput(1).write(`${failureHeading(outcome, paintFor(flags.out)).join("\n")}\n`);
    },
  };
  return askEngine(request, settings, (answer) => {
    if (answer.kind !== "explain") return exitCodes.fine;
    const { explanation, report, sources } = answer;
    const outline = (path: string) => outlines.get(path) ?? null;
    const rendering = { source: (path: string) => sources.get(path) ?? null, outline, headed };
    const text = render(explanation, report, rendering, flags);
    if (text === null) {
      openOutput(2).write(`tracefold: there is nothing to write as ${flags.format}: ${nothing(report)}\n`);
      return exitCodes.unknown;
    }
    writeResult(flags.out, text);
    return explanation.status === "ok" ? exitCodes.fine : exitCodes.unknown;
  });
}

/** Witnesses speak of statements, which the report does not. */
async function outlinesFor(request: ExplainRequest, format: string): Promise<ReadonlyMap<string, SourceOutline>> {
  if (format !== "witness" && format !== "invariants") return new Map();
  const { outlineC } = await import("../frontend/c/cFrontEnd.ts");
  return outlineC(await requestedProject(request), request);
}

function nothing(report: ExplainReport): string {
  return report.steps.length === 0 ? "this run does not fail" : "no loop was folded into something that C can say";
}

type Rendering = {
  readonly source: (path: string) => string | null;
  readonly outline: (path: string) => SourceOutline | null;
  /** How the run fails was printed when it was known. */
  readonly headed: boolean;
};

/** null where the format has no way to say what was found. */
function render(
  explanation: Explanation,
  report: ExplainReport,
  { source, outline, headed }: Rendering,
  flags: ExplainFlags,
): string | null {
  switch (flags.format) {
    case "json":
      return `${JSON.stringify(report, null, 2)}\n`;
    case "sarif":
      return `${JSON.stringify(toSarif(report), null, 2)}\n`;
    case "witness":
      return toViolationWitness(report, { outline });
    case "invariants":
      return toInvariantWitness(report, { outline });
    default:
      // The complete form: every statement that the failure follows from, and the facts between them.
      if (flags.flowSensitive || flags.target !== undefined) {
        return explainText(report, { paint: paintFor(flags.out), source, headed });
      }
      return explanationText(explanation, {
        paint: paintFor(flags.out),
        source,
        headed,
        verbose: flags.verbose ?? false,
      });
  }
}
