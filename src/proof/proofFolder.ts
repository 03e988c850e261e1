import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { TracefoldError } from "../base/errors.ts";
import { writeAllWhole } from "../base/writeWhole.ts";

/** Folding may take minutes: that its proof has no place is said before. */
export function assertWritable(folder: string): void {
  let existing = resolve(folder);
  while (!existsSync(existing)) existing = dirname(existing);
  if (!statSync(existing).isDirectory()) throw cannotWrite(folder, "ENOTDIR");
  try {
    accessSync(existing, constants.W_OK);
  } catch (error) {
    throw cannotWrite(folder, (error as NodeJS.ErrnoException).code);
  }
}

function cannotWrite(folder: string, code: string | undefined): TracefoldError {
  return new TracefoldError({
    code: "TF133",
    message: `--proof: cannot write to ${folder} (${code})`,
    help: "Give a folder that may be written to; it need not exist yet.",
  });
}

export function isScript(name: string): boolean {
  return /^\d+-[\w-]+\.smt2$/.test(name);
}

/** Writes the files of a proof. */
export function writeProofFolder(folder: string, files: ReadonlyMap<string, string>): void {
  try {
    mkdirSync(folder, { recursive: true });
    const written = [...files].map(([name, text]) => [join(folder, name), text] as const);
    // Scripts of an earlier, longer proof would look like part of this one.
    writeAllWhole(written, () => {
      for (const name of readdirSync(folder)) if (isScript(name) && !files.has(name)) rmSync(join(folder, name));
    });
  } catch (error) {
    throw cannotWrite(folder, (error as NodeJS.ErrnoException).code);
  }
}
