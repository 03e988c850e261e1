import { dependenceGraph } from "../dependence/dependenceGraph.ts";
import type { Trace } from "../interpreter/trace.ts";
import type { PageContent } from "../render/page/pageFile.ts";
import { recordRun } from "./explain/recording/recordingOf.ts";
import { writePage } from "./writePage.ts";

/** Writes the page of a result with the recording of its run; without a run it has the result alone. */
export async function writeRunPage(
  path: string,
  content: Omit<PageContent, "recording">,
  trace: Trace | null,
): Promise<void> {
  await writePage(path, { ...content, recording: trace === null ? null : recordRun(dependenceGraph(trace)) });
}
