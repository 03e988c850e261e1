import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { formatError, TracefoldError } from "../../base/errors.ts";
import { readGiven } from "../../base/files.ts";
import { expandGlob } from "../../base/glob.ts";
import { usageError } from "../../commands/options/option.ts";
import type { BatchTask, BrokenTask, ReadTasks } from "../task.ts";
import { tasksOfDefinition } from "./definition.ts";
import { tasksOfFolder } from "./programFolder.ts";
import { tasksOfLines } from "./taskLines.ts";
import type { TaskSettings } from "./taskSettings.ts";

/** Reads the tasks that the words name. What cannot be read is a broken task; a word that names nothing is an error. */
export function readTasks(words: readonly string[], settings: TaskSettings): ReadTasks {
  const tasks: BatchTask[] = [];
  const broken: BrokenTask[] = [];
  const attempt = (name: string, read: () => readonly BatchTask[]): void => {
    try {
      tasks.push(...read());
    } catch (error) {
      if (!(error instanceof TracefoldError)) throw error;
      broken.push({ name, reason: formatError(error) });
    }
  };
  const addDefinition = (path: string) => attempt(path, () => tasksOfDefinition(path, settings));
  const addProgram = (path: string) => attempt(path, () => tasksOfFolder([path], path, settings));
  for (const word of words) {
    const stat = statSync(word, { throwIfNoEntry: false });
    if (stat === undefined) throw usageError(`batch: ${word}: there is no such file or folder`);
    if (stat.isDirectory()) {
      const definitions = settings.tests === null ? filesBelow(word, /\.yml$/) : [];
      if (definitions.length > 0) for (const path of definitions) addDefinition(path);
      else for (const files of programsOf(word)) attempt(files[0] ?? word, () => tasksOfFolder(files, word, settings));
    } else if (word.endsWith(".yml")) addDefinition(word);
    else if (word.endsWith(".set")) for (const path of filesOfSet(word, broken)) addDefinition(path);
    else if (word.endsWith(".jsonl")) {
      const read = tasksOfLines(word, settings);
      tasks.push(...read.tasks);
      broken.push(...read.broken);
    } else if (/\.[ci]$/.test(word)) addProgram(word);
    else throw usageError(`batch: ${word} is no folder, and no file that ends with .yml, .set, .jsonl, .c or .i`);
  }
  return { tasks: withUniqueNames(tasks), broken };
}

/** The files that the patterns of a set file name, in its order. */
function filesOfSet(path: string, broken: BrokenTask[]): readonly string[] {
  const folder = dirname(path);
  const lines = readGiven("batch", path)
    .split("\n")
    .map((line) => line.trim());
  const files = new Set<string>();
  for (const line of lines.filter((each) => each !== "" && !each.startsWith("#"))) {
    const found = expandGlob(line.replace(/^\.\//, ""), folder).map((name) => join(folder, name));
    if (found.length === 0) broken.push({ name: `${path}: ${line}`, reason: "no file matches this pattern" });
    for (const file of found) files.add(file);
  }
  return [...files];
}

function filesBelow(folder: string, wanted: RegExp): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile() && wanted.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Each C file of a folder is a program, and so is each folder in it, with all of its C files. */
function programsOf(folder: string): readonly (readonly string[])[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const single = entries.filter((entry) => entry.isFile() && /\.[ci]$/.test(entry.name));
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
  const programs = [
    ...single.map(({ name }) => [join(folder, name)]),
    ...folders.map(({ name }) => cFilesOf(join(folder, name))).filter((files) => files.length > 0),
  ];
  if (programs.length === 0)
    throw usageError(`batch: ${folder} has no task definition, no C file and no folder with one`);
  return programs;
}

function cFilesOf(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".c"));
  return names.sort().map((name) => join(folder, name));
}

/** Two tasks with one name are told apart by a number. */
function withUniqueNames(tasks: readonly BatchTask[]): readonly BatchTask[] {
  const seen = new Map<string, number>();
  return tasks.map((task) => {
    const count = (seen.get(task.name) ?? 0) + 1;
    seen.set(task.name, count);
    return count === 1 ? task : { ...task, name: `${task.name} #${count}` };
  });
}
