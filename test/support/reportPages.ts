import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { builtCli, root } from "./builtCli.ts";

/** Pages that the command writes, in a folder of their own. */
export type ReportPages = {
  readonly folder: string;
  /** `explain WORDS`, in the root of the repository. */
  write(name: string, words: readonly string[], from?: string): Promise<string>;
  /** `explain WORDS` in a copy of a project of `examples`, which may be changed before. */
  writeOfProject(project: string, words: readonly string[], change?: (folder: string) => void): Promise<string>;
  remove(): void;
};

export function reportPages(): ReportPages {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-pages-"));
  const write = (name: string, words: readonly string[], from = root): Promise<string> => {
    const path = join(folder, `${name}.html`);
    const at = words.indexOf("--");
    const [before, after] = at === -1 ? [words, []] : [words.slice(0, at), words.slice(at)];
    return new Promise((resolve, reject) => {
      const all = [builtCli(), "explain", ...before, "--quiet", "--html", path, ...after];
      // The exit status says that the run fails: only a page that was not written is an error.
      execFile(process.execPath, all, { cwd: from }, (error, _, complaint) => {
        if (complaint.includes("error:") || (error !== null && typeof error.code !== "number"))
          reject(new Error(complaint || String(error)));
        else resolve(path);
      });
    });
  };
  return {
    folder,
    write,
    writeOfProject(project, words, change) {
      const copy = copyOfProject(folder, project);
      change?.(copy);
      return write(basename(copy), words, copy);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A copy of a project of `examples` in a folder, which can run its tests. */
export function copyOfProject(folder: string, project: string): string {
  const copy = mkdtempSync(join(folder, `${basename(project)}-`));
  cpSync(join(root, "examples", project), copy, { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}
