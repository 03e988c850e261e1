import { nth } from "../../base/checked.ts";
import { spelledOut } from "../../base/text.ts";
import type { Paint } from "../../render/layout.ts";
import { type BatchReport, type ReportedTask, statusText } from "./batchReport.ts";
import type { BatchDifference } from "./diff.ts";

/** The table on the terminal: how many of each result, failures by cause, and what is different from an earlier batch. */
export function batchTable(report: BatchReport, paint: Paint, difference: BatchDifference | null): string {
  const { tasks, groups, left, reused, seconds } = report;
  const rows = [...countsOf(tasks)].map(([name, count]) => `${`${count}`.padStart(7)}  ${name}`);
  const parts = rows.length > 0 ? [rows.join("\n")] : [];
  const listed = tasks.filter(({ category }) => category === "wrong" || category === "failed");
  if (listed.length > 0) parts.push(limitedLines(listed.map(taskLine), "tasks"));
  if (groups.length > 0) {
    const failures = groups.reduce((sum, group) => sum + group.tasks.length, 0);
    const head = `${counted(failures, "failure")}, ${counted(groups.length, "cause")}`;
    const lines = groups.map(
      ({ kind, file, line, text, tasks: names }) =>
        `${`${names.length}`.padStart(7)}  ${kind} ${file === "" ? "" : `${file}:${line} `}${spelledOut(text)}\n         ${paint.dim(shown(names))}`,
    );
    parts.push(`${paint.bold(head)}\n${limitedLines(lines, "causes")}`);
  }
  if (difference !== null) parts.push(differenceText(difference));
  const work = tasks.reduce((sum, { processorSeconds, seconds: clock }) => sum + (processorSeconds ?? clock), 0);
  const slowest = tasks.reduce<ReportedTask | null>((a, b) => (a === null || b.seconds > a.seconds ? b : a), null);
  const stored = reused === 0 ? "" : `, ${reused} from the store`;
  const open = left === 0 ? "" : `; ${counted(left, "task")} not done: the same command goes on`;
  const longest = slowest === null ? "" : `; the longest ${slowest.seconds.toFixed(1)} s (${slowest.name})`;
  parts.push(
    `${counted(tasks.length, "task")} in ${seconds.toFixed(1)} s${stored}; ${work.toFixed(1)} s of processor time${longest}${open}`,
  );
  return `${parts.join("\n\n")}\n`;
}

/** Right and wrong first, then the reasons why something is not known. */
function countsOf(tasks: readonly ReportedTask[]): ReadonlyMap<string, number> {
  const order = ["right", "wrong", "answered", "unknown", "failed"] as const;
  const counts = new Map<string, number>();
  for (const category of order) {
    for (const task of tasks.filter((each) => each.category === category)) {
      const reason = category === "unknown" || category === "failed" ? `: ${plainReason(task.reason)}` : "";
      const name = `${statusText(task)}${reason}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}

/** Places are left out, so that equal reasons are counted together. */
function plainReason(reason: string | null): string {
  const [line = ""] = (reason ?? "").split("\n");
  return spelledOut(line.replace(/^(?:[^\s:]+:\d+:\d+: )?(TF\d+: )?/, "$1"));
}

function taskLine(task: ReportedTask): string {
  const said = task.category === "wrong" ? `${task.answer}, expected ${task.expected}` : plainLine(task.reason);
  return `  ${task.category}  ${task.name}: ${said}`;
}

function plainLine(text: string | null): string {
  return spelledOut(nth((text ?? "").split("\n"), 0));
}

const mostLines = 20;

function limitedLines(lines: readonly string[], what: string): string {
  const more = lines.length - mostLines;
  return [...lines.slice(0, mostLines), ...(more > 0 ? [`  and ${more} more ${what}`] : [])].join("\n");
}

const mostNames = 5;

function shown(names: readonly string[]): string {
  return [...names.slice(0, mostNames), ...(names.length > mostNames ? ["…"] : [])].join(", ");
}

function differenceText({ added, gone, changed, faster, slower }: BatchDifference): string {
  const lines = [
    ...added.map((name) => `  new     ${name}`),
    ...gone.map((name) => `  gone    ${name}`),
    ...changed.map(({ name, before, after }) => `  changed ${name}: ${before}, now ${after}`),
    ...slower.map(({ name, before, after }) => `  slower  ${name}: ${before.toFixed(1)} s, now ${after.toFixed(1)} s`),
    ...faster.map(({ name, before, after }) => `  faster  ${name}: ${before.toFixed(1)} s, now ${after.toFixed(1)} s`),
  ];
  const head = `${added.length} new, ${gone.length} gone, ${changed.length} changed, ${slower.length} slower, ${faster.length} faster`;
  return lines.length === 0 ? head : `${head}\n${limitedLines(lines, "differences")}`;
}

export function counted(count: number, what: string): string {
  return `${count.toLocaleString("en-US")} ${what}${count === 1 ? "" : "s"}`;
}
