import { mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { decodeSource, isSystemError } from "../../base/files.ts";
import { sourceFile } from "../../base/sourceFile.ts";
import type { PageData } from "../../render/page/pageData.ts";
import { pageFile } from "../../render/page/pageFile.ts";
import type { ResultStore } from "../store.ts";
import type { BatchReport } from "./batchReport.ts";

/** The table as a page, and a page for each explanation in a folder beside it. `folders` has those of the tasks, by key. */
export async function htmlTable(
  report: BatchReport,
  path: string,
  store: Pick<ResultStore, "report">,
  folders: ReadonlyMap<string, string>,
): Promise<readonly (readonly [path: string, text: string])[]> {
  const folder = `${basename(path).replace(/\.html?$/, "")}-pages`;
  const pages: (readonly [string, string])[] = [];
  const tasks = [];
  for (const task of report.tasks) {
    const packed = task.key === null || task.cause === null ? null : store.report(task.key);
    if (packed === null) {
      tasks.push(task);
      continue;
    }
    const own = JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString("utf8")) as PageData["report"];
    const page = `${folder}/${task.key}.html`;
    pages.push([
      join(dirname(path), page),
      await pageFile({ report: own, sources: sourcesOf(own, folders.get(task.key ?? "")), recording: null }),
    ]);
    tasks.push({ ...task, page });
  }
  if (pages.length > 0) mkdirSync(join(dirname(path), folder), { recursive: true });
  return [...pages, [path, await pageFile({ report: { ...report, tasks }, sources: new Map(), recording: null })]];
}

type NamedFile = { readonly path: string; readonly sha256?: string };

/** The sources that a report names, as they are now: without those that have changed since. */
function sourcesOf(report: PageData["report"], folder = "."): ReadonlyMap<string, string> {
  const { program } = report as { readonly program?: { readonly files?: readonly NamedFile[] } };
  const sources = new Map<string, string>();
  for (const { path, sha256 } of program?.files ?? []) {
    const text = textOf(isAbsolute(path) ? path : join(folder, path));
    if (text !== null && (sha256 === undefined || sourceFile(path, text).sha256 === sha256)) sources.set(path, text);
  }
  return sources;
}

function textOf(path: string): string | null {
  try {
    return decodeSource(readFileSync(path));
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}
