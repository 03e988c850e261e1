import { TracefoldError } from "../base/errors.ts";
import { writeWhole } from "../base/files.ts";
import { openOutput } from "../engine/output.ts";

/** Prints a command's result, or writes it to the file that `--out` names. */
export function writeResult(out: string | null, text: string): void {
  if (out === null) return openOutput(1).write(text);
  try {
    writeWhole(out, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new TracefoldError({ code: "TF133", message: `--out: cannot write ${out} (${code})` });
  }
}
