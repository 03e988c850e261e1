import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { Defect } from "../../base/errors.ts";
import { isRunning } from "../../base/isRunning.ts";
import { taskContents } from "../contents.ts";
import type { PoolLimits } from "../pool/pool.ts";
import type { CommandLine } from "../task.ts";
import { queueError } from "./connectQueue.ts";

/** A task as it travels: with all files that it needs, by their paths from its folder. */
export type PackedTask = Omit<CommandLine, "folder"> & {
  readonly limits: PoolLimits;
  /** The names of the folders above that its paths go through, the task's folder last. */
  readonly parents: readonly string[];
  /** `[path, base64][]` as JSON, compressed, in base64. */
  readonly files: string;
};

/** Packs a task for another machine. An error if it depends on more than its files. */
export async function packTask(
  { command, words, arguments: given, folder }: CommandLine,
  limits: PoolLimits,
): Promise<{ readonly key: string; readonly packed: PackedTask }> {
  const { files, key, bound } = taskContents({ command, words, arguments: given, folder });
  if (bound !== null) throw queueError(bound, "Do it on this machine, without --queue.");
  const heights = [...words, ...files.keys()].map((path) => path.split("/").filter((part) => part === "..").length);
  const parents: string[] = [];
  for (let at = folder; parents.length < Math.max(0, ...heights) && dirname(at) !== at; at = dirname(at))
    parents.unshift(basename(at));
  const listed = [...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString("base64")]);
  const packedFiles = (await promisify(gzip)(JSON.stringify(listed))).toString("base64");
  return { key, packed: { command, words, arguments: given, limits, parents, files: packedFiles } };
}

/** Writes the files of a task into a new folder; `remove` takes it away. An error if its id is not that of its content. */
export async function unpackTask(
  { command, words, arguments: given, parents, files }: PackedTask,
  id: string,
): Promise<{
  readonly line: CommandLine;
  readonly remove: () => void;
}> {
  const top = mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`));
  const remove = () => rmSync(top, { recursive: true, force: true });
  try {
    const folder = join(top, ...parents);
    if (parents.some((name) => name === ".." || name !== basename(name)))
      throw new Defect("a task has a broken folder");
    mkdirSync(folder, { recursive: true });
    const text = (await promisify(gunzip)(Buffer.from(files, "base64"))).toString("utf8");
    for (const [path, bytes] of JSON.parse(text) as readonly (readonly [string, string])[]) {
      const to = join(folder, path);
      if (!to.startsWith(top + sep)) throw new Defect("a task has a file outside of its folder");
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, Buffer.from(bytes, "base64"));
    }
    const line = { command, words, arguments: given, folder };
    const { key, bound } = taskContents(line);
    if (bound !== null || !id.startsWith(`${key}-`)) throw new Defect(bound ?? "a task is not what its id says");
    return { line, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

const folderPrefix = `tracefold-worker-${hostname()}-`;

/** Removes the folders of workers that are gone. */
export function removeOldFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const id = name.startsWith(folderPrefix) ? Number.parseInt(name.slice(folderPrefix.length), 10) : 0;
    if (id > 0 && !isRunning(id)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}
