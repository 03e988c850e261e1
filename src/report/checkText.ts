import { formatPlace } from "../base/sourceRange.ts";
import type { CheckReport } from "../jobs/check/checkReport.ts";
import { assumptionLines } from "./assumptionText.ts";
import type { Paint } from "./paint.ts";
import { counted, oneLine } from "./phrases.ts";

/** What the checker said, in a few lines: only what was not accepted is listed. */
export function checkText(report: CheckReport, paint: Paint): string {
  const { target, triples, scripts } = report;
  const lines: string[] = [];
  if (target !== null) lines.push(`target: ${target.formula} at ${formatPlace(target.location)}`);
  for (const { name, text, answer, by } of triples) {
    if (answer === "proved") continue;
    lines.push(
      `${answer === "unknown" ? paint.yellow("unknown:") : paint.red(`${answer}:`)} ${name} (${by})`,
      `  ${text}`,
    );
  }
  for (const { name, problem } of scripts) {
    const what = problem === "missing" ? "is missing" : "is not what the program and the claims give";
    lines.push(`${paint.red("wrong:")} ${name} ${what}`);
  }
  for (const { reason, where, help } of report.unknowns) {
    if (where === null) lines.push(`${paint.yellow("unknown:")} ${reason}`, `  ${help}`);
  }
  const { notChecked } = report;
  if (notChecked.length > 0) {
    const names = notChecked.map(oneLine).join(", ");
    lines.push(`${paint.yellow("not checked:")} ${names} (no part of the proof)`);
  }
  lines.push(...assumptionLines(report.assumptions, paint), verdict(report, paint));
  return `${lines.join("\n")}\n`;
}

function verdict({ status, triples, checker, trace, assumptions }: CheckReport, paint: Paint): string {
  // A certificate is about no run in particular.
  const isCertificate = trace.steps === 0;
  const size = `${counted(triples.length, isCertificate ? "obligation" : "triple")}, ${checker ?? "no solver"}`;
  const isConditional = assumptions.length > 0;
  const about = isCertificate
    ? `all runs${isConditional ? ", on this condition" : ""}`
    : `a run of ${counted(trace.steps, "step")}`;
  switch (status) {
    case "ok":
      return `${paint.green("proof accepted")} (${size}) for ${about}`;
    case "failed":
      return `${paint.red("proof NOT accepted")} (${size}) for ${about}`;
    case "unknown":
      return `${paint.yellow("proof not decided")} (${size}) for ${about}`;
  }
}
