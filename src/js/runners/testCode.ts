import { dirname, join, relative, sep } from "node:path";
import type { TestRun } from "./runner.ts";

const testFolder = /^(tests?|__tests__|specs?)$/;

/** Tells test files, and helpers in the outermost folder of tests around a test file, from the sources they test. */
export function testCodeOf({ tests }: TestRun, root: string): (path: string) => boolean {
  const files = new Set(tests.map(({ id }) => id.file));
  const folders = new Set([...files].flatMap((file) => folderOf(file, root) ?? []));
  return (path) => files.has(path) || [...folders].some((folder) => path.startsWith(folder + sep));
}

function folderOf(file: string, root: string): string | null {
  const names = relative(root, dirname(file)).split(sep);
  const at = names.findIndex((name) => testFolder.test(name));
  return at === -1 ? null : join(root, ...names.slice(0, at + 1));
}
