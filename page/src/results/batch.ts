import { type BatchReport, isBad, type ReportedTask, statusText } from "../../../src/batch/results/batchReport.ts";
import type { PageData } from "../../../src/render/page/pageData.ts";

export function batchReportOf({ report }: PageData): BatchReport | null {
  return report.command === "batch" ? (report as unknown as BatchReport) : null;
}

export type Status = { readonly text: string; readonly count: number };

/** The results that tasks have and how often, in the order of the first task of each. */
export function statusesOf({ tasks }: BatchReport): readonly Status[] {
  const counts = new Map<string, number>();
  for (const task of tasks) counts.set(statusText(task), (counts.get(statusText(task)) ?? 0) + 1);
  return [...counts].map(([text, count]) => ({ text, count }));
}

/** `12 tasks: 9 right: safe, 2 unknown, 1 failed; 3 not done`. */
export function batchText(report: BatchReport): string {
  const { tasks, left } = report;
  const parts = statusesOf(report).map(({ text, count }) => `${count} ${text}`);
  const open = left === 0 ? "" : `; ${left} not done`;
  return `${countText(tasks.length, "task")}${parts.length === 0 ? "" : `: ${parts.join(", ")}`}${open}`;
}

export function toneOf({ tasks, left }: BatchReport): "good" | "bad" | "open" {
  if (tasks.some((task) => task.category === "wrong" || task.category === "failed" || isBad(task))) return "bad";
  return left > 0 || tasks.some(({ category }) => category === "unknown") ? "open" : "good";
}

/** `4 failures, 2 causes`. */
export function groupsText({ groups }: BatchReport): string {
  const failures = groups.reduce((sum, { tasks }) => sum + tasks.length, 0);
  return `${countText(failures, "failure")}, ${countText(groups.length, "cause")}`;
}

export type Choice = {
  /** Only tasks with this result; null for all. */
  readonly status: string | null;
  /** Only tasks with this text in their name or reason. */
  readonly text: string;
  readonly order: "given" | "slowest";
};

export function chosenTasks({ tasks }: BatchReport, { status, text, order }: Choice): readonly ReportedTask[] {
  const wanted = text.trim().toLowerCase();
  const chosen = tasks.filter((task) => {
    const said = `${task.name}\n${task.reason ?? ""}`.toLowerCase();
    return (status === null || statusText(task) === status) && said.includes(wanted);
  });
  return order === "given" ? chosen : chosen.toSorted((a, b) => timeOf(b) - timeOf(a));
}

/** Processor time where it is known. */
export function timeOf({ processorSeconds, seconds }: ReportedTask): number {
  return processorSeconds ?? seconds;
}

/** Links lead to pages of the folder beside the table, and nowhere else. */
export function linkOf({ page }: Pick<ReportedTask, "page">): string | null {
  const isBeside = page !== undefined && /^[^/]+-pages\/[\w.-]+\.html$/.test(page);
  return isBeside ? `./${page.split("/").map(encodeURIComponent).join("/")}` : null;
}

function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
