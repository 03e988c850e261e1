import { nth } from "../base/checked.ts";
import { formatPlace } from "../base/sourceRange.ts";
import type { JsonNumber } from "../commands/common/result.ts";
import type { ExploreReport, ReportedTarget } from "../commands/explore/result.ts";
import type { Paint } from "./layout.ts";
import { counted, oneLine } from "./phrases.ts";

export type ExploreTextOptions = { readonly paint: Paint };

const mostListed = 20;
const mostInputs = 30;

export function exploreText(report: ExploreReport, { paint }: ExploreTextOptions): string {
  const lines: string[] = [];
  const places = report.targets.filter(({ kind }) => kind === "line" || kind === "branch");
  for (const failure of report.failures) {
    const place = failure.location === null ? "" : `${paint.bold(formatPlace(failure.location))}: `;
    lines.push(`${place}${paint.red(oneLine(failure.message))}`);
    if (failure.reason !== undefined) lines.push(`  ${oneLine(failure.reason)}`);
    lines.push(`  ${failure.replay}`.slice(0, 400));
  }
  for (const target of report.targets) {
    if (places.length > mostListed && target.status === "reached") continue;
    if (target.status === "reached" && report.failures.length > 0 && !places.includes(target)) continue;
    lines.push(targetLine(target, paint));
  }
  if (places.length > 0) {
    const reached = places.filter(({ status }) => status === "reached").length;
    const closed = places.filter(({ status }) => status === "unreachable").length;
    const unit = nth(places, 0).kind === "line" ? "lines" : "branches";
    lines.push(`${reached} of ${places.length} ${unit} reached${closed > 0 ? `, ${closed} cannot be` : ""}`);
  }
  for (const { reason, where, help } of report.unknowns.slice(0, mostListed)) {
    lines.push(`${paint.yellow("open:")} ${where === null ? "" : `${formatPlace(where)}: `}${reason}`, `  ${help}`);
  }
  for (const { message, location } of report.notes)
    lines.push(`${paint.dim("note:")} ${formatPlace(location)}: ${oneLine(message)}`);
  lines.push(summary(report));
  return `${lines.join("\n")}\n`;
}

function targetLine({ location, text, status, inputs, reason }: ReportedTarget, paint: Paint): string {
  const place = `${paint.bold(formatPlace(location))}: ${text}: `;
  switch (status) {
    case "reached":
      return `${place}${paint.green("reached")}${inputs === undefined ? "" : ` with inputs ${shown(inputs)}`}`;
    case "unreachable":
      return `${place}${paint.green("unreachable")}`;
    case "unknown":
      return `${place}${paint.yellow("unknown")} (${reason ?? "not decided"})`;
  }
}

function shown(inputs: readonly JsonNumber[]): string {
  if (inputs.length === 0) return "none";
  const first = inputs.slice(0, mostInputs).join(",");
  return inputs.length > mostInputs ? `${first},… (${inputs.length})` : first;
}

function summary({ mode, states, tree, templates, runs, complete, stats }: ExploreReport): string {
  const parts = [
    counted(runs, "run"),
    `${counted(states, "state")} (${mode})`,
    `tree of ${tree.leaves} ${tree.leaves === 1 ? "leaf" : "leaves"}${tree.failedLeaves > 0 ? `, ${tree.failedLeaves} failed` : ""}`,
    ...(templates > 0 ? [counted(templates, "template")] : []),
    counted(stats.solver.queries, "question"),
  ];
  return `${complete ? "complete" : "not complete"}: ${parts.join(", ")}`;
}
