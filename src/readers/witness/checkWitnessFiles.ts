import { TracefoldError } from "../../base/errors.ts";
import type { Program } from "../../ir/program.ts";
import type { WitnessTask } from "./readTask.ts";

/**
 * A witness is about files with certain contents. Their paths may differ from ours, so a file is known by its hash, and by
 * its name only to say what is wrong.
 */
export function checkWitnessFiles(
  witness: WitnessTask,
  { files, dataModel }: Pick<Program, "files" | "dataModel">,
  path: string,
): void {
  if (witness.dataModel !== dataModel) {
    throw new TracefoldError({
      code: "TF138",
      message: `${path}: the witness is about the data model ${witness.dataModel}`,
      help: `Give --data-model ${witness.dataModel}.`,
    });
  }
  const ours = new Set(files.map(({ sha256 }) => sha256));
  for (const { path: about, sha256 } of witness.files) {
    if (ours.has(sha256)) continue;
    const same = files.find((file) => baseName(file.path) === baseName(about));
    throw new TracefoldError({
      code: "TF197",
      message:
        same === undefined
          ? `this witness is about another file: ${about}`
          : `this witness is about another version of ${same.path}: its SHA-256 is ${same.sha256}, not ${sha256}`,
      range: witness.hashesAt,
      help: "Give the file that the witness was made for, unchanged.",
    });
  }
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
