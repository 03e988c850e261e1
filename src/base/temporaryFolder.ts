import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type TemporaryFolder = {
  /** Removes all that is in it, also what work left there that was ended. */
  remove(): void;
};

const variables = ["TMPDIR", "TMP", "TEMP"] as const;

/** A folder for the temporary files of work that starts from now on: threads and processes take over the variables. */
export function openTemporaryFolder(prefix: string): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), prefix));
  const before = variables.map((name) => [name, process.env[name]] as const);
  for (const name of variables) process.env[name] = path;
  return {
    remove() {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
