import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { usageError } from "../../commands/options/option.ts";
import { testNames } from "../../commands/options/testOptions.ts";
import type { BatchTask } from "../task.ts";
import { nameOfPath, type TaskSettings } from "./taskSettings.ts";

/**
 * The tasks of a program. With tests, `explain` has one for each test and `run` one for all of them. The tests of the
 * program X are in the folder X of `--tests`, or in a folder of that name beside the program, or `--tests` has those of
 * all programs.
 */
export function tasksOfFolder(files: readonly string[], given: string, settings: TaskSettings): readonly BatchTask[] {
  const command = settings.command ?? "explain";
  const [first = given] = files;
  const isFolder = dirname(resolve(first)) !== resolve(given) && resolve(first) !== resolve(given);
  const path = isFolder ? dirname(first) : first;
  const folder = dirname(resolve(first));
  const words = [...files.map((file) => relative(folder, resolve(file))), ...settings.options];
  const common = { command, arguments: [], folder, expected: null } as const;
  const name = nameOfPath(path);
  if (settings.tests === null) return [{ ...common, name, words }];
  if (command !== "explain" && command !== "run")
    throw usageError(`batch: ${command} runs no tests: leave out --tests`);
  const tests = testsOf(basename(path).replace(/\.[ci]$/, ""), folder, settings.tests);
  const all = [...words, "--tests", relative(folder, tests)];
  if (command === "run") return [{ ...common, name, words: all }];
  return testNames(tests).map((test) => ({ ...common, name: `${name} ${test}`, words: [...all, "--test", test] }));
}

function testsOf(program: string, folder: string, tests: string): string {
  const places = [join(resolve(tests), program), join(folder, tests), resolve(tests)];
  const found = places.find((place) => statSync(place, { throwIfNoEntry: false })?.isDirectory() && hasFiles(place));
  if (found === undefined) throw usageError(`batch: --tests: no folder ${tests} has tests for ${program}`);
  return found;
}

function hasFiles(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => entry.isFile());
}
