import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, relative, resolve } from "node:path";
import { TracefoldError } from "../base/errors.ts";
import { readFinite, unreadable } from "../base/files.ts";
import { commands } from "../commands/all.ts";
import type { Raw } from "../commands/options/option.ts";
import { usageError } from "../commands/options/option.ts";
import { type ReadWords, readWords } from "../commands/options/words.ts";
import { packageVersion } from "../commands/output.ts";
import type { CommandLine } from "./task.ts";

/** All files that a task's result depends on, by their paths from the task's folder. */
export type TaskContents = {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The hash of the files, the command line and the version: tasks with one key have one result. */
  readonly key: string;
  /** Why another machine cannot do the task with these files alone; null if it can. */
  readonly bound: string | null;
};

export function parseTask({ command, words }: Pick<CommandLine, "command" | "words">): ReadWords {
  const declared = commands.find(({ name }) => name === command);
  if (declared === undefined) throw usageError(`batch: there is no command ${command}`);
  const read = readWords("batch", declared, words);
  const output = outputs.find((key) => read.raw[key] !== undefined) ?? (command === "explore" ? "tests" : "");
  if (read.raw[output] !== undefined)
    throw usageError(`batch: ${declared.options[output]?.flags ?? `--${output}`} cannot be an option of a task`);
  return read;
}

/** Options that write: a result from the store would not write again. */
const outputs = [
  ...["format", "out", "color", "quiet", "html", "open", "proof", "testPath", "fix", "yes", "dump", "tree"],
  ...["properties", "tsdoc", "base"],
];

/** Options with a folder whose files matter. */
const folders = ["filesFolder", "tests", "recording", "database"];

export function taskContents(line: CommandLine): TaskContents {
  const { words, raw } = parseTask(line);
  const files = new Map<string, Uint8Array>();
  let bound = raw.database === undefined ? null : "a compilation database names folders of this machine";
  const read = (path: string): Uint8Array => {
    if (isAbsolute(path)) bound ??= `${path} is a place on this machine`;
    const name = relative(line.folder, resolve(line.folder, path));
    const known = files.get(name);
    if (known !== undefined) return known;
    const bytes = bytesOf(resolve(line.folder, path));
    files.set(name, bytes);
    return bytes;
  };
  const readFolder = (path: string) => {
    for (const name of filesBelow(resolve(line.folder, path))) read(join(path, name));
  };
  const isProject = words.length === 0 && raw.database === undefined && line.arguments.length > 0;
  if (isProject) {
    bound = "tests of JavaScript depend on what is installed beside them";
    readFolder(".");
  }
  const searched = [raw.includeFolders ?? []].flat() as string[];
  let opensFiles = false;
  const texts = new Set<string>();
  const readSource = (path: string): void => {
    if (texts.has(path)) return;
    texts.add(path);
    const text = Buffer.from(read(path)).toString("latin1");
    opensFiles ||= /\b(?:fopen|freopen|open|opendir|stat|access)\s*\(/.test(text);
    for (const header of headersOf(text, [dirname(path), ...searched], line.folder)) readSource(header);
  };
  for (const path of words) readSource(path);
  for (const [key, value] of Object.entries(raw)) readGivenFiles(key, value, line.folder, read, readFolder);
  // A program may read any file of its folder.
  if (opensFiles && raw.filesFolder === undefined) readFolder(dirname(words[0] ?? "."));
  return { files, bound, key: keyOf(line, files) };
}

function readGivenFiles(
  key: string,
  value: Raw,
  folder: string,
  read: (path: string) => void,
  readFolder: (path: string) => void,
): void {
  if (key === "includeFolders") return;
  for (const text of [value ?? []].flat()) {
    if (typeof text !== "string") continue;
    // `--expect-file name=path`, `--passing 'stdin=F out=F'`.
    for (const part of new Set([text, ...text.split(/[\s=]+/)])) {
      const stat = part === "" ? undefined : statSync(resolve(folder, part), { throwIfNoEntry: false });
      if (stat?.isFile()) read(part);
      if (stat?.isDirectory() && folders.includes(key)) readFolder(part);
    }
    if (key === "database") readFolder(dirname(text));
  }
}

/** The headers that a text may include: all that the search may find, whether or not a condition skips them. */
function headersOf(text: string, places: readonly string[], folder: string): readonly string[] {
  const names = [...text.matchAll(/^[ \t]*#[ \t]*include(?:_next)?[ \t]*["<]([^">\n]+)[">]/gm)].map(
    ([, name = ""]) => name,
  );
  const found = names.flatMap((name) => places.map((place) => normalize(join(place, name))));
  // A macro may be the name of any header there.
  if (/^[ \t]*#[ \t]*include(?:_next)?[ \t]+[A-Za-z_]/m.test(text))
    found.push(
      ...places.flatMap((place) => {
        const at = resolve(folder, place);
        return existsSync(at)
          ? readdirSync(at)
              .filter((name) => /\.(h|inc|def)$/.test(name))
              .map((name) => join(place, name))
          : [];
      }),
    );
  return found.filter((path) => statSync(resolve(folder, path), { throwIfNoEntry: false })?.isFile() === true);
}

function keyOf({ command, words, arguments: given }: CommandLine, files: TaskContents["files"]): string {
  const hash = createHash("sha256").update(JSON.stringify([packageVersion(), command, words, given]));
  for (const [path, bytes] of [...files].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(JSON.stringify([path, createHash("sha256").update(bytes).digest("hex")]));
  return hash.digest("hex").slice(0, 40);
}

const mostFiles = 5000;
const mostBytes = 64 * 2 ** 20;

/** The files below a folder, without installed packages and hidden ones. */
function filesBelow(folder: string): readonly string[] {
  const found: string[] = [];
  let size = 0;
  const visit = (inside: string): void => {
    for (const entry of readdirSync(join(folder, inside), { withFileTypes: true })) {
      const path = join(inside, entry.name);
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      if (entry.isDirectory()) visit(path);
      if (!entry.isFile()) continue;
      found.push(path);
      size += statSync(join(folder, path)).size;
      if (found.length > mostFiles || size > mostBytes)
        throw new TracefoldError({
          code: "TF100",
          message: `${folder} has more than ${mostFiles} files or 64 MB, and a task may depend on all of them`,
          help: "Name the folder that the program reads with --files.",
        });
    }
  };
  visit("");
  return found;
}

function bytesOf(path: string): Uint8Array {
  try {
    return readFinite(path);
  } catch (error) {
    throw unreadable("batch", path, error);
  }
}
