import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { PageData } from "../../render/page/pageData.ts";
import { pageFile } from "../../render/page/pageFile.ts";
import type { ResultStore } from "../store.ts";
import type { BatchReport } from "./batchReport.ts";

/** The table as a page, and a page for each explanation in a folder beside it. */
export async function htmlTable(
  report: BatchReport,
  path: string,
  store: Pick<ResultStore, "report">,
): Promise<readonly (readonly [path: string, text: string])[]> {
  const folder = `${basename(path).replace(/\.html?$/, "")}-pages`;
  const pages: (readonly [string, string])[] = [];
  const tasks = [];
  const known = { sources: new Map<string, string>(), recording: null };
  for (const task of report.tasks) {
    const packed = task.key === null || task.cause === null ? null : store.report(task.key);
    if (packed === null) {
      tasks.push(task);
      continue;
    }
    const own = JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString("utf8")) as PageData["report"];
    const page = `${folder}/${task.key}.html`;
    pages.push([join(dirname(path), page), await pageFile({ ...known, report: own })]);
    tasks.push({ ...task, page });
  }
  if (pages.length > 0) mkdirSync(join(dirname(path), folder), { recursive: true });
  return [...pages, [path, await pageFile({ ...known, report: { ...report, tasks } })]];
}
