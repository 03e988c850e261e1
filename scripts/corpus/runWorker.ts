import type { DataModelName } from "../../src/ir/type.ts";
import { checkFile } from "../../test/support/checkFile.ts";
import type { RunVerdict } from "./verdict.ts";

type Job = { readonly path: string; readonly seed: number; readonly dataModel: DataModelName };

async function judge({ path, seed, dataModel }: Job): Promise<RunVerdict> {
  const start = performance.now();
  const ms = () => Math.round(performance.now() - start);
  try {
    const check = await checkFile(path, { dataModel, inputs: { seed }, maxSteps: 300_000 });
    if (check.kind !== "same") return { ...check, ms: ms() };
    return { kind: "same", ms: ms(), end: check.end, decisions: check.decisions };
  } catch (error) {
    return { kind: "crashed", ms: ms(), message: String((error as Error).stack ?? error) };
  }
}

process.on("message", async (job: Job) => process.send!(await judge(job)));
