import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { TracefoldError } from "../base/errors.ts";
import { writeWhole } from "../base/files.ts";
import { type StageName, stageNames } from "../explain/stage.ts";

/** Writes what a stage made to `DIR/4-folds.txt`. */
export function writeDump(folder: string, stage: StageName, text: string): void {
  const name = `${stageNames.indexOf(stage) + 1}-${stage}.${stage === "explanation" ? "json" : "txt"}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeWhole(join(folder, name), text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new TracefoldError({ code: "TF133", message: `--dump: cannot write to ${folder} (${code})` });
  }
}
