import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { TracefoldError } from "../base/errors.ts";

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

/** Writes the files of a proof. */
export function writeProofFolder(folder: string, files: ReadonlyMap<string, string>): void {
  try {
    mkdirSync(folder, { recursive: true });
    // Scripts of an earlier, longer proof would look like part of this one.
    for (const name of readdirSync(folder)) if (/^\d+-[\w-]+\.smt2$/.test(name)) rmSync(join(folder, name));
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
  } catch (error) {
    throw cannotWrite(folder, (error as NodeJS.ErrnoException).code);
  }
}
