import { TracefoldError } from "../../src/base/errors.ts";
import { formatPlace } from "../../src/base/sourceRange.ts";
import { loadC } from "../../src/c/cFrontEnd.ts";
import { checkProgram } from "../../src/ir/checkProgram.ts";
import type { DataModelName } from "../../src/ir/type.ts";
import type { Verdict } from "./verdict.ts";

type Job = { readonly path: string; readonly dataModel: DataModelName };

async function judge({ path, dataModel }: Job): Promise<Verdict> {
  const start = performance.now();
  const ms = () => Math.round(performance.now() - start);
  try {
    const program = await loadC(path, { dataModel, undefined: "input" });
    checkProgram(program);
    const edges = program.functions.reduce((sum, { edges }) => sum + edges.length, 0);
    return { kind: "lowered", ms: ms(), functions: program.functions.length, edges };
  } catch (error) {
    if (error instanceof TracefoldError) {
      const place = error.range ? formatPlace(error.range) : path;
      return { kind: "rejected", ms: ms(), code: error.code, message: error.message, place };
    }
    return {
      kind: "crashed",
      ms: ms(),
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

process.on("message", async (job: Job) => process.send!(await judge(job)));
