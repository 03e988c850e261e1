import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { TracefoldError } from "../../base/errors.ts";

/**
 * Calls `work` with the project's folder as a revision of git has it, in a temporary copy. Dependencies are those of the
 * working tree, by links. The repository is only read.
 */
export async function atRevision<Result>(
  revision: string,
  folder: string,
  work: (copy: string) => Promise<Result>,
): Promise<Result> {
  const git = (...words: readonly string[]): string => runGit(folder, revision, words);
  const top = git("rev-parse", "--show-toplevel").trim();
  const inside = git("rev-parse", "--show-prefix").trim();
  const commit = git("rev-parse", "--verify", "--quiet", `${revision}^{commit}`).trim();
  const copy = mkdtempSync(join(tmpdir(), "tracefold-base-"));
  try {
    const archive = join(copy, ".tracefold.tar");
    runGit(top, revision, ["archive", "--format=tar", "-o", archive, commit]);
    const unpacked = spawnSync("tar", ["-xf", archive, "-C", copy], { encoding: "utf8" });
    if (unpacked.status !== 0) throw notThere(revision, unpacked.stderr || String(unpacked.error));
    rmSync(archive);
    const packages = runGit(top, revision, ["ls-tree", "-r", "-z", "--name-only", commit])
      .split("\0")
      .filter((path) => /(^|\/)package\.json$/.test(path))
      .map((path) => dirname(path));
    for (const each of new Set([".", inside, ...packages])) linkDependencies(join(top, each), join(copy, each));
    return await work(join(copy, inside));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function linkDependencies(from: string, to: string): void {
  const installed = join(from, "node_modules");
  const link = join(to, "node_modules");
  if (!existsSync(installed) || existsSync(link)) return;
  mkdirSync(to, { recursive: true });
  symlinkSync(installed, link, "dir");
}

function runGit(folder: string, revision: string, words: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync("git", words, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status === 0) return stdout;
  throw notThere(revision, stderr.trim() || (error?.message ?? "git knows no such revision"));
}

function notThere(revision: string, reason: string): TracefoldError {
  return new TracefoldError({
    code: "TF123",
    message: `the revision ${revision} cannot be compared with: ${reason}`,
    help: "--base names a revision of the git repository that this folder is in: a branch, a tag, a commit.",
  });
}
